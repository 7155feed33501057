// Ops whose rows don't meet each other: lookup, linear, add, layer norm, activations.
#include <algorithm>
#include <cstddef>

#include "kernels/elementwise.h"
#include "kernels/layer_norm.h"
#include "tape/ops.h"

namespace attn::tape {
namespace {

using core::Shape;
using core::TensorView;

std::span<float> allocate_like(Tape& tape, const TensorView& x) {
  const auto count = static_cast<std::size_t>(x.size());
  return {tape.allocate(count), count};
}

}  // namespace

Value lookup(Tape& tape, Value table, Value tokens, Label label) {
  const TensorView rows = tape.tensor(table);
  const TensorView ids = tape.tensor(tokens);
  ATTN_CHECK(rows.shape.rank() == 2 && ids.shape.rank() == 1);
  const int length = ids.shape[0];
  const int width = rows.shape[1];
  float* out = tape.allocate(static_cast<std::size_t>(length) * static_cast<std::size_t>(width));
  for (int t = 0; t < length; ++t) {
    const int id = static_cast<int>(ids.values[t]);
    ATTN_CHECK(id >= 0 && id < rows.shape[0]);
    std::copy_n(rows.values + static_cast<std::ptrdiff_t>(id) * width, width,
                out + static_cast<std::ptrdiff_t>(t) * width);
  }
  return tape.append(Op::lookup, {table, tokens}, {out, Shape{length, width}}, label);
}

Value linear(Tape& tape, Value x, Value weight, Value bias, const kernels::PackedMatrix& packed,
             Label label) {
  const TensorView input = tape.tensor(x);
  const TensorView w = tape.tensor(weight);
  ATTN_CHECK(input.shape.rank() == 2 && w.shape.rank() == 2 && input.shape[1] == w.shape[1]);
  ATTN_CHECK(packed.rows == w.shape[1] && packed.columns == w.shape[0]);
  const int length = input.shape[0];
  const int out_width = w.shape[0];
  float* out = tape.allocate(static_cast<std::size_t>(length) * static_cast<std::size_t>(out_width));
  kernels::linear(core::as_matrix(input), packed, tape.tensor(bias).flat(),
                  {out, length, out_width, out_width});
  return tape.append(Op::linear, {x, weight, bias}, {out, Shape{length, out_width}}, label);
}

Value add(Tape& tape, Value a, Value b, Label label) {
  const TensorView left = tape.tensor(a);
  const TensorView right = tape.tensor(b);
  ATTN_CHECK(left.shape == right.shape);
  const std::span<float> out = allocate_like(tape, left);
  kernels::add(left.flat(), right.flat(), out);
  return tape.append(Op::add, {a, b}, {out.data(), left.shape}, label);
}

Value layer_norm(Tape& tape, Value x, Value scale, Value shift, float epsilon, Label label) {
  const TensorView input = tape.tensor(x);
  const core::ConstMatrix rows = core::as_matrix(input);
  const std::span<float> out = allocate_like(tape, input);
  kernels::layer_norm(rows, tape.tensor(scale).flat(), tape.tensor(shift).flat(), epsilon,
                      {out.data(), rows.rows, rows.columns, rows.columns});
  return tape.append(Op::layer_norm, {x, scale, shift}, {out.data(), input.shape}, label, epsilon);
}

Value relu(Tape& tape, Value x, Label label) {
  const TensorView input = tape.tensor(x);
  const std::span<float> out = allocate_like(tape, input);
  kernels::relu(input.flat(), out);
  return tape.append(Op::relu, {x}, {out.data(), input.shape}, label);
}

Value gelu(Tape& tape, Value x, Label label) {
  const TensorView input = tape.tensor(x);
  const std::span<float> out = allocate_like(tape, input);
  kernels::gelu(input.flat(), out);
  return tape.append(Op::gelu, {x}, {out.data(), input.shape}, label);
}

}  // namespace attn::tape
