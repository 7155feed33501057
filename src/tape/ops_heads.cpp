// Copies: splitting features into heads and merging them again, transposing, rows after rows. And the mean of
// heads.
#include <algorithm>
#include <cstddef>

#include "tape/broadcast.h"
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

namespace {

/// Calls copy(place in (…, R, C), place in (…, C, R)) for every element.
template <class Copy>
void for_each_transposed(const Shape& shape, Copy copy) {
  const std::ptrdiff_t rows = shape[-2];
  const std::ptrdiff_t columns = shape[-1];
  for (std::ptrdiff_t matrix = 0; matrix < shape.leading_size(2); ++matrix)
    for (std::ptrdiff_t i = 0; i < rows; ++i)
      for (std::ptrdiff_t j = 0; j < columns; ++j)
        copy((matrix * rows + i) * columns + j, (matrix * columns + j) * rows + i);
}

}  // namespace

Value mean_heads(Tape& tape, Value x, Label label) {
  const core::TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() >= 3 && input.shape[-3] > 0);
  const int n_heads = input.shape[-3];
  const Shape shape = input.shape.with(-3, 1);
  const int size = shape[-2] * shape[-1];
  float* out = tape.allocate(shape);
  for (int i = 0; i < shape.size(); ++i) {
    const float* first = input.values + static_cast<std::ptrdiff_t>(i / size) * n_heads * size + i % size;
    float sum = 0.0f;
    for (int h = 0; h < n_heads; ++h) sum += first[static_cast<std::ptrdiff_t>(h) * size];
    out[i] = sum / static_cast<float>(n_heads);
  }
  return tape.append(Op::mean_heads, {x}, {out, shape}, label);
}

void mean_heads_backward(BackwardContext& at) {
  const core::TensorView dy = at.output_gradient();
  const std::span<float> dx = at.input_gradient(0);
  const int n_heads = at.input(0).shape[-3];
  const int size = dy.shape[-2] * dy.shape[-1];
  for (int i = 0; i < static_cast<int>(dx.size()); ++i)
    dx[static_cast<std::size_t>(i)] +=
        dy.values[i / (n_heads * size) * size + i % size] / static_cast<float>(n_heads);
}

Value transpose(Tape& tape, Value x, Label label) {
  const core::TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() >= 2);
  const Shape shape = input.shape.with(-2, input.shape[-1]).with(-1, input.shape[-2]);
  float* out = tape.allocate(shape);
  for_each_transposed(input.shape,
                      [&](std::ptrdiff_t from, std::ptrdiff_t to) { out[to] = input.values[from]; });
  return tape.append(Op::transpose, {x}, {out, shape}, label);
}

void transpose_backward(BackwardContext& at) {
  const core::TensorView dy = at.output_gradient();
  float* dx = at.input_gradient(0).data();
  for_each_transposed(dy.shape, [&](std::ptrdiff_t from, std::ptrdiff_t to) { dx[to] += dy.values[from]; });
}

namespace {

/// Calls copy_a(offset in a, offset in the result, count) and copy_b(…) for every matrix of the result.
template <class CopyA, class CopyB>
void for_each_part(const Shape& a, const Shape& b, const Shape& result, CopyA copy_a, CopyB copy_b) {
  const BroadcastRows b_rows(b, result.with(-2, b[-2]));
  const std::ptrdiff_t a_size = static_cast<std::ptrdiff_t>(a[-2]) * a[-1];
  const std::ptrdiff_t b_size = static_cast<std::ptrdiff_t>(b[-2]) * b[-1];
  const int count = result.leading_size(2);
  for (int i = 0; i < count; ++i) {
    copy_a(i * a_size, i * (a_size + b_size), a_size);
    if (b_size > 0) copy_b(b_rows.offset(i * b[-2]), i * (a_size + b_size) + a_size, b_size);
  }
}

}  // namespace

Value concatenate(Tape& tape, Value a, Value b, Label label) {
  const core::TensorView first = tape.tensor(a);
  const core::TensorView second = tape.tensor(b);
  ATTN_CHECK(first.shape.rank() >= 2 && second.shape.rank() >= 2 && first.shape[-1] == second.shape[-1]);
  const Shape shape = first.shape.with(-2, first.shape[-2] + second.shape[-2]);
  float* out = tape.allocate(shape);
  const auto copy_from = [&](const float* values) {
    return [=](std::ptrdiff_t from, std::ptrdiff_t to, std::ptrdiff_t count) {
      std::copy_n(values + from, count, out + to);
    };
  };
  for_each_part(first.shape, second.shape, shape, copy_from(first.values), copy_from(second.values));
  return tape.append(Op::concatenate, {a, b}, {out, shape}, label);
}

void concatenate_backward(BackwardContext& at) {
  const core::TensorView dy = at.output_gradient();
  const auto add_to = [&](float* gradient) {
    return [=](std::ptrdiff_t to, std::ptrdiff_t from, std::ptrdiff_t count) {
      for (std::ptrdiff_t i = 0; i < count; ++i) gradient[to + i] += dy.values[from + i];
    };
  };
  for_each_part(at.input(0).shape, at.input(1).shape, dy.shape, add_to(at.input_gradient(0).data()),
                add_to(at.input_gradient(1).data()));
}

}  // namespace attn::tape
