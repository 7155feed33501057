// Gather: rows of a table. TensorScatter: rows into a cache.
#include <algorithm>
#include <numeric>

#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "kernels/write_rows.h"
#include "tape/ops.h"

namespace attn::conformance {

OnnxOutputs onnx_gather(OnnxNode& node) {
  const FloatArray data = node.floats(0);
  const int rank = static_cast<int>(data.extents.size());
  const int axis = normalised_axis(node.int_attribute("axis", 0), rank);
  node.no_other_attributes();
  const Extents& index_extents = node.input(1).extents;
  const std::vector<int> indices = node.ints(1);

  // The gathered axis first: then it is a lookup of rows.
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + axis);
  order.insert(order.begin(), axis);
  const FloatArray table = transposed(data, order);
  const int count = table.extents[0];
  const int width = count == 0 ? 0 : static_cast<int>(table.values.size()) / count;
  core::Tensor tokens(core::Shape{static_cast<int>(indices.size())});
  for (std::size_t i = 0; i < indices.size(); ++i) {
    CONFORMANCE_REQUIRE(indices[i] >= -count && indices[i] < count, "index %d of %d", indices[i], count);
    tokens.flat()[i] = static_cast<float>(indices[i] < 0 ? indices[i] + count : indices[i]);
  }
  tape::Tape tape;
  const tape::Value rows = tape::lookup(tape, tape.leaf(table.view_as(core::Shape{count, width}), {}),
                                        tape.leaf(tokens.view(), {}), {});

  // (index axes, other axes) → the index axes where the gathered axis was.
  FloatArray y(tape.tensor(rows));
  y.extents = index_extents;
  y.extents.insert(y.extents.end(), table.extents.begin() + 1, table.extents.end());
  std::vector<int> back(y.extents.size());
  std::iota(back.begin(), back.end(), 0);
  std::rotate(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(index_extents.size()),
              back.begin() + static_cast<std::ptrdiff_t>(index_extents.size()) + axis);
  return {transposed(y, back)};
}

OnnxOutputs onnx_tensor_scatter(OnnxNode& node) {
  FloatArray cache = node.floats(0);
  const FloatArray update = node.floats(1);
  const int rank = static_cast<int>(cache.extents.size());
  const int axis = normalised_axis(node.int_attribute("axis", -2), rank);
  const std::string mode = node.text_attribute("mode", "linear");
  node.no_other_attributes();
  CONFORMANCE_REQUIRE(mode == "linear" || mode == "circular", "mode '%s' is not known", mode.c_str());
  Extents same_length = update.extents;
  CONFORMANCE_REQUIRE(axis > 0 && same_length.size() == cache.extents.size(), "axis %d of a batch", axis);
  same_length[static_cast<std::size_t>(axis)] = cache.extents[static_cast<std::size_t>(axis)];
  CONFORMANCE_REQUIRE(same_length == cache.extents, "an update of shape %s for a cache of %s",
                      to_string(update.extents).c_str(), to_string(cache.extents).c_str());
  const int batch = cache.extents[0];
  std::vector<int> first(static_cast<std::size_t>(batch), 0);
  if (node.has(2)) first = node.ints(2);
  CONFORMANCE_REQUIRE(first.size() == static_cast<std::size_t>(batch), "%zu write indices for %d sequences",
                      first.size(), batch);

  // (everything before the axis, rows, everything after it); the batch is the outermost of the first.
  const core::Shape to = around_axis(cache.extents, axis);
  const core::Shape from = around_axis(update.extents, axis);
  const bool circular = mode == "circular";
  for (int i = 0; i < to[0]; ++i) {
    const int at = first[static_cast<std::size_t>(i / (to[0] / batch))];
    CONFORMANCE_REQUIRE(at >= 0 && (circular ? at < to[1] : at + from[1] <= to[1]),
                        "%d rows from row %d on do not fit into %d", from[1], at, to[1]);
    kernels::write_rows(core::matrix_of(update.view_as(from), i), at,
                        circular ? kernels::CacheEnd::rolling : kernels::CacheEnd::fixed,
                        core::matrix_of(cache.values.data(), to, i));
  }
  return {cache};
}

}  // namespace attn::conformance
