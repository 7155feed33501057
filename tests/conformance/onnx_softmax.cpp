// Softmax and LogSoftmax over one axis.
#include "conformance/onnx_adapters.h"
#include "kernels/softmax_axis.h"

namespace attn::conformance {
namespace {

using Kernel = void (*)(core::TensorView, int, std::span<float>);

OnnxOutputs over_axis(OnnxNode& node, Kernel kernel) {
  const FloatArray x = node.floats(0);
  const int axis = normalised_axis(node.int_attribute("axis", -1), static_cast<int>(x.extents.size()));
  node.no_other_attributes();
  FloatArray y(x.extents);
  kernel(x.view_as(around_axis(x.extents, axis)), 1, y.values);
  return {y};
}

}  // namespace

OnnxOutputs onnx_softmax(OnnxNode& node) { return over_axis(node, kernels::softmax); }
OnnxOutputs onnx_log_softmax(OnnxNode& node) { return over_axis(node, kernels::log_softmax); }

}  // namespace attn::conformance
