#include <algorithm>

#include "conformance/errors.h"
#include "conformance/onnx_case.h"

namespace attn::conformance {

OnnxNode::OnnxNode(const Json& document)
    : op_(text_of(document, "op")),
      opset_(int_of(document, "opset")),
      attributes_(member(document, "attrs")) {
  CONFORMANCE_REQUIRE(attributes_.is_object(), "'attrs' is not an object");
  const Json& names = member(document, "node_inputs");
  const Json& tensors = member(document, "inputs");
  CONFORMANCE_REQUIRE(names.is_array() && tensors.is_array(), "'node_inputs' and 'inputs' must be lists");
  for (const Json& name : names) {
    CONFORMANCE_REQUIRE(name.is_string(), "'node_inputs' must hold names");
    if (name == "") {
      inputs_.emplace_back();
      continue;
    }
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Json& tensor) {
      return tensor.is_object() && tensor.value("name", Json()) == name;
    });
    CONFORMANCE_REQUIRE(found != tensors.end(), "input '%s' has no tensor", name.get<std::string>().c_str());
    inputs_.emplace_back(array_of(*found, "input '" + name.get<std::string>() + "'"));
  }
}

bool OnnxNode::has(int position) const {
  return position < input_count() && inputs_[static_cast<std::size_t>(position)].has_value();
}

const Array& OnnxNode::input(int position) const {
  CONFORMANCE_REQUIRE(has(position), "input %d is missing", position);
  return *inputs_[static_cast<std::size_t>(position)];
}

FloatArray OnnxNode::floats(int position) const {
  return floats_of(input(position), ("input " + std::to_string(position)).c_str());
}

std::vector<int> OnnxNode::ints(int position) const {
  return ints_of(input(position), ("input " + std::to_string(position)).c_str());
}

bool OnnxNode::has_attribute(const char* name) {
  known_.insert(name);
  return attributes_.contains(name);
}

int OnnxNode::int_attribute(const char* name, int fallback) {
  return has_attribute(name) ? int_of(attributes_, name) : fallback;
}

double OnnxNode::float_attribute(const char* name, double fallback) {
  return has_attribute(name) ? number_of(attributes_, name) : fallback;
}

std::string OnnxNode::text_attribute(const char* name, const char* fallback) {
  return has_attribute(name) ? text_of(attributes_, name) : fallback;
}

void OnnxNode::no_other_attributes() const {
  for (const auto& [name, value] : attributes_.items())
    CONFORMANCE_REQUIRE(known_.contains(name), "attribute '%s' of %s is not known", name.c_str(),
                        op_.c_str());
}

}  // namespace attn::conformance
