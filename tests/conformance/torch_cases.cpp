// literals.json of PyTorch's tests.
#include "conformance/errors.h"
#include "conformance/formats.h"
#include "conformance/tolerances.h"
#include "conformance/torch_modules.h"

namespace attn::conformance {
namespace {

void run(const Json& weights, const Json& object, Judge& judge) {
  std::map<std::string, FloatArray> state;
  for (const auto& [name, tensor] : weights.items())
    state.emplace(name, floats_of(array_of(tensor, "weight '" + name + "'"), name.c_str()));
  std::map<std::string, Array> inputs;
  for (const auto& [name, tensor] : member(object, "inputs").items())
    inputs.emplace(name, array_of(tensor, "input '" + name + "'"));
  const TorchModule module = torch_module(text_of(object, "module"), member(object, "config"), state);
  const TorchModuleResult result = run_torch_module(module, inputs);
  const Array expected = array_of(member(object, "expected"), "expected");
  if (result.has_empty_row) {
    judge.expect_where_defined("output", result.output, expected, kTorchLiterals, false);
  } else {
    judge.expect("output", result.output, expected, kTorchLiterals);
  }
}

}  // namespace

std::vector<Case> torch_module_cases(const SourceFile& file, const Json& document) {
  const Json& weights = member(document, "weights");
  std::vector<Case> cases;
  for (const Json& object : member(document, "cases")) {
    const auto text = [&](const char* key) {
      return object.is_object() && object.contains(key) && object[key].is_string()
                 ? object[key].get<std::string>()
                 : std::string("unknown");
    };
    const std::string key = text("weights");
    if (!weights.contains(key)) {
      cases.push_back({file.folder, text("module"), text("id"),
                       [key](Judge&) { malformed("weights '%s' are not in the file", key.c_str()); }});
      continue;
    }
    cases.push_back({file.folder, text("module"), text("id"),
                     [state = weights[key], object](Judge& judge) { run(state, object, judge); }});
  }
  return cases;
}

}  // namespace attn::conformance
