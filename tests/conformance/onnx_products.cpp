// MatMul and Gemm.
#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "conformance/unsupported.h"
#include "kernels/matmul.h"
#include "tape/ops.h"

namespace attn::conformance {
namespace {

FloatArray factor(OnnxNode& node, int position) {
  if (node.input(position).is_integer()) unsupported("integer arithmetic");
  return node.floats(position);
}

/// The extents before the last two axes.
Extents batch_of(const Extents& extents) { return {extents.begin(), extents.end() - 2}; }

Extents with_matrix(Extents batch, int rows, int columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

}  // namespace

OnnxOutputs onnx_matmul(OnnxNode& node) {
  node.no_other_attributes();
  FloatArray a = factor(node, 0);
  FloatArray b = factor(node, 1);
  CONFORMANCE_REQUIRE(!a.extents.empty() && !b.extents.empty(), "MatMul of a scalar");
  // As numpy.matmul: a vector on the left is a row, on the right a column, and that axis is taken off again.
  const bool row = a.extents.size() == 1;
  const bool column = b.extents.size() == 1;
  if (row) a.extents.insert(a.extents.begin(), 1);
  if (column) b.extents.push_back(1);
  const int rows = a.extents[a.extents.size() - 2];
  const int depth = a.extents.back();
  const int columns = b.extents.back();
  CONFORMANCE_REQUIRE(b.extents[b.extents.size() - 2] == depth, "MatMul of %s and %s",
                      to_string(a.extents).c_str(), to_string(b.extents).c_str());
  const Extents batch = broadcast_extents(batch_of(a.extents), batch_of(b.extents));
  a = broadcast_to(a, with_matrix(batch, rows, depth));
  b = broadcast_to(b, with_matrix(batch, depth, columns));

  FloatArray y(with_matrix(batch, rows, columns));
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(size_of(batch)); ++i)
    kernels::matmul(core::ConstMatrix{a.values.data() + i * rows * depth, rows, depth, depth},
                    core::ConstMatrix{b.values.data() + i * depth * columns, depth, columns, columns},
                    core::Matrix{y.values.data() + i * rows * columns, rows, columns, columns});
  if (column) y.extents.pop_back();
  if (row) y.extents.erase(y.extents.end() - (column ? 1 : 2));
  return {y};
}

/// A·B is what attention does with queries and keys: its divisor is 1/alpha, and C a bias of its scores,
/// which beta only scales on the way in.
OnnxOutputs onnx_gemm(OnnxNode& node) {
  const float alpha = static_cast<float>(node.float_attribute("alpha", 1.0));
  const float beta = static_cast<float>(node.float_attribute("beta", 1.0));
  const bool transpose_a = node.int_attribute("transA", 0) != 0;
  const bool transpose_b = node.int_attribute("transB", 0) != 0;
  node.no_other_attributes();
  FloatArray a = factor(node, 0);
  FloatArray b = factor(node, 1);
  CONFORMANCE_REQUIRE(a.extents.size() == 2 && b.extents.size() == 2, "Gemm of %s and %s",
                      to_string(a.extents).c_str(), to_string(b.extents).c_str());
  if (transpose_a) a = transposed(a, {1, 0});
  if (!transpose_b) b = transposed(b, {1, 0});  // (N, K)
  CONFORMANCE_REQUIRE(a.extents[1] == b.extents[1], "Gemm over %d and %d elements", a.extents[1],
                      b.extents[1]);
  const core::Shape shape{1, a.extents[0], b.extents[0]};

  tape::Tape tape;
  const tape::Value left = tape.leaf(a.view_as(core::Shape{1, a.extents[0], a.extents[1]}), {});
  const tape::Value right = tape.leaf(b.view_as(core::Shape{1, b.extents[0], b.extents[1]}), {});
  tape::Value y = tape::scores(tape, left, right, 1.0f / alpha, {});
  if (node.has(2)) {
    FloatArray c = broadcast_to(factor(node, 2), extents_of(shape));
    for (float& value : c.values) value *= beta;
    y = tape::add(tape, y, tape.leaf(c.view(), {}), {});
  }
  FloatArray result(tape.tensor(y));
  result.extents.erase(result.extents.begin());
  return {result};
}

}  // namespace attn::conformance
