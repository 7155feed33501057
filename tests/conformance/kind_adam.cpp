// Adam and its relatives, on gradients that are given or that come from a little graph.
#include <cstdio>
#include <map>

#include "conformance/adam_gradients.h"
#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/tolerances.h"
#include "nn/optimizer.h"

namespace attn::conformance {
namespace {

/// Which of the two places ε has: Keras' and the paper's last remark ("epsilon hat"), or PyTorch's.
nn::AdamForm form_of(LiteralCase& each) {
  const std::string note = each.text_or("note", "");
  const std::string form = each.text_or("form", "");
  if (form == "p -= lr/(1-b1^t) * m / (sqrt(v)/sqrt(1-b2^t) + eps)") return nn::AdamForm::pytorch;
  CONFORMANCE_REQUIRE(form.empty(), "form '%s' is not known", form.c_str());
  const bool hat = note.find("epsilon-hat") != std::string::npos ||
                   note.find("eps-hat") != std::string::npos ||
                   each.source().find("keras") != std::string::npos;
  return hat ? nn::AdamForm::keras : nn::AdamForm::pytorch;
}

nn::AdamOptions options_of(LiteralCase& each) {
  nn::AdamOptions options;
  options.form = form_of(each);
  options.learning_rate = each.number("lr");
  if (each.has_param("betas")) {
    const Array betas = each.list("betas");
    CONFORMANCE_REQUIRE(betas.extents == Extents{2}, "betas must be two numbers");
    options.beta1 = betas.values[0];
    options.beta2 = betas.values[1];
  } else {
    options.beta1 = each.number("beta1");
    options.beta2 = each.number("beta2");
  }
  options.epsilon = each.number("eps");
  options.amsgrad = each.flag_or("amsgrad", false);
  options.l2_penalty = each.number_or("weight_decay_l2", 0.0);
  options.weight_decay = each.number_or("weight_decay_decoupled", 0.0);
  const bool decoupled = each.flag_or("decoupled", each.kind() == "adamw");
  (decoupled ? options.weight_decay : options.l2_penalty) += each.number_or("weight_decay", 0.0);
  const core::Status valid = nn::validate(options);
  CONFORMANCE_REQUIRE(valid.ok(), "%s", valid.error().c_str());
  return options;
}

/// Parameters by name, and the optimiser's memory of them.
class Optimiser {
 public:
  Optimiser(const nn::AdamOptions& options, std::map<std::string, FloatArray>& parameters)
      : options_(options), parameters_(parameters) {}

  void step(const std::map<std::string, FloatArray>& gradients) {
    std::vector<nn::ParameterGradient> list;
    for (auto& [name, parameter] : parameters_) {
      const FloatArray& gradient = gradients.at(name);
      CONFORMANCE_REQUIRE(gradient.values.size() == parameter.values.size(), "gradient of '%s' has shape %s",
                          name.c_str(), to_string(gradient.extents).c_str());
      list.push_back({parameter.values, gradient.values});
    }
    nn::adam_step(options_, list, state_);
  }

  const nn::Moments& moments_of_first() const { return state_.moments.front(); }

 private:
  nn::AdamOptions options_;
  std::map<std::string, FloatArray>& parameters_;
  nn::AdamState state_;
};

/// One vector and its gradient at every step: p0 with grads_per_step, or x0 with grad, grad_step1, ….
void run_on_given_gradients(LiteralCase& each, const nn::AdamOptions& options) {
  const FloatArray start = each.floats(each.has_input("p0") ? "p0" : "x0");
  const std::vector<FloatArray> gradients = given_gradients(each);
  std::map<std::string, FloatArray> parameters = {{"p", start}};
  Optimiser optimiser(options, parameters);
  FloatArray trajectory(start.extents);
  trajectory.extents.insert(trajectory.extents.begin(), static_cast<int>(gradients.size()));
  trajectory.values.clear();
  int step = 0;
  for (const FloatArray& gradient : gradients) {
    optimiser.step({{"p", gradient}});
    const FloatArray& now = parameters.at("p");
    trajectory.values.insert(trajectory.values.end(), now.values.begin(), now.values.end());
    each.expect_if_given("x" + std::to_string(++step), now, kFloat32Operator);
  }
  each.expect_if_given("p_after_each_step", trajectory, kFloat32Operator);
  each.expect_if_given("x_after_each_step", trajectory, kFloat32Operator);
  each.expect_if_given("final_m", FloatArray(start.extents, optimiser.moments_of_first().first),
                       kFloat32Operator);
  each.expect_if_given("final_v", FloatArray(start.extents, optimiser.moments_of_first().second),
                       kFloat32Operator);
}

/// A graph with an input of its own at every step; the parameters are the names that are expected.
void run_on_graph(LiteralCase& each, const nn::AdamOptions& options) {
  GraphGradients graph(each);
  std::map<std::string, FloatArray> parameters = graph.parameters();
  Optimiser optimiser(options, parameters);
  for (int step = 0; step < graph.steps(); ++step) optimiser.step(graph.gradients(step, parameters));
  for (const auto& [name, parameter] : parameters) each.expect(name, parameter, kFloat32Operator);
}

}  // namespace

void kind_adam(LiteralCase& each) {
  const nn::AdamOptions options = options_of(each);
  if (each.has_param("graph")) return run_on_graph(each, options);
  run_on_given_gradients(each, options);
}

}  // namespace attn::conformance
