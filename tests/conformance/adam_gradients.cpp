#include "conformance/adam_gradients.h"

#include <algorithm>
#include <cstdio>

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

constexpr int kMostSteps = 100000;

/// The slices along the first axis.
std::vector<FloatArray> slices_of(const FloatArray& array, const std::string& name) {
  CONFORMANCE_REQUIRE(!array.extents.empty(), "'%s' has no axis for the steps", name.c_str());
  const Extents extents(array.extents.begin() + 1, array.extents.end());
  const auto size = static_cast<std::ptrdiff_t>(size_of(extents));
  std::vector<FloatArray> slices;
  for (std::ptrdiff_t i = 0; i < array.extents[0]; ++i)
    slices.emplace_back(
        extents, std::vector<float>(array.values.begin() + i * size, array.values.begin() + (i + 1) * size));
  return slices;
}

}  // namespace

std::vector<FloatArray> given_gradients(LiteralCase& each) {
  if (each.has_input("grads_per_step")) return slices_of(each.floats("grads_per_step"), "grads_per_step");
  if (each.has_input("grad")) return {each.floats("grad")};
  std::map<int, FloatArray> by_step;
  for (const std::string& name : each.input_names()) {
    int first = 0, last = 0, read = 0, more = 0;
    if (std::sscanf(name.c_str(), "grad_step%d%n_to_%d%n", &first, &read, &last, &more) < 1) continue;
    if (more == 0) last = first;
    CONFORMANCE_REQUIRE(static_cast<std::size_t>(more == 0 ? read : more) == name.size() && first >= 1 &&
                            last >= first && last <= kMostSteps,
                        "input '%s' is not known", name.c_str());
    for (int step = first; step <= last; ++step)
      CONFORMANCE_REQUIRE(by_step.emplace(step, each.floats(name)).second, "step %d has two gradients", step);
  }
  std::vector<FloatArray> gradients;
  for (auto& [step, gradient] : by_step) {
    CONFORMANCE_REQUIRE(step == static_cast<int>(gradients.size()) + 1, "step %d has no gradient",
                        static_cast<int>(gradients.size()) + 1);
    gradients.push_back(std::move(gradient));
  }
  CONFORMANCE_REQUIRE(!gradients.empty(), "there are no gradients");
  return gradients;
}

void GraphGradients::set_steps(int steps, const char* what) {
  CONFORMANCE_REQUIRE(steps >= 1 && steps <= kMostSteps && (steps_ == 0 || steps_ == steps), "%s: %d steps",
                      what, steps);
  steps_ = steps;
}

GraphGradients::GraphGradients(LiteralCase& each) {
  const std::string text = each.text("graph");
  statements_ = statements_of(text);
  constexpr std::string_view kPerStep = "_per_step";
  std::map<std::string, FloatArray> values;
  for (const std::string& name : each.input_names()) {
    if (name.ends_with(kPerStep)) {
      std::vector<FloatArray> slices = slices_of(each.floats(name), name);
      set_steps(static_cast<int>(slices.size()), name.c_str());
      inputs_per_step_[name.substr(0, name.size() - kPerStep.size())] = std::move(slices);
    } else {
      values[name] = each.floats(name);
    }
  }
  for (const Statement& statement : statements_)
    if (FloatArray value; !values.contains(statement.name) && constant_of(statement.expression, value))
      values[statement.name] = std::move(value);
  for (const std::string& name : each.expected_names()) {
    CONFORMANCE_REQUIRE(values.contains(name), "parameter '%s' has no first value", name.c_str());
    parameters_[name] = values.at(name);
    values.erase(name);
  }
  constant_inputs_ = std::move(values);

  char name[16];
  int first = 0, last = 0, rows = 0, columns = 0;
  double factor = 0.0;
  if (const std::size_t at = text.find(" at step i ("); at != std::string::npos) {
    const std::size_t start = text.rfind(' ', at - 1) + 1;
    CONFORMANCE_REQUIRE(std::sscanf(text.c_str() + start, "%15s at step i (%d..%d) = full([%d,%d], %lf*i)",
                                    name, &first, &last, &rows, &columns, &factor) == 6 &&
                            first == 1 && rows > 0 && columns > 0 && rows * columns < kMostSteps,
                        "the input of a step is not understood: %s", text.c_str() + start);
    set_steps(last, name);
    for (int i = 1; i <= last; ++i) {
      FloatArray full(Extents{rows, columns});
      std::fill(full.values.begin(), full.values.end(), static_cast<float>(factor * i));
      inputs_per_step_[name].push_back(std::move(full));
    }
  }
  if (each.has_param("steps")) set_steps(each.integer("steps"), "steps");
  CONFORMANCE_REQUIRE(steps_ > 0, "the number of steps is not said");
}

std::map<std::string, FloatArray> GraphGradients::gradients(
    int step, const std::map<std::string, FloatArray>& parameters) const {
  std::map<std::string, FloatArray> inputs = constant_inputs_;
  for (const auto& [name, values] : inputs_per_step_) inputs[name] = values[static_cast<std::size_t>(step)];
  Graph graph(parameters, inputs);
  graph.run(statements_);
  std::map<std::string, FloatArray> gradients;
  for (const auto& [name, parameter] : parameters) gradients[name] = graph.gradient(name);
  return gradients;
}

}  // namespace attn::conformance
