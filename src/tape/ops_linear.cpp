// Lookup and linear: rows times a table.
#include <algorithm>
#include <cstddef>

#include "kernels/matmul_accumulate.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {

using core::Shape;
using core::TensorView;

Value lookup(Tape& tape, Value table, Value tokens, Label label) {
  const TensorView rows = tape.tensor(table);
  const TensorView ids = tape.tensor(tokens);
  ATTN_CHECK(rows.shape.rank() == 2 && ids.shape.rank() >= 1);
  const int width = rows.shape[1];
  Shape shape = ids.shape;
  shape.append(width);
  float* out = tape.allocate(shape);
  for (int t = 0; t < ids.size(); ++t) {
    const int id = static_cast<int>(ids.values[t]);
    ATTN_CHECK(id >= 0 && id < rows.shape[0]);
    std::copy_n(rows.values + static_cast<std::ptrdiff_t>(id) * width, width,
                out + static_cast<std::ptrdiff_t>(t) * width);
  }
  return tape.append(Op::lookup, {table, tokens}, {out, shape}, label);
}

void lookup_backward(BackwardContext& at) {
  const TensorView ids = at.input(1);
  const core::ConstMatrix dy = core::as_rows(at.output_gradient());
  const std::span<float> d_table = at.input_gradient(0);
  for (int t = 0; t < dy.rows; ++t) {
    float* row = d_table.data() + static_cast<std::ptrdiff_t>(ids.values[t]) * dy.columns;
    for (int j = 0; j < dy.columns; ++j) row[j] += dy.row(t)[j];
  }
}

Value linear(Tape& tape, Value x, Value weight, Value bias, const kernels::PackedMatrix& packed,
             Label label) {
  const TensorView input = tape.tensor(x);
  const TensorView w = tape.tensor(weight);
  ATTN_CHECK(input.shape.rank() >= 1 && w.shape.rank() == 2 && input.shape[-1] == w.shape[1]);
  ATTN_CHECK(packed.rows == w.shape[1] && packed.columns == w.shape[0]);
  const Shape shape = input.shape.with(-1, w.shape[0]);
  float* out = tape.allocate(shape);
  kernels::linear(core::as_rows(input), packed,
                  bias.valid() ? tape.tensor(bias).flat() : std::span<const float>(),
                  core::as_rows(out, shape));
  return tape.append(Op::linear, {x, weight, bias}, {out, shape}, label);
}

/// dx += dy·W, dW += dyᵀ·x, db += the sum of dy's rows, in the order of the rows.
void linear_backward(BackwardContext& at) {
  const core::ConstMatrix x = core::as_rows(at.input(0));
  const core::ConstMatrix weight = core::as_matrix(at.input(1));
  const core::ConstMatrix dy = core::as_rows(at.output_gradient());
  kernels::add_matmul(dy, weight, core::as_rows(at.input_gradient(0).data(), at.input(0).shape));
  kernels::add_matmul_transposed(dy, x, core::as_rows(at.input_gradient(1).data(), at.input(1).shape));
  if (at.has_input(2)) kernels::add_column_sums(dy, at.input_gradient(2));
}

}  // namespace attn::tape
