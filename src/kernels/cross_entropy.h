// Cross-entropy of logits against integer targets, and the negative log-likelihood of log-probabilities.
//
// Row n has logits x (V), a target y in [0, V) or equal to ignore_index, and p = softmax(x):
//
//   q[c] = w[c] * ((1 - s) * [c = y] + s / V)       s = label_smoothing, w = class_weights (1 without)
//   loss[n] = -sum_c q[c] * ln p[c]                 +0 for an ignored row
//   none: loss[n]      sum: sum_n loss[n]      mean: sum_n loss[n] / sum_n w[y_n] over rows not ignored
//
// So s is spread over all V classes, the target's own included (some codes use s / (V - 1) over the others),
// and the mean of weighted losses divides by the weights of the targets: torch.nn.CrossEntropyLoss, ONNX
// SoftmaxCrossEntropyLoss (without smoothing). When every row is ignored the mean is 0/0, NaN, as in PyTorch;
// gradients are 0 all the same.
//
// Backward, with g = dloss (mean: divided by the same sum of weights) and Q = sum_c q[c]:
//
//   dx[c] += g * (p[c] * Q - q[c])                  an ignored row is left alone, whatever g is
//
// Rounding: ln p = (x - max) - ln(sum of e^(x - max)), as kernels/softmax_axis.h; sums over c have four lanes
// by index, sums over rows four lanes by row, combined as (0 + 1) + (2 + 3); the terms of smoothing are left
// out when s = 0, so that a logit of -inf elsewhere does no harm. Numbers of any size are stable. Error of a
// loss: 4e-7 * max(1, sum of |q ln p|). Source: Szegedy et al. 2016, section 7 (label smoothing).
#pragma once

#include <cstdint>
#include <span>

#include "core/tensor.h"

namespace attn::kernels {

enum class Reduction : std::uint8_t { none, sum, mean };

struct CrossEntropyOptions {
  int ignore_index = -100;                 // a target equal to it counts for nothing; it may be a class
  float label_smoothing = 0.0f;            // in [0, 1]
  std::span<const float> class_weights{};  // (V), or empty: all 1
};

/// loss[n] of one row. A target that is neither ignored nor a class is our own mistake and stops the program.
float cross_entropy_row(std::span<const float> logits, int target, const CrossEntropyOptions& options);

/// dlogits += g * (p * Q - q) for one row.
void cross_entropy_row_backward(std::span<const float> logits, int target, const CrossEntropyOptions& options,
                                float g, std::span<float> dlogits);

/// What a row adds to the divisor of the mean: w[target], or 0 when it is ignored.
float target_weight(int target, const CrossEntropyOptions& options);

/// Adds up the losses of rows 0, 1, 2, … in the order the reductions promise.
class LossReduction {
 public:
  void add(float loss, float weight) {
    losses_[next_] += loss;
    weights_[next_] += weight;
    next_ = (next_ + 1) % 4;
  }
  float sum() const { return total(losses_); }
  float weight() const { return total(weights_); }
  float mean() const { return sum() / weight(); }

 private:
  static float total(const float (&lanes)[4]) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

  float losses_[4] = {};
  float weights_[4] = {};
  int next_ = 0;
};

/// logits (N, V), targets (N) → losses (N). Nothing is reduced.
void cross_entropy(core::ConstMatrix logits, std::span<const int> targets, const CrossEntropyOptions& options,
                   std::span<float> losses);

/// The reduced loss; `reduction` is sum or mean.
float cross_entropy(core::ConstMatrix logits, std::span<const int> targets,
                    const CrossEntropyOptions& options, Reduction reduction);

/// dlogits (N, V) += the gradient. dloss has N numbers for Reduction::none and one for the others.
void cross_entropy_backward(core::ConstMatrix logits, std::span<const int> targets,
                            const CrossEntropyOptions& options, Reduction reduction,
                            std::span<const float> dloss, core::Matrix dlogits);

/// The same loss from log-probabilities, without smoothing: -w[y] * log_probabilities[y], +0 when ignored.
/// torch.nn.NLLLoss, ONNX NegativeLogLikelihoodLoss. dlog_probabilities[y] += -g * w[y].
float negative_log_likelihood_row(std::span<const float> log_probabilities, int target,
                                  const CrossEntropyOptions& options);
void negative_log_likelihood_row_backward(int target, const CrossEntropyOptions& options, float g,
                                          std::span<float> dlog_probabilities);

}  // namespace attn::kernels
