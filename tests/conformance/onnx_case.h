// One ONNX operator case as its adapter sees it: inputs and outputs by formal position, attributes with the
// operator's defaults. An attribute that the adapter did not ask for is malformed, so nothing is ignored.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/array.h"
#include "conformance/json_tensor.h"

namespace attn::conformance {

class OnnxNode {
 public:
  /// Reads "op", "opset", "attrs", "node_inputs" and "inputs".
  explicit OnnxNode(const Json& document);

  const std::string& op() const { return op_; }
  int opset() const { return opset_; }

  // ---- Inputs by formal position.
  int input_count() const { return static_cast<int>(inputs_.size()); }
  bool has(int position) const;
  /// Absent is malformed.
  const Array& input(int position) const;
  FloatArray floats(int position) const;
  std::vector<int> ints(int position) const;

  // ---- Attributes; each getter marks its attribute as known.
  bool has_attribute(const char* name);
  int int_attribute(const char* name, int fallback);
  double float_attribute(const char* name, double fallback);
  std::string text_attribute(const char* name, const char* fallback);
  /// Malformed when an attribute was given that no getter asked for.
  void no_other_attributes() const;

 private:
  std::string op_;
  int opset_ = 0;
  Json attributes_;
  std::set<std::string> known_;
  std::vector<std::optional<Array>> inputs_;
};

/// What an adapter computed, by formal position; an empty slot was not computed.
using OnnxOutputs = std::vector<std::optional<FloatArray>>;

/// Computes all outputs of a node. Throws Malformed for anything that doesn't fit.
using OnnxAdapter = OnnxOutputs (*)(OnnxNode&);

}  // namespace attn::conformance
