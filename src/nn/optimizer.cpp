#include "nn/optimizer.h"

#include <cmath>

#include "core/check.h"
#include "kernels/adam.h"

namespace attn::nn {
namespace {

/// The numbers of a step whose bias corrections are 1 - power1 and 1 - power2.
kernels::AdamUpdate update_of(const AdamOptions& options, double power1, double power2) {
  const double correction1 = 1.0 - power1;
  const double root2 = std::sqrt(1.0 - power2);
  double step_size = options.learning_rate;
  double root_divisor = 1.0;
  switch (options.form) {
    case AdamForm::pytorch:
      step_size = options.learning_rate / correction1;
      root_divisor = root2;
      break;
    case AdamForm::keras:
    case AdamForm::onnx:
      step_size = options.learning_rate * root2 / correction1;
      break;
  }
  return {.l2 = static_cast<float>(options.l2_penalty),
          .keep_before = static_cast<float>(1.0 - options.learning_rate * options.weight_decay),
          .beta1 = static_cast<float>(options.beta1),
          .one_minus_beta1 = static_cast<float>(1.0 - options.beta1),
          .beta2 = static_cast<float>(options.beta2),
          .one_minus_beta2 = static_cast<float>(1.0 - options.beta2),
          .step_size = static_cast<float>(step_size),
          .root_divisor = static_cast<float>(root_divisor),
          .epsilon = static_cast<float>(options.epsilon),
          .keep_after = static_cast<float>(1.0 - options.post_decay)};
}

void make_moments(const AdamOptions& options, std::span<const ParameterGradient> list, AdamState& state) {
  for (const ParameterGradient& each : list) {
    const std::size_t size = each.parameter.size();
    state.moments.push_back(
        {std::vector<float>(size), std::vector<float>(size), std::vector<float>(options.amsgrad ? size : 0)});
  }
}

}  // namespace

core::Status validate(const AdamOptions& options) {
  const auto is_fraction = [](double x) { return x >= 0.0 && x < 1.0; };
  const auto is_amount = [](double x) { return x >= 0.0 && x <= 1e6; };
  if (!is_amount(options.learning_rate))
    return core::error_at("learning_rate is %g; it must lie in [0, 1e6]", options.learning_rate);
  if (!is_fraction(options.beta1)) return core::error_at("beta1 is %g; it must lie in [0, 1)", options.beta1);
  if (!is_fraction(options.beta2)) return core::error_at("beta2 is %g; it must lie in [0, 1)", options.beta2);
  if (!(options.epsilon >= 1e-30) || !is_amount(options.epsilon))
    return core::error_at("epsilon is %g; it must lie in [1e-30, 1e6]", options.epsilon);
  if (!is_amount(options.l2_penalty))
    return core::error_at("l2_penalty is %g; it must lie in [0, 1e6]", options.l2_penalty);
  if (!is_amount(options.weight_decay))
    return core::error_at("weight_decay is %g; it must lie in [0, 1e6]", options.weight_decay);
  if (!is_amount(options.post_decay))
    return core::error_at("post_decay is %g; it must lie in [0, 1e6]", options.post_decay);
  return core::ok_status();
}

void adam_step(const AdamOptions& options, std::span<const ParameterGradient> list, AdamState& state) {
  if (state.steps == 0 && state.moments.empty()) make_moments(options, list, state);
  ATTN_CHECK(state.moments.size() == list.size());
  const double power1 = state.beta1_power * options.beta1;
  const double power2 = state.beta2_power * options.beta2;
  const bool onnx = options.form == AdamForm::onnx;
  const kernels::AdamUpdate update =
      onnx ? (state.steps == 0 ? update_of(options, 0.0, 0.0)
                               : update_of(options, state.beta1_power, state.beta2_power))
           : update_of(options, power1, power2);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Moments& moments = state.moments[i];
    kernels::adam_update(update, list[i].gradient, list[i].parameter, moments.first, moments.second,
                         moments.largest);
  }
  state.beta1_power = power1;
  state.beta2_power = power2;
  ++state.steps;
}

}  // namespace attn::nn
