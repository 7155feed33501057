// The feed-forward layer in one go, with the hidden layer never written to memory as a whole.
//
//   out = act(x W1 + b1) W2 + b2
//
// The hidden columns are computed block by block, so that a block stays in the first-level cache, and the
// sums of the second product continue from block to block. Every sum is still over k = 0 .. K-1 in order and
// the bias still comes last, so the bits are those of linear, activation, linear one after the other
// (kernels/matmul.h, activation.h). Source: Vaswani et al. 2017, equation 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tensor.h"
#include "kernels/matmul.h"

namespace attn::kernels {

enum class HiddenActivation : std::uint8_t { relu, gelu };

struct FeedForwardFactors {
  const PackedMatrix& weight1;   // (D, F)
  std::span<const float> bias1;  // (F)
  const PackedMatrix& weight2;   // (F, D)
  std::span<const float> bias2;  // (D)
};

/// How many floats of scratch memory feed_forward needs for that many rows.
std::size_t feed_forward_scratch(int rows);

/// x, out (T, D). `out` must not overlap x; what `scratch` held is lost. Allocates nothing.
void feed_forward(core::ConstMatrix x, const FeedForwardFactors& factors, HiddenActivation activation,
                  std::span<float> scratch, core::Matrix out);

}  // namespace attn::kernels
