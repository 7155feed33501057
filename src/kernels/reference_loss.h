// Cross-entropy of one row once more, for any scalar type: see kernels/reference.h and
// kernels/cross_entropy.h.
#pragma once

#include "kernels/reference_rows.h"

namespace attn::kernels::reference {

/// The loss of logits against class `target`; an empty `class_weights` is all 1.
template <class Scalar>
Scalar cross_entropy(std::span<const Scalar> logits, std::size_t target, Scalar label_smoothing,
                     std::span<const Scalar> class_weights) {
  const auto weight = [&](std::size_t c) { return class_weights.empty() ? Scalar(1) : class_weights[c]; };
  const Scalar largest = logits[index_of_largest(logits)];
  StripedSum<Scalar> sum;
  for (std::size_t c = 0; c < logits.size(); ++c) sum.add(c, exponential(logits[c] - largest));
  const Scalar logarithm_of_sum = logarithm(sum.total());
  const auto log_p = [&](std::size_t c) { return (logits[c] - largest) - logarithm_of_sum; };
  const Scalar main_part = (Scalar(1) - label_smoothing) * (weight(target) * log_p(target));
  if (label_smoothing == Scalar(0)) return Scalar(0) - main_part;
  StripedSum<Scalar> smooth;
  for (std::size_t c = 0; c < logits.size(); ++c) smooth.add(c, weight(c) * log_p(c));
  const Scalar share = label_smoothing / static_cast<Scalar>(static_cast<float>(logits.size()));
  return Scalar(0) - (main_part + share * smooth.total());
}

/// dlogits += g * (p * Q - q).
template <class Scalar>
void cross_entropy_backward(std::span<const Scalar> logits, std::size_t target, Scalar label_smoothing,
                            std::span<const Scalar> class_weights, Scalar g, std::span<Scalar> dlogits) {
  const auto weight = [&](std::size_t c) { return class_weights.empty() ? Scalar(1) : class_weights[c]; };
  const Scalar share = label_smoothing / static_cast<Scalar>(static_cast<float>(logits.size()));
  const Scalar kept = (Scalar(1) - label_smoothing) * weight(target);
  StripedSum<Scalar> weights;
  for (std::size_t c = 0; c < logits.size(); ++c) weights.add(c, weight(c));
  const Scalar total = class_weights.empty() ? Scalar(1) : kept + share * weights.total();
  const Scalar largest = logits[index_of_largest(logits)];
  StripedSum<Scalar> sum;
  for (std::size_t c = 0; c < logits.size(); ++c) sum.add(c, exponential(logits[c] - largest));
  for (std::size_t c = 0; c < logits.size(); ++c) {
    const Scalar p = exponential(logits[c] - largest) / sum.total();
    const Scalar q = c == target ? kept + share * weight(c) : share * weight(c);
    dlogits[c] += g * (p * total - q);
  }
}

}  // namespace attn::kernels::reference
