#include "conformance/oracle_training.h"

#include <algorithm>
#include <cmath>

#include "conformance/errors.h"
#include "conformance/loss_rows.h"
#include "conformance/tolerances.h"
#include "nn/optimizer.h"
#include "tape/backward.h"

namespace attn::conformance {
namespace {

/// The loss of one pass and its gradients by PyTorch's names.
struct Pass {
  float loss = 0.0f;
  std::vector<std::pair<std::string, FloatArray>> gradients;  // in the order of for_each_parameter
};

/// dL/d(parameter) of every parameter that the tape borrowed.
std::vector<std::pair<std::string, FloatArray>> parameter_gradients(const tape::Gradients& gradients,
                                                                    const nn::Transformer& model) {
  std::vector<std::pair<std::string, FloatArray>> named;
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
    FloatArray gradient(extents_of(parameter.shape()));
    gradients.accumulate_into(parameter.view(), gradient.values);
    named.emplace_back(torch_name(name), std::move(gradient));
  });
  return named;
}

Pass run_pass(const nn::Transformer& model, const Training& training, bool with_gradients) {
  tape::Tape tape;
  const tape::Value logits = nn::logits(tape, model, training.record(tape, model));
  LossRows rows;
  rows.logits = FloatArray(tape.tensor(logits));
  rows.logits.extents = {static_cast<int>(training.labels.size()), model.config.vocabulary};
  CONFORMANCE_REQUIRE(size_of(rows.logits.extents) == rows.logits.values.size(),
                      "%zu labels for logits of %s", training.labels.size(),
                      core::to_string(tape.tensor(logits).shape).c_str());
  rows.targets = training.labels;
  rows.ignore_index = training.ignore_index;
  rows.label_smoothing = static_cast<float>(training.label_smoothing);
  check(rows);
  Pass pass;
  pass.loss = losses(rows, kernels::Reduction::mean)[0];
  if (!with_gradients) return pass;
  FloatArray dlogits(rows.logits.extents);
  const float one = 1.0f;
  kernels::cross_entropy_backward(rows.matrix(), rows.targets, rows.options(), kernels::Reduction::mean,
                                  {&one, 1},
                                  {dlogits.values.data(), rows.rows(), rows.classes(), rows.classes()});
  tape::Gradients gradients;
  tape::backward(tape, logits, dlogits.values, gradients);
  pass.gradients = parameter_gradients(gradients, model);
  return pass;
}

void expect_loss(Judge& judge, const Training& training, std::size_t index, float loss) {
  if (index >= training.losses.size()) return;
  const double expected[] = {training.losses[index]};
  judge.expect("loss before step " + std::to_string(index + 1), {&loss, 1}, expected, {},
               index == 0 ? kLoss : kLossAfterSteps);
}

/// Where PyTorch's first gradient is more than rounding: there Adam's steps are compared.
bool is_compared(double gradient) { return std::abs(gradient) > kSmallestComparedGradient; }

/// A parameter after some steps. Where the gradient is nothing but rounding, only Adam's bound holds.
void expect_parameter(Judge& judge, const std::string& name, const FloatArray& actual, Array expected,
                      const Array& gradient, const FloatArray& start, double bound) {
  CONFORMANCE_REQUIRE(gradient.values.size() == expected.values.size() && actual.extents == expected.extents,
                      "'%s' has shape %s", name.c_str(), to_string(expected.extents).c_str());
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    if (is_compared(gradient.values[i])) continue;
    const double now = static_cast<double>(actual.values[i]);
    judge.expect_true(std::abs(now - static_cast<double>(start.values[i])) <= bound,
                      name + " at " + place_of(i, expected.extents) + " moved further than Adam can");
    expected.values[i] = now;
  }
  judge.expect(name, actual, expected, kAdamSteps);
}

}  // namespace

std::string torch_name(std::string_view name) {
  return name.starts_with("embedding") ? std::string(name) : "transformer." + std::string(name);
}

void read_adam(const Json& adam, Training& training) {
  only_keys(adam, {"lr", "betas", "eps"}, "adam");
  training.learning_rate = number_of(adam, "lr");
  const Array betas = array_of_lists(member(adam, "betas"), "betas");
  CONFORMANCE_REQUIRE(betas.extents == Extents{2}, "betas must be two numbers");
  training.betas = {betas.values[0], betas.values[1]};
  training.epsilon = number_of(adam, "eps");
}

std::vector<int> labels_of(const OracleFile& oracle, const nn::Transformer& model, int ignore_index) {
  std::vector<int> labels = oracle.ints("labels");
  for (const int label : labels)
    CONFORMANCE_REQUIRE(label == ignore_index || (label >= 0 && label < model.config.vocabulary),
                        "label %d of %d", label, model.config.vocabulary);
  return labels;
}

void expect_gradients(Judge& judge, const OracleFile& oracle, const std::string& prefix,
                      const nn::Transformer& model, const Training& training) {
  const Pass pass = run_pass(model, training, true);
  expect_loss(judge, training, 0, pass.loss);
  for (const auto& [name, gradient] : pass.gradients)
    judge.expect(prefix + name, gradient, oracle.array(prefix + name), kGradients);
}

void expect_adam_steps(Judge& judge, const OracleFile& oracle, const std::map<int, std::string>& prefixes,
                       const std::map<std::string, Array>& gradients, nn::Transformer& model,
                       const Training& training) {
  const nn::AdamOptions options = {.learning_rate = training.learning_rate,
                                   .beta1 = training.betas[0],
                                   .beta2 = training.betas[1],
                                   .epsilon = training.epsilon};
  const core::Status valid = nn::validate(options);
  CONFORMANCE_REQUIRE(valid.ok(), "%s", valid.error().c_str());
  std::map<std::string, FloatArray> start;
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
    start[torch_name(name)] = FloatArray(parameter.view());
  });
  nn::AdamState state;
  const int last = prefixes.rbegin()->first;
  for (int step = 1; step <= last; ++step) {
    const Pass pass = run_pass(model, training, true);
    expect_loss(judge, training, static_cast<std::size_t>(step) - 1, pass.loss);
    std::vector<nn::ParameterGradient> list;
    nn::for_each_parameter(model, [&](std::string_view, core::Tensor& parameter) {
      list.push_back({parameter.flat(), pass.gradients[list.size()].second.values});
    });
    nn::adam_step(options, list, state);
    nn::pack_weights(model);
    const auto found = prefixes.find(step);
    if (found == prefixes.end()) continue;
    const double bound = step * training.learning_rate * kAdamStepBound;
    nn::for_each_parameter(model, [&](std::string_view own_name, const core::Tensor& parameter) {
      const std::string name = torch_name(own_name);
      CONFORMANCE_REQUIRE(gradients.contains(name), "'%s' has no gradient in the oracle", name.c_str());
      expect_parameter(judge, found->second + name, FloatArray(parameter.view()),
                       oracle.array(found->second + name), gradients.at(name), start.at(name), bound);
    });
  }
  expect_loss(judge, training, static_cast<std::size_t>(last), run_pass(model, training, false).loss);
}

}  // namespace attn::conformance
