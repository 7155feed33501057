// Adam, AdamW and AMSGrad, in the three forms that PyTorch, Keras and ONNX give them.
//
// Step t = 1, 2, … for every parameter p with gradient g:
//
//   g = g + l2_penalty · p                                 Adam's weight_decay in PyTorch
//   p = p · (1 − learning_rate · weight_decay)             AdamW: decoupled, before the step
//   m = β₁ m + (1 − β₁) g        v = β₂ v + (1 − β₂) g²
//   u = max(u, v) with amsgrad, otherwise v
//   p = p − step(m, u)                                     depends on the form
//   p = p · (1 − post_decay)                               ONNX's norm_coefficient_post
//
//   pytorch   learning_rate / (1 − β₁ᵗ) · m / (√u / √(1 − β₂ᵗ) + ε)
//   keras     learning_rate · √(1 − β₂ᵗ) / (1 − β₁ᵗ) · m / (√u + ε)     Kingma & Ba, end of section 2: ε is
//             "ε hat"; with the same ε these steps are smaller
//   onnx      as keras with t one less (ONNX's T counts the steps before this one), and no correction at
//             all in the first step
//
// Corrections are computed in double, the powers by one multiplication a step, and rounded to float once; the
// update itself is kernels/adam.h, where the order of operations is fixed. So a run has the same bits on
// every platform, and whichever way the list of parameters is cut (contract C2). Source: Kingma & Ba 2015,
// algorithm 1; Loshchilov & Hutter 2019, algorithm 2 (AdamW); Reddi, Kale & Kumar 2018, algorithm 2
// (AMSGrad); torch.optim.Adam and AdamW; ONNX ai.onnx.preview.training.Adam.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"

namespace attn::nn {

enum class AdamForm : std::uint8_t { pytorch, keras, onnx };

struct AdamOptions {
  double learning_rate = 1e-3;  // may change from step to step (warm-up, decay)
  double beta1 = 0.9;           // in [0, 1); "alpha" in ONNX
  double beta2 = 0.999;         // in [0, 1); "beta" in ONNX
  double epsilon = 1e-8;        // > 0; Keras' default is 1e-7, ONNX's 1e-6, the paper's for transformers 1e-9
  double l2_penalty = 0.0;      // weight_decay of torch.optim.Adam; norm_coefficient in ONNX
  double weight_decay = 0.0;    // of torch.optim.AdamW (whose default is 1e-2)
  double post_decay = 0.0;      // norm_coefficient_post in ONNX
  bool amsgrad = false;
  AdamForm form = AdamForm::pytorch;
};

/// Names the first option that is out of range, and the range.
core::Status validate(const AdamOptions& options);

/// A parameter and dL/d(parameter), of one size.
struct ParameterGradient {
  std::span<float> parameter;
  std::span<const float> gradient;
};

/// What Adam remembers of one parameter.
struct Moments {
  std::vector<float> first;    // m
  std::vector<float> second;   // v
  std::vector<float> largest;  // u; empty without amsgrad
};

struct AdamState {
  int steps = 0;             // taken so far
  double beta1_power = 1.0;  // β₁ to the power of `steps`
  double beta2_power = 1.0;
  std::vector<Moments> moments;  // in the order of the list
};

/// Takes one step. The list names the same parameters in the same order every time; the first step makes
/// their moments (0) and later ones allocate nothing. Parameters must not overlap. Whoever holds packed
/// copies of weights packs them again (nn/parameters.h).
void adam_step(const AdamOptions& options, std::span<const ParameterGradient> list, AdamState& state);

}  // namespace attn::nn
