// Sums and products of whole tensors. All spans have one size; `out` may be an input itself but must not
// overlap one otherwise. Element i depends on element i of the inputs only; bits are the same on every
// platform. Activations are in kernels/activation.h.
#pragma once

#include <span>

namespace attn::kernels {

/// out = a + b, one rounding.
void add(std::span<const float> a, std::span<const float> b, std::span<float> out);

/// out = a − b, one rounding.
void subtract(std::span<const float> a, std::span<const float> b, std::span<float> out);

/// out = x * factor, one rounding.
void scale(std::span<const float> x, float factor, std::span<float> out);

/// dx += dy * factor. `dx` must not overlap dy.
void scale_backward(float factor, std::span<const float> dy, std::span<float> dx);

}  // namespace attn::kernels
