// Ops in which elements don't meet each other: add, subtract, division of rows, scale, activations, softcap.
#include <cstddef>

#include "kernels/activation.h"
#include "kernels/elementwise.h"
#include "tape/broadcast.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {
namespace {

using core::TensorView;

std::span<float> allocate_like(Tape& tape, const TensorView& x) {
  return {tape.allocate(x.shape), static_cast<std::size_t>(x.size())};
}

/// A function of one input.
template <auto kernel>
Value apply(Tape& tape, Op op, Value x, Label label) {
  const TensorView input = tape.tensor(x);
  const std::span<float> out = allocate_like(tape, input);
  kernel(input.flat(), out);
  return tape.append(op, {x}, {out.data(), input.shape}, label);
}

template <auto kernel>
void apply_backward(BackwardContext& at) {
  kernel(at.input(0).flat(), at.output_gradient().flat(), at.input_gradient(0));
}

}  // namespace

Value add(Tape& tape, Value a, Value b, Label label) {
  const TensorView left = tape.tensor(a);
  const TensorView right = tape.tensor(b);
  const std::span<float> out = allocate_like(tape, left);
  if (left.shape == right.shape) {
    kernels::add(left.flat(), right.flat(), out);
  } else {
    const BroadcastRows rows(right.shape, left.shape);
    const core::ConstMatrix x = core::as_rows(left);
    float* to = out.data();
    for (int row = 0; row < x.rows; ++row) {
      const float* from = right.values + rows.offset(row);
      for (int j = 0; j < x.columns; ++j) *to++ = x.row(row)[j] + from[j * rows.column_step()];
    }
  }
  return tape.append(Op::add, {a, b}, {out.data(), left.shape}, label);
}

void add_backward(BackwardContext& at) {
  const TensorView dy = at.output_gradient();
  const TensorView b = at.input(1);
  const std::span<float> da = at.input_gradient(0);
  kernels::add(da, dy.flat(), da);
  const std::span<float> db = at.input_gradient(1);
  if (b.shape == dy.shape) return kernels::add(db, dy.flat(), db);
  const BroadcastRows rows(b.shape, dy.shape);
  const core::ConstMatrix d_rows = core::as_rows(dy);
  for (int row = 0; row < d_rows.rows; ++row) {
    float* to = db.data() + rows.offset(row);
    for (int j = 0; j < d_rows.columns; ++j) to[j * rows.column_step()] += d_rows.row(row)[j];
  }
}

Value subtract(Tape& tape, Value a, Value b, Label label) {
  const TensorView left = tape.tensor(a);
  const TensorView right = tape.tensor(b);
  ATTN_CHECK(left.shape == right.shape);
  const std::span<float> out = allocate_like(tape, left);
  kernels::subtract(left.flat(), right.flat(), out);
  return tape.append(Op::subtract, {a, b}, {out.data(), left.shape}, label);
}

void subtract_backward(BackwardContext& at) {
  const std::span<const float> dy = at.output_gradient().flat();
  const std::span<float> da = at.input_gradient(0);
  kernels::add(da, dy, da);
  const std::span<float> db = at.input_gradient(1);
  kernels::subtract(db, dy, db);
}

Value divide_rows(Tape& tape, Value x, Value divisors, Label label) {
  const TensorView input = tape.tensor(x);
  const TensorView by = tape.tensor(divisors);
  ATTN_CHECK(input.shape.rank() >= 1 && by.size() == input.shape.leading_size(1));
  const std::span<float> out = allocate_like(tape, input);
  const int width = input.shape[-1];
  for (int i = 0; i < input.size(); ++i)
    out[static_cast<std::size_t>(i)] = input.values[i] / by.values[i / width];
  return tape.append(Op::divide_rows, {x, divisors}, {out.data(), input.shape}, label);
}

void divide_rows_backward(BackwardContext& at) {
  const TensorView dy = at.output_gradient();
  const TensorView y = at.output();
  const TensorView by = at.input(1);
  const std::span<float> dx = at.input_gradient(0);
  const std::span<float> d_by = at.input_gradient(1);
  const int width = dy.shape[-1];
  for (int i = 0; i < dy.size(); ++i) {
    const int row = i / width;
    dx[static_cast<std::size_t>(i)] += dy.values[i] / by.values[row];
    d_by[static_cast<std::size_t>(row)] -= dy.values[i] * y.values[i] / by.values[row];
  }
}

Value relu(Tape& tape, Value x, Label label) { return apply<kernels::relu>(tape, Op::relu, x, label); }
void relu_backward(BackwardContext& at) { apply_backward<kernels::relu_backward>(at); }

Value gelu(Tape& tape, Value x, Label label) { return apply<kernels::gelu>(tape, Op::gelu, x, label); }
void gelu_backward(BackwardContext& at) { apply_backward<kernels::gelu_backward>(at); }

Value gelu_tanh(Tape& tape, Value x, Label label) {
  return apply<kernels::gelu_tanh>(tape, Op::gelu_tanh, x, label);
}
void gelu_tanh_backward(BackwardContext& at) { apply_backward<kernels::gelu_tanh_backward>(at); }

Value silu(Tape& tape, Value x, Label label) { return apply<kernels::silu>(tape, Op::silu, x, label); }
void silu_backward(BackwardContext& at) { apply_backward<kernels::silu_backward>(at); }

Value tanh(Tape& tape, Value x, Label label) { return apply<kernels::tanh>(tape, Op::tanh, x, label); }
void tanh_backward(BackwardContext& at) { apply_backward<kernels::tanh_backward>(at); }

Value sigmoid(Tape& tape, Value x, Label label) {
  return apply<kernels::sigmoid>(tape, Op::sigmoid, x, label);
}
void sigmoid_backward(BackwardContext& at) { apply_backward<kernels::sigmoid_backward>(at); }

Value scale(Tape& tape, Value x, float factor, Label label) {
  const TensorView input = tape.tensor(x);
  const std::span<float> out = allocate_like(tape, input);
  kernels::scale(input.flat(), factor, out);
  return tape.append(Op::scale, {x}, {out.data(), input.shape}, label, {factor});
}

void scale_backward(BackwardContext& at) {
  kernels::scale_backward(at.constants()[0], at.output_gradient().flat(), at.input_gradient(0));
}

Value softcap(Tape& tape, Value x, float cap, Label label) {
  const TensorView input = tape.tensor(x);
  ATTN_CHECK(cap > 0.0f);
  const std::span<float> out = allocate_like(tape, input);
  kernels::softcap(input.flat(), cap, out);
  return tape.append(Op::softcap, {x}, {out.data(), input.shape}, label, {cap});
}

void softcap_backward(BackwardContext& at) {
  kernels::softcap_backward(at.input(0).flat(), at.constants()[0], at.output_gradient().flat(),
                            at.input_gradient(0));
}

}  // namespace attn::tape
