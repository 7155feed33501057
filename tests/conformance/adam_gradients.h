// Where the gradients of an optimiser case come from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/graph.h"
#include "conformance/literal_case.h"

namespace attn::conformance {

/// One gradient a step: "grads_per_step" (steps, …), "grad" for one step, or "grad_step1",
/// "grad_step2_to_5" for the steps they name.
std::vector<FloatArray> given_gradients(LiteralCase& each);

/// A graph with the parameters that the case expects, evaluated anew at every step. Inputs of a step are
/// "X_per_step" (steps, …), or X for "steps" steps, or said in the text: "X at step i (1..50) =
/// full([2,6], 0.1*i)". Parameters are inputs or constants of the text ("b=0").
class GraphGradients {
 public:
  explicit GraphGradients(LiteralCase& each);

  int steps() const { return steps_; }
  const std::map<std::string, FloatArray>& parameters() const { return parameters_; }

  /// dL/d(parameter) by name at step 0, 1, …
  std::map<std::string, FloatArray> gradients(int step,
                                              const std::map<std::string, FloatArray>& parameters) const;

 private:
  void set_steps(int steps, const char* what);

  std::vector<Statement> statements_;
  std::map<std::string, FloatArray> parameters_;
  std::map<std::string, FloatArray> constant_inputs_;
  std::map<std::string, std::vector<FloatArray>> inputs_per_step_;
  int steps_ = 0;
};

}  // namespace attn::conformance
