// LayerNormalization and RMSNormalization: over all axes from `axis` on, as one row.
#include <algorithm>

#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "kernels/layer_norm.h"
#include "kernels/rms_norm.h"

namespace attn::conformance {
namespace {

/// The tensor cut into rows at an axis.
struct Rows {
  int count = 1;
  int length = 1;
  Extents outer;  // extents before the axis, 1 from there on: of the means and deviations
  Extents inner;  // extents from the axis on: of scale and shift
};

Rows rows_at(const Extents& extents, int axis) {
  Rows rows;
  for (int i = 0; i < static_cast<int>(extents.size()); ++i) {
    const int extent = extents[static_cast<std::size_t>(i)];
    (i < axis ? rows.count : rows.length) *= extent;
    rows.outer.push_back(i < axis ? extent : 1);
    if (i >= axis) rows.inner.push_back(extent);
  }
  CONFORMANCE_REQUIRE(rows.length > 0, "normalisation of rows without values");
  return rows;
}

/// The type the statistics are computed in: float32 is what the engine has, and what float16 inputs ask for.
void check_stash_type(OnnxNode& node) {
  constexpr int kFloat32 = 1;
  const int type = node.int_attribute("stash_type", kFloat32);
  CONFORMANCE_REQUIRE(type == kFloat32, "stash_type %d is not known", type);
}

}  // namespace

OnnxOutputs onnx_layer_normalization(OnnxNode& node) {
  const FloatArray x = node.floats(0);
  const int axis = normalised_axis(node.int_attribute("axis", -1), static_cast<int>(x.extents.size()));
  const float epsilon = static_cast<float>(node.float_attribute("epsilon", 1e-5));
  check_stash_type(node);
  node.no_other_attributes();
  const Rows rows = rows_at(x.extents, axis);
  const FloatArray scale = broadcast_to(node.floats(1), rows.inner);
  const FloatArray shift = node.has(2) ? broadcast_to(node.floats(2), rows.inner) : FloatArray(rows.inner);

  FloatArray y(x.extents);
  const core::ConstMatrix matrix{x.values.data(), rows.count, rows.length, rows.length};
  kernels::layer_norm(matrix, scale.values, shift.values, epsilon,
                      {y.values.data(), rows.count, rows.length, rows.length});
  FloatArray mean(rows.outer);
  FloatArray inverse_deviation(rows.outer);
  for (int i = 0; i < rows.count; ++i) {
    const kernels::RowStatistics row =
        kernels::row_statistics({matrix.row(i), static_cast<std::size_t>(rows.length)}, epsilon);
    mean.values[static_cast<std::size_t>(i)] = row.mean;
    inverse_deviation.values[static_cast<std::size_t>(i)] =
        1.0f / row.deviation;  // ONNX's form of the number
  }
  return {y, mean, inverse_deviation};
}

OnnxOutputs onnx_rms_normalization(OnnxNode& node) {
  const FloatArray x = node.floats(0);
  const int axis = normalised_axis(node.int_attribute("axis", -1), static_cast<int>(x.extents.size()));
  const float epsilon = static_cast<float>(node.float_attribute("epsilon", 1e-5));
  check_stash_type(node);
  node.no_other_attributes();
  const Rows rows = rows_at(x.extents, axis);
  const FloatArray scale = broadcast_to(node.floats(1), rows.inner);
  FloatArray y(x.extents);
  kernels::rms_norm({x.values.data(), rows.count, rows.length, rows.length}, scale.values, epsilon,
                    {y.values.data(), rows.count, rows.length, rows.length});
  return {y};
}

}  // namespace attn::conformance
