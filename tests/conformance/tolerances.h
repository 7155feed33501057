// How far the engine's float32 may lie from the figures of each source, and why. Formats that state their own
// tolerance are held to it.
#pragma once

#include "conformance/judge.h"

namespace attn::conformance {

/// PyTorch's literals have 6 decimals (rounding: 5e-7); PyTorch in float64 is up to 4.0e-6 from them (the
/// README there). Values are below 3.
inline constexpr Tolerance kTorchLiterals{5e-6, 0.0};

/// Half the distance between 1 and its neighbour: what one rounding to float32 costs, relatively.
inline constexpr double kFloat32Rounding = 1.0 / (1 << 24);

/// One operator in float32 on float32 numbers below about 10, against float64: a few tens of roundings, of
/// which most are relative to intermediate values as large as the inputs.
inline constexpr Tolerance kFloat32Operator{2e-6, 2e-6};

/// Gradients of projections and attention: float32's error is relative to the numbers that are added up,
/// which cancel. The largest gradient of the case stands for their size (the sums are over some 10 rows and
/// heads).
inline Tolerance attention_gradients(double largest) {
  constexpr double kRoundings = 16.0;
  return {kFloat32Operator.absolute + kRoundings * kFloat32Rounding * largest, kFloat32Operator.relative};
}

/// Roundings that reach a row's mean: its sum in four lanes and the division.
inline constexpr double kRoundingsOfMean = 4.0;

/// A transformer's activations, below about 8: one rounding there is 2.4e-7, PyTorch's own float32 pass is up
/// to 1.5e-6 from its float64 pass on these models (summary.json), and ours may differ as much the other way.
inline constexpr Tolerance kTransformer{2e-6, 0.0};

/// Two float32 passes, each as far from float64 as the one above.
inline constexpr Tolerance kTransformerAgainstFloat32{4e-6, 0.0};

/// Logits are sums of d_model products of activations and embeddings of order 1: each carries an activation's
/// error.
inline constexpr Tolerance kLogits{8e-6, 0.0};

/// A mean of cross-entropies of such logits, of order 1 to 10.
inline constexpr Tolerance kLoss{1e-5, 0.0};

/// The same after steps: hundreds of thousands of parameters, each a rounding away, move the loss by the sum
/// of gradient · difference. (PyTorch's float32 loss after 3 steps is 2.8e-6 from its float64 loss.)
inline constexpr Tolerance kLossAfterSteps{3e-5, 0.0};

/// Gradients of order 1 through a whole model: PyTorch's float32 is up to 2.7e-6 from its float64 in the
/// models with 6 + 6 layers, 3.3e-7 in the small ones (summary.json).
inline constexpr Tolerance kGradients{4e-6, 0.0};

/// Where PyTorch's first gradient is smaller than this it is 0 but for float64's rounding (the key part of
/// every in_proj_bias) or so close to it that float32's rounding decides the sign of Adam's step.
inline constexpr double kSmallestComparedGradient = 1e-6;

/// A parameter after at most 3 steps of Adam: PyTorch's float32 is up to 1.2e-6 from its float64 where the
/// gradient is compared.
inline constexpr Tolerance kAdamSteps{4e-6, 0.0};

/// |m̂| / √v̂ is below 1.5 in Adam's first steps, whatever the gradients are (β₁ = 0.9).
inline constexpr double kAdamStepBound = 1.5;

}  // namespace attn::conformance
