// Dropout (Srivastava et al. 2014, "inverted" as in torch.nn.Dropout): in training, each element is set to 0
// with probability p and the others are divided by what is left, so that the mean stays the same.
//
//   keep[i] = uniform(first + i) >= p ? 1 : 0          out = keep ? x * s : +0,  s = 1 / (1 - p)
//
// The draws are those of core/random.h: they depend on (seed, stream, index) alone, so a tensor that is
// computed in slices is dropped out the same way as a whole. s is rounded once; what is dropped is exactly +0
// whatever x is. p = 0 keeps everything and changes no bit; p = 1 drops everything.
//
// All spans have one size.
#pragma once

#include <cstdint>
#include <span>

#include "core/random.h"

namespace attn::kernels {

/// s; 0 for p = 1.
float dropout_factor(float p);

/// Draws the mask: 1 where an element stays, 0 where it goes. p in [0, 1].
void dropout_mask(const core::RandomStream& stream, std::uint64_t first, float p, std::span<float> keep);

/// `out` may be x itself.
void dropout(std::span<const float> x, std::span<const float> keep, float p, std::span<float> out);

/// dx += keep ? dy * s : +0. `dx` must not overlap the others.
void dropout_backward(std::span<const float> keep, float p, std::span<const float> dy, std::span<float> dx);

}  // namespace attn::kernels
