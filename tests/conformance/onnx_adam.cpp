// Adam of ai.onnx.preview.training: any number of tensors, X… G… V… H… one after another.
#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "nn/optimizer.h"

namespace attn::conformance {

OnnxOutputs onnx_adam(OnnxNode& node) {
  enum Input { kLearningRate, kSteps, kTensors };
  nn::AdamOptions options;
  options.form = nn::AdamForm::onnx;
  options.learning_rate = scalar_of(node.input(kLearningRate), "R");
  options.beta1 = node.float_attribute("alpha", 0.9);
  options.beta2 = node.float_attribute("beta", 0.999);
  options.epsilon = node.float_attribute("epsilon", 1e-6);
  options.l2_penalty = node.float_attribute("norm_coefficient", 0.0);
  options.post_decay = node.float_attribute("norm_coefficient_post", 0.0);
  node.no_other_attributes();
  const core::Status valid = nn::validate(options);
  CONFORMANCE_REQUIRE(valid.ok(), "%s", valid.error().c_str());
  const int count = (node.input_count() - kTensors) / 4;
  CONFORMANCE_REQUIRE(count > 0 && kTensors + 4 * count == node.input_count(), "%d inputs",
                      node.input_count());

  nn::AdamState state;
  constexpr int kMostSteps = 1 << 24;
  const double steps = scalar_of(node.input(kSteps), "T");
  CONFORMANCE_REQUIRE(steps >= 0.0 && steps <= kMostSteps, "T is %g", steps);
  for (; state.steps < static_cast<int>(steps); ++state.steps) {
    state.beta1_power *= options.beta1;
    state.beta2_power *= options.beta2;
  }
  std::vector<FloatArray> parameters, gradients;
  for (int i = 0; i < count; ++i) {
    parameters.push_back(node.floats(kTensors + i));
    gradients.push_back(node.floats(kTensors + count + i));
    state.moments.push_back({.first = node.floats(kTensors + 2 * count + i).values,
                             .second = node.floats(kTensors + 3 * count + i).values,
                             .largest = {}});
    const std::size_t size = parameters.back().values.size();
    CONFORMANCE_REQUIRE(gradients.back().values.size() == size && state.moments.back().first.size() == size &&
                            state.moments.back().second.size() == size,
                        "the tensors of parameter %d have different sizes", i);
  }
  std::vector<nn::ParameterGradient> list;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    list.push_back({parameters[i].values, gradients[i].values});
  nn::adam_step(options, list, state);

  OnnxOutputs outputs;
  for (const FloatArray& parameter : parameters) outputs.emplace_back(parameter);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    outputs.emplace_back(FloatArray(parameters[i].extents, state.moments[i].first));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    outputs.emplace_back(FloatArray(parameters[i].extents, state.moments[i].second));
  return outputs;
}

}  // namespace attn::conformance
