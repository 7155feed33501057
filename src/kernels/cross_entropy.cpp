#include "kernels/cross_entropy.h"

#include <limits>

#include "core/check.h"
#include "kernels/each_element.h"
#include "kernels/scalar_math.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

/// What ln p and p of a row are made from.
struct RowNormaliser {
  float largest;
  float sum;  // of e^(x - largest)
};

RowNormaliser normaliser_of(std::span<const float> x) {
  const int columns = static_cast<int>(x.size());
  const F32x4 nothing = splat(-std::numeric_limits<float>::infinity());
  F32x4 largest = nothing;
  const auto lanes_from = [&](int j) { return first_lanes(columns - j < 4 ? columns - j : 4); };
  for_each_vector(columns, [&](auto get, auto, int j) {
    largest = max(largest, select(lanes_from(j), get(x.data() + j), nothing));
  });
  const F32x4 shift = splat(max_of_lanes(largest));
  F32x4 sum = zero();
  for_each_vector(columns, [&](auto get, auto, int j) {
    sum = sum + keep(exp_of_nonpositive(get(x.data() + j) - shift), lanes_from(j));
  });
  return {max_of_lanes(largest), sum_of_lanes(sum)};
}

/// w[c], or 1.
F32x4 weight_at(F32x4 loaded, const CrossEntropyOptions& options) {
  return options.class_weights.empty() ? splat(1.0f) : loaded;
}

void check_row(std::size_t columns, int target, const CrossEntropyOptions& options) {
  ATTN_CHECK(target >= 0 && static_cast<std::size_t>(target) < columns);
  ATTN_CHECK(options.class_weights.empty() || options.class_weights.size() == columns);
}

/// s / V.
float smoothing_share(const CrossEntropyOptions& options, std::size_t columns) {
  return options.label_smoothing / static_cast<float>(columns);
}

}  // namespace

float target_weight(int target, const CrossEntropyOptions& options) {
  if (target == options.ignore_index) return 0.0f;
  return options.class_weights.empty() ? 1.0f : options.class_weights[static_cast<std::size_t>(target)];
}

float cross_entropy_row(std::span<const float> logits, int target, const CrossEntropyOptions& options) {
  if (target == options.ignore_index) return 0.0f;
  check_row(logits.size(), target, options);
  const RowNormaliser row = normaliser_of(logits);
  const float logarithm = static_cast<float>(log(static_cast<double>(row.sum)));
  const float of_target = (logits[static_cast<std::size_t>(target)] - row.largest) - logarithm;
  const float main_part = (1.0f - options.label_smoothing) * (target_weight(target, options) * of_target);
  if (options.label_smoothing == 0.0f) return 0.0f - main_part;
  const int columns = static_cast<int>(logits.size());
  const float* weights = options.class_weights.empty() ? logits.data() : options.class_weights.data();
  F32x4 sum = zero();
  for_each_vector(columns, [&](auto get, auto, int j) {
    const F32x4 log_p = (get(logits.data() + j) - splat(row.largest)) - splat(logarithm);
    const F32x4 weighted = weight_at(get(weights + j), options) * log_p;
    sum = sum + keep(weighted, first_lanes(columns - j < 4 ? columns - j : 4));
  });
  return 0.0f - (main_part + smoothing_share(options, logits.size()) * sum_of_lanes(sum));
}

