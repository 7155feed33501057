// Elementwise operations. All spans have one size; `out` may be an input itself but must not overlap one
// otherwise. Element i depends on element i of the inputs only; bits are the same on every platform.
#pragma once

#include <span>

namespace attn::kernels {

/// out = a + b, one rounding.
void add(std::span<const float> a, std::span<const float> b, std::span<float> out);

/// out = x < 0 ? +0 : x, so NaN and -0 stay what they are. Exact.
void relu(std::span<const float> x, std::span<float> out);

/// out = 0.5 x (1 + erf(x / sqrt 2)), computed as (0.5 * x) * (1 + erf(x * 0.70710678f)).
/// Error below 2.5e-7 * max(1, |x|) absolute; as in the formula, the relative error grows where the result
/// nears 0 for x < -2. gelu(-inf) is NaN (0 * inf), as in the formula. Source: Hendrycks and Gimpel 2016;
/// torch.nn.GELU().
void gelu(std::span<const float> x, std::span<float> out);

/// dx += x > 0 ? dy : 0. The derivative at 0 is 0, as PyTorch's. `dx` must not overlap the others.
void relu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

/// dx += dy * (Phi(x) + x phi(x)), computed as dy * (0.5 (1 + erf(x / sqrt 2)) + x * (exp(-0.5 x x) /
/// sqrt(2 pi))); phi is the density of the normal distribution. `dx` must not overlap the others.
void gelu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

}  // namespace attn::kernels
