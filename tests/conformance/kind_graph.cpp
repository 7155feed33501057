// Gradients through a chain of operations that the case states as a formula.
#include "conformance/errors.h"
#include "conformance/graph.h"
#include "conformance/kinds.h"
#include "conformance/tolerances.h"

namespace attn::conformance {

void kind_autograd_chain(LiteralCase& each) {
  std::map<std::string, FloatArray> inputs;
  for (const std::string& name : each.input_names()) inputs[name] = each.floats(name);
  Graph graph(inputs, {});
  graph.run(statements_of(each.text("graph")));
  constexpr std::string_view kGradient = "grad_";
  for (const std::string& name : each.expected_names()) {
    const std::string of = name.starts_with(kGradient) ? name.substr(kGradient.size()) : "";
    CONFORMANCE_REQUIRE(inputs.contains(of), "expectation '%s' is not known", name.c_str());
    each.expect(name, graph.gradient(of), kFloat32Operator);
  }
}

}  // namespace attn::conformance