void cross_entropy_row_backward(std::span<const float> logits, int target, const CrossEntropyOptions& options,
                                float g, std::span<float> dlogits) {
  ATTN_CHECK(dlogits.size() == logits.size());
  if (target == options.ignore_index) return;
  check_row(logits.size(), target, options);
  const int columns = static_cast<int>(logits.size());
  const auto y = static_cast<std::size_t>(target);
  const float share = smoothing_share(options, logits.size());
  const float kept = (1.0f - options.label_smoothing) * target_weight(target, options);
  const float* weights = options.class_weights.empty() ? logits.data() : options.class_weights.data();
  float total = 1.0f;  // Q
  if (!options.class_weights.empty()) {
    F32x4 sum = zero();
    for_each_vector(columns, [&](auto get, auto, int j) { sum = sum + get(weights + j); });
    total = kept + share * sum_of_lanes(sum);
  }
  const RowNormaliser row = normaliser_of(logits);
  const float before = dlogits[y];
  for_each_vector(columns, [&](auto get, auto put, int j) {
    const F32x4 p = exp_of_nonpositive(get(logits.data() + j) - splat(row.largest)) / splat(row.sum);
    const F32x4 q = splat(share) * weight_at(get(weights + j), options);
    put(dlogits.data() + j, get(dlogits.data() + j) + splat(g) * (p * splat(total) - q));
  });
  // The target's own q has a second part.
  const float p = exp(logits[y] - row.largest) / row.sum;
  const float q = kept + share * target_weight(target, options);
  dlogits[y] = before + g * (p * total - q);
}

float negative_log_likelihood_row(std::span<const float> log_probabilities, int target,
                                  const CrossEntropyOptions& options) {
  if (target == options.ignore_index) return 0.0f;
  check_row(log_probabilities.size(), target, options);
  return 0.0f - (target_weight(target, options) * log_probabilities[static_cast<std::size_t>(target)]);
}

void negative_log_likelihood_row_backward(int target, const CrossEntropyOptions& options, float g,
                                          std::span<float> dlog_probabilities) {
  if (target == options.ignore_index) return;
  check_row(dlog_probabilities.size(), target, options);
  dlog_probabilities[static_cast<std::size_t>(target)] += -g * target_weight(target, options);
}

void cross_entropy(core::ConstMatrix logits, std::span<const int> targets, const CrossEntropyOptions& options,
                   std::span<float> losses) {
  ATTN_CHECK(static_cast<int>(targets.size()) == logits.rows && losses.size() == targets.size());
  const auto width = static_cast<std::size_t>(logits.columns);
  for (int n = 0; n < logits.rows; ++n) {
    const auto at = static_cast<std::size_t>(n);
    losses[at] = cross_entropy_row({logits.row(n), width}, targets[at], options);
  }
}

float cross_entropy(core::ConstMatrix logits, std::span<const int> targets,
                    const CrossEntropyOptions& options, Reduction reduction) {
  ATTN_CHECK(static_cast<int>(targets.size()) == logits.rows && reduction != Reduction::none);
  const auto width = static_cast<std::size_t>(logits.columns);
  LossReduction total;
  for (int n = 0; n < logits.rows; ++n) {
    const int target = targets[static_cast<std::size_t>(n)];
    total.add(cross_entropy_row({logits.row(n), width}, target, options), target_weight(target, options));
  }
  return reduction == Reduction::sum ? total.sum() : total.mean();
}

void cross_entropy_backward(core::ConstMatrix logits, std::span<const int> targets,
                            const CrossEntropyOptions& options, Reduction reduction,
                            std::span<const float> dloss, core::Matrix dlogits) {
  ATTN_CHECK(static_cast<int>(targets.size()) == logits.rows);
  ATTN_CHECK(dlogits.rows == logits.rows && dlogits.columns == logits.columns);
  ATTN_CHECK(dloss.size() == (reduction == Reduction::none ? targets.size() : 1));
  const auto width = static_cast<std::size_t>(logits.columns);
  float shared = reduction == Reduction::none ? 0.0f : dloss[0];
  if (reduction == Reduction::mean) {
    LossReduction total;
    for (const int target : targets) total.add(0.0f, target_weight(target, options));
    shared = shared / total.weight();
  }
  for (int n = 0; n < logits.rows; ++n) {
    const auto at = static_cast<std::size_t>(n);
    cross_entropy_row_backward({logits.row(n), width}, targets[at], options,
                               reduction == Reduction::none ? dloss[at] : shared, {dlogits.row(n), width});
  }
}

}  // namespace attn::kernels
