// Operators that treat every element alone.
#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "conformance/unsupported.h"
#include "kernels/activation.h"
#include "kernels/scalar_math.h"

namespace attn::conformance {
namespace {

FloatArray input_of(OnnxNode& node) {
  if (node.input(0).is_integer()) unsupported("integer arithmetic");
  return node.floats(0);
}

template <class Function>
OnnxOutputs elementwise(OnnxNode& node, Function&& function) {
  node.no_other_attributes();
  const FloatArray x = input_of(node);
  FloatArray y(x.extents);
  function(x.values, y.values);
  return {y};
}

}  // namespace

OnnxOutputs onnx_relu(OnnxNode& node) {
  return elementwise(node, [](auto& x, auto& y) { kernels::relu(x, y); });
}

OnnxOutputs onnx_erf(OnnxNode& node) {
  return elementwise(node, [](auto& x, auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = kernels::erf(x[i]);
  });
}

OnnxOutputs onnx_gelu(OnnxNode& node) {
  const std::string approximate = node.text_attribute("approximate", "none");
  if (approximate == "none") return elementwise(node, [](auto& x, auto& y) { kernels::gelu(x, y); });
  if (approximate == "tanh") return elementwise(node, [](auto& x, auto& y) { kernels::gelu_tanh(x, y); });
  malformed("approximate '%s' is not known", approximate.c_str());
}

OnnxOutputs onnx_tanh(OnnxNode& node) {
  return elementwise(node, [](auto& x, auto& y) { kernels::tanh(x, y); });
}

OnnxOutputs onnx_sigmoid(OnnxNode& node) {
  return elementwise(node, [](auto& x, auto& y) { kernels::sigmoid(x, y); });
}

/// x·sigmoid(αx) = silu(αx) / α: α only scales on the way in and out.
OnnxOutputs onnx_swish(OnnxNode& node) {
  const float alpha = static_cast<float>(node.float_attribute("alpha", 1.0));
  CONFORMANCE_REQUIRE(alpha != 0.0f, "alpha is 0");
  return elementwise(node, [alpha](auto& x, auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = alpha * x[i];
    kernels::silu(y, y);
    for (float& value : y) value /= alpha;
  });
}

}  // namespace attn::conformance
