#include "conformance/onnx_case.h"

#include <algorithm>
#include <string_view>

#include "conformance/errors.h"
#include "conformance/formats.h"
#include "conformance/onnx_adapters.h"
#include "conformance/tolerances.h"
#include "conformance/unsupported.h"

namespace attn::conformance {
namespace {

struct Operator {
  std::string_view op;
  OnnxAdapter adapter;
  int first_opset;  // the version of the operator that the adapter implements
  int most_inputs;
};

constexpr int kVariadic = 1 << 20;

// clang-format off
constexpr Operator kOperators[] = {
    {"Adam", onnx_adam, 1, kVariadic},
    {"Attention", onnx_attention, 23, 7},
    {"Erf", onnx_erf, 9, 1},
    {"Gather", onnx_gather, 1, 2},
    {"Gelu", onnx_gelu, 20, 1},
    {"Gemm", onnx_gemm, 7, 3},
    {"LayerNormalization", onnx_layer_normalization, 17, 3},
    {"LogSoftmax", onnx_log_softmax, 13, 1},
    {"MatMul", onnx_matmul, 1, 2},
    {"NegativeLogLikelihoodLoss", onnx_negative_log_likelihood_loss, 12, 3},
    {"RMSNormalization", onnx_rms_normalization, 23, 2},
    {"Relu", onnx_relu, 6, 1},
    {"RotaryEmbedding", onnx_rotary_embedding, 23, 4},
    {"Sigmoid", onnx_sigmoid, 6, 1},
    {"Softmax", onnx_softmax, 13, 1},
    {"SoftmaxCrossEntropyLoss", onnx_softmax_cross_entropy_loss, 12, 3},
    {"Swish", onnx_swish, 24, 1},
    {"Tanh", onnx_tanh, 6, 1},
    {"TensorScatter", onnx_tensor_scatter, 24, 3},
};
// clang-format on

const Operator& operator_of(const OnnxNode& node) {
  const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [&](const Operator& each) { return each.op == node.op(); });
  CONFORMANCE_REQUIRE(found != std::end(kOperators), "no adapter for the operator %s", node.op().c_str());
  if (node.opset() < found->first_opset) unsupported("superseded opset");
  CONFORMANCE_REQUIRE(node.input_count() <= found->most_inputs, "%d inputs, %s has at most %d",
                      node.input_count(), node.op().c_str(), found->most_inputs);
  return *found;
}

/// What is known about the rounding of the figures comes first, then what ONNX's own runner allows.
Tolerance tolerance_of(const Json& document) {
  const Json& stated = document.contains("suggested_tolerance") ? document["suggested_tolerance"]
                                                                : member(document, "tolerance");
  return {number_of(stated, "atol"), number_of(stated, "rtol")};
}

const Json& tensor_named(const Json& tensors, const std::string& name) {
  for (const Json& tensor : tensors)
    if (tensor.is_object() && tensor.value("name", Json()) == name) return tensor;
  malformed("output '%s' has no tensor", name.c_str());
}

void run(const Json& document, Judge& judge) {
  OnnxNode node(document);
  const Operator& op = operator_of(node);
  const OnnxOutputs outputs = op.adapter(node);
  const Tolerance tolerance = tolerance_of(document);
  const Json& names = member(document, "node_outputs");
  const Json& tensors = member(document, "outputs");
  CONFORMANCE_REQUIRE(names.is_array() && tensors.is_array(), "'node_outputs' and 'outputs' must be lists");
  for (std::size_t i = 0; i < names.size(); ++i) {
    CONFORMANCE_REQUIRE(names[i].is_string(), "'node_outputs' must hold names");
    const std::string name = names[i].get<std::string>();
    if (name.empty()) continue;
    CONFORMANCE_REQUIRE(i < outputs.size() && outputs[i].has_value(),
                        "output %zu ('%s') of %s is not computed", i, name.c_str(), node.op().c_str());
    judge.expect(name, *outputs[i], array_of(tensor_named(tensors, name), "output '" + name + "'"),
                 tolerance);
  }
}

}  // namespace

Case onnx_case(const SourceFile& file, const Json& document) {
  const auto text = [&](const char* key, const std::string& fallback) {
    const auto found = document.find(key);
    return found != document.end() && found->is_string() ? found->get<std::string>() : fallback;
  };
  return {file.folder, text("op", "unknown"), text("name", file.path.stem().string()),
          [document](Judge& judge) { run(document, judge); }};
}

std::vector<Case> onnx_index_cases(const SourceFile& file, const Json& list) {
  int missing = 0;
  std::string first;
  for (const Json& entry : list) {
    const std::string name = text_of(entry, "file");
    if (std::filesystem::exists(file.path.parent_path() / name)) continue;
    if (++missing == 1) first = name;
  }
  if (missing == 0) return {};
  return {{file.folder, "index", file.path.filename().string(), [=](Judge& judge) {
             judge.expect_true(true, "");
             judge.remark(std::to_string(missing) + " files it names are not here, the first is " + first);
           }}};
}

}  // namespace attn::conformance
