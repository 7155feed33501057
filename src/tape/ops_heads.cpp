// Splitting features into heads and merging them again: copies.
#include <cstddef>

#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {
namespace {

using core::Shape;

/// The extents of B sequences of H heads; B is the product of all leading axes.
struct Heads {
  int batch, n_heads, length, d;
};

/// Calls `copy(place in (B, T, H·d), place in (B, H, T, d), d)` for every row of every head.
template <class Copy>
void for_each_row(const Heads& heads, Copy copy) {
  std::ptrdiff_t in_heads = 0;
  for (int b = 0; b < heads.batch; ++b)
    for (int h = 0; h < heads.n_heads; ++h)
      for (int t = 0; t < heads.length; ++t, in_heads += heads.d) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(b) * heads.length + t;
        copy((row * heads.n_heads + h) * heads.d, in_heads, heads.d);
      }
}

Heads heads_of(const Shape& split) { return {split.leading_size(3), split[-3], split[-2], split[-1]}; }

}  // namespace

Value split_heads(Tape& tape, Value x, int n_heads, Label label) {
  const core::TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() >= 2 && n_heads > 0 && input.shape[-1] % n_heads == 0);
  Shape shape;
  for (int axis = 0; axis < input.shape.rank() - 2; ++axis) shape.append(input.shape[axis]);
  shape.append(n_heads);
  shape.append(input.shape[-2]);
  shape.append(input.shape[-1] / n_heads);
  float* out = tape.allocate(shape);
  for_each_row(heads_of(shape), [&](std::ptrdiff_t merged, std::ptrdiff_t split, int d) {
    for (int i = 0; i < d; ++i) out[split + i] = input.values[merged + i];
  });
  return tape.append(Op::split_heads, {x}, {out, shape}, label);
}

void split_heads_backward(BackwardContext& at) {
  const core::TensorView dy = at.output_gradient();
  float* dx = at.input_gradient(0).data();
  for_each_row(heads_of(dy.shape), [&](std::ptrdiff_t merged, std::ptrdiff_t split, int d) {
    for (int i = 0; i < d; ++i) dx[merged + i] += dy.values[split + i];
  });
}

Value merge_heads(Tape& tape, Value x, Label label) {
  const core::TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() >= 3);
  Shape shape;
  for (int axis = 0; axis < input.shape.rank() - 3; ++axis) shape.append(input.shape[axis]);
  shape.append(input.shape[-2]);
  shape.append(input.shape[-3] * input.shape[-1]);
  float* out = tape.allocate(shape);
  for_each_row(heads_of(input.shape), [&](std::ptrdiff_t merged, std::ptrdiff_t split, int d) {
    for (int i = 0; i < d; ++i) out[merged + i] = input.values[split + i];
  });
  return tape.append(Op::merge_heads, {x}, {out, shape}, label);
}

void merge_heads_backward(BackwardContext& at) {
  const core::TensorView dy = at.output_gradient();
  float* dx = at.input_gradient(0).data();
  for_each_row(heads_of(at.input(0).shape), [&](std::ptrdiff_t merged, std::ptrdiff_t split, int d) {
    for (int i = 0; i < d; ++i) dx[split + i] += dy.values[merged + i];
  });
}

}  // namespace attn::tape
