// Ops in which rows meet: heads, scores, softmax, context.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/matmul.h"
#include "kernels/softmax.h"
#include "tape/ops.h"

namespace attn::tape {
namespace {

using core::ConstMatrix;
using core::Matrix;
using core::Shape;
using core::TensorView;

/// Matrix `head` of a (H, rows, columns) tensor.
ConstMatrix head_of(const TensorView& tensor, int head) {
  const int rows = tensor.shape[1];
  const int columns = tensor.shape[2];
  return {tensor.values + static_cast<std::ptrdiff_t>(head) * rows * columns, rows, columns, columns};
}

Matrix head_of(float* values, int head, int rows, int columns) {
  return {values + static_cast<std::ptrdiff_t>(head) * rows * columns, rows, columns, columns};
}

float* allocate(Tape& tape, const Shape& shape) {
  return tape.allocate(static_cast<std::size_t>(shape.size()));
}

}  // namespace

Value split_heads(Tape& tape, Value x, int n_heads, Label label) {
  const TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() == 2 && n_heads > 0 && input.shape[1] % n_heads == 0);
  const int length = input.shape[0];
  const int width = input.shape[1];
  const int d = width / n_heads;
  const Shape shape{n_heads, length, d};
  float* out = allocate(tape, shape);
  for (int h = 0; h < n_heads; ++h)
    for (int t = 0; t < length; ++t)
      std::copy_n(input.values + static_cast<std::ptrdiff_t>(t) * width + h * d, d,
                  out + (static_cast<std::ptrdiff_t>(h) * length + t) * d);
  return tape.append(Op::split_heads, {x}, {out, shape}, label);
}

Value merge_heads(Tape& tape, Value x, Label label) {
  const TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() == 3);
  const int n_heads = input.shape[0];
  const int length = input.shape[1];
  const int d = input.shape[2];
  const Shape shape{length, n_heads * d};
  float* out = allocate(tape, shape);
  for (int h = 0; h < n_heads; ++h)
    for (int t = 0; t < length; ++t)
      std::copy_n(input.values + (static_cast<std::ptrdiff_t>(h) * length + t) * d, d,
                  out + static_cast<std::ptrdiff_t>(t) * n_heads * d + h * d);
  return tape.append(Op::merge_heads, {x}, {out, shape}, label);
}

Value scores(Tape& tape, Value query, Value key, Label label) {
  const TensorView q = tape.tensor(query);
  const TensorView k = tape.tensor(key);
  ATTN_CHECK(q.shape.rank() == 3 && k.shape.rank() == 3 && q.shape[0] == k.shape[0] &&
             q.shape[2] == k.shape[2]);
  const int n_heads = q.shape[0];
  const int targets = q.shape[1];
  const int sources = k.shape[1];
  const int d_k = q.shape[2];
  const Shape shape{n_heads, targets, sources};
  const float divisor = std::sqrt(static_cast<float>(d_k));
  float* out = allocate(tape, shape);
  // Keys across the lanes: one head's keys transposed, (d_k, S).
  float* transposed = tape.allocate(static_cast<std::size_t>(d_k) * static_cast<std::size_t>(sources));
  for (int h = 0; h < n_heads; ++h) {
    const ConstMatrix keys = head_of(k, h);
    for (int s = 0; s < sources; ++s)
      for (int d = 0; d < d_k; ++d) transposed[static_cast<std::ptrdiff_t>(d) * sources + s] = keys.row(s)[d];
    kernels::matmul(head_of(q, h), ConstMatrix{transposed, d_k, sources, sources},
                    head_of(out, h, targets, sources));
  }
  for (int i = 0; i < shape.size(); ++i) out[i] /= divisor;
  return tape.append(Op::scores, {query, key}, {out, shape}, label, divisor);
}

Value softmax(Tape& tape, Value scores_value, Value mask, Label label) {
  const TensorView s = tape.tensor(scores_value);
  const TensorView visible = tape.tensor(mask);
  ATTN_CHECK(s.shape.rank() == 3 && visible.shape.rank() == 2);
  ATTN_CHECK(s.shape[1] == visible.shape[0] && s.shape[2] == visible.shape[1]);
  float* out = allocate(tape, s.shape);
  for (int h = 0; h < s.shape[0]; ++h)
    kernels::masked_softmax(head_of(s, h), core::as_matrix(visible), head_of(out, h, s.shape[1], s.shape[2]));
  return tape.append(Op::softmax, {scores_value, mask}, {out, s.shape}, label);
}

Value context(Tape& tape, Value weights, Value value, Label label) {
  const TensorView w = tape.tensor(weights);
  const TensorView v = tape.tensor(value);
  ATTN_CHECK(w.shape.rank() == 3 && v.shape.rank() == 3 && w.shape[0] == v.shape[0] &&
             w.shape[2] == v.shape[1]);
  const Shape shape{w.shape[0], w.shape[1], v.shape[2]};
  float* out = allocate(tape, shape);
  for (int h = 0; h < shape[0]; ++h)
    kernels::matmul(head_of(w, h), head_of(v, h), head_of(out, h, shape[1], shape[2]));
  return tape.append(Op::context, {weights, value}, {out, shape}, label);
}

}  // namespace attn::tape
