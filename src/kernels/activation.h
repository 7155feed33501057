// Activation functions, elementwise, each with its backward.
//
// All spans have one size. Forward: out = f(x); `out` may be x itself but must not overlap it otherwise.
// Backward: dx += dy * f'(x), one product and one sum, each rounded once; it adds, so that a value used twice
// collects both gradients. x and dy may not overlap dx. Element i depends on element i alone; bits are the
// same on every platform. Errors are against the formula for the given float x.
//
// The derivatives are exact 0 and 1 at infinities, where the formula as written would give 0 * inf; x is
// clamped where that changes no bit.
#pragma once

#include <span>

namespace attn::kernels {

/// out = x < 0 ? +0 : x, so NaN and -0 stay what they are. Exact.
void relu(std::span<const float> x, std::span<float> out);

/// f'(x) = x > 0 ? 1 : 0; at 0 it is 0, as in PyTorch. Where it is 0, exactly +0 is added whatever dy is.
void relu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

/// out = 0.5 x (1 + erf(x / sqrt 2)), computed as (0.5 * x) * (1 + erf(x * 0.70710678f)).
/// Error below 2.5e-7 * max(1, |x|) absolute; as in the formula, the relative error grows where the result
/// nears 0 for x < -2. gelu(-inf) is NaN (0 * inf), as in the formula. Source: Hendrycks and Gimpel 2016;
/// torch.nn.GELU().
void gelu(std::span<const float> x, std::span<float> out);

/// f'(x) = Phi(x) + x phi(x), Phi(x) = 0.5 (1 + erf(x / sqrt 2)), phi(x) = e^(-x^2 / 2) / sqrt(2 pi).
/// Error of f' below 2e-7 absolute.
void gelu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

/// out = 0.5 x (1 + tanh(u)) = x * sigmoid(2u), u = sqrt(2 / pi) (x + 0.044715 x^3): the second form, which
/// does not cancel for x < 0. Error below 2e-7 * max(1, |x|) absolute; relative below 1e-6 for x > -3 and
/// 8e-6 for x > -8, where e^2u carries the relative error of u times 2u; exactly -0 for x < -10.00104.
/// gelu_tanh(-inf) is NaN, as in the formula. Source: Hendrycks and Gimpel 2016, section 2;
/// torch.nn.GELU(approximate='tanh'), GPT-2's "gelu_new".
void gelu_tanh(std::span<const float> x, std::span<float> out);

/// f'(x) = s + x s (1 - s) 2u', s = sigmoid(2u), u' = sqrt(2 / pi) (1 + 3 * 0.044715 x^2).
/// Error of f' below 2e-7 absolute.
void gelu_tanh_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

/// out = x * sigmoid(x). Relative error below 2.5e-7; exactly -0 for finite x < -87.33654
/// (kernels/scalar_math.h) and NaN for -inf, as in the formula. Source: Elfwing, Uchibe and Doya 2017;
/// "swish" with beta 1 (Ramachandran et al. 2017).
void silu(std::span<const float> x, std::span<float> out);

/// f'(x) = s + x s (1 - s), s = sigmoid(x). Error of f' below 2e-7 absolute.
void silu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

/// out = tanh(x) of kernels/scalar_math.h.
void tanh(std::span<const float> x, std::span<float> out);

/// f'(x) = 1 - tanh(x)^2 as 4e / (1 + e)^2, e = e^(-2|x|), which does not cancel: relative error below 5e-7,
/// +0 from |x| = 43.66827 on.
void tanh_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

/// out = cap * tanh(x / cap): x kept within (-cap, cap). One division, one product. cap > 0. Source: Gemma
/// Team 2024, section 2 (attention and final logits); ONNX Attention's softcap.
void softcap(std::span<const float> x, float cap, std::span<float> out);

/// f'(x) = tanh'(x / cap), as in tanh_backward.
void softcap_backward(std::span<const float> x, float cap, std::span<const float> dy, std::span<float> dx);

/// out = sigmoid(x) of kernels/scalar_math.h.
void sigmoid(std::span<const float> x, std::span<float> out);

/// f'(x) = sigmoid(x) sigmoid(-x). Relative error below 5e-7.
void sigmoid_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx);

}  // namespace attn::kernels
