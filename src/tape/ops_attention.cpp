// Ops in which rows meet: scores, softmax, context.
#include <cmath>
#include <cstddef>

#include "kernels/matmul.h"
#include "kernels/matmul_accumulate.h"
#include "kernels/softmax.h"
#include "tape/broadcast.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {
namespace {

using core::ConstMatrix;
using core::Matrix;
using core::matrix_of;
using core::Shape;
using core::TensorView;

/// Queries of Hq heads, keys or values of Hkv heads, in B sequences: which matrix goes with which.
struct HeadGroups {
  int count;  // B·Hq, matrices on the query's side
  int group;  // Hq/Hkv query heads share one key head

  int key_matrix(int query_matrix) const { return query_matrix / group; }
};

/// Checks that shapes (…, Hq, ·, ·) and (…, Hkv, ·, ·) go together. Since group divides Hq, matrix b·Hq + h
/// goes with b·Hkv + h/group = (b·Hq + h)/group.
HeadGroups groups_of(const Shape& query, const Shape& key) {
  ATTN_CHECK(query.rank() >= 3 && key.rank() == query.rank());
  ATTN_CHECK(query.leading_size(3) == key.leading_size(3));
  const int query_heads = query[-3];
  const int key_heads = key[-3];
  ATTN_CHECK(key_heads > 0 ? query_heads % key_heads == 0 : query_heads == 0);
  return {query.leading_size(2), key_heads > 0 ? query_heads / key_heads : 1};
}

/// to (columns, rows) = the transpose of from (rows, columns): lanes run across keys.
void transpose(ConstMatrix from, float* to) {
  for (int i = 0; i < from.rows; ++i)
    for (int j = 0; j < from.columns; ++j)
      to[static_cast<std::ptrdiff_t>(j) * from.rows + i] = from.row(i)[j];
}

}  // namespace

float root_of_width(const Tape& tape, Value query) {
  return std::sqrt(static_cast<float>(tape.tensor(query).shape[-1]));
}

Value scores(Tape& tape, Value query, Value key, float divisor, Label label) {
  const TensorView q = tape.tensor(query);
  const TensorView k = tape.tensor(key);
  const HeadGroups heads = groups_of(q.shape, k.shape);
  const int d_k = q.shape[-1];
  const int sources = k.shape[-2];
  ATTN_CHECK(k.shape[-1] == d_k);
  const Shape shape = q.shape.with(-1, sources);
  float* out = tape.allocate(shape);
  float* transposed = tape.allocate(Shape{d_k, sources});
  for (int i = 0; i < heads.count; ++i) {
    if (i % heads.group == 0) transpose(matrix_of(k, heads.key_matrix(i)), transposed);
    kernels::matmul(matrix_of(q, i), ConstMatrix{transposed, d_k, sources, sources},
                    matrix_of(out, shape, i));
  }
  const int count = shape.size();
  for (int i = 0; i < count; ++i) out[i] /= divisor;
  return tape.append(Op::scores, {query, key}, {out, shape}, label, {divisor});
}

/// With ds' = ds/divisor: dq += ds'·k, dk += ds'ᵀ·q. A masked score has ds = 0 and changes nothing.
void scores_backward(BackwardContext& at) {
  const TensorView q = at.input(0);
  const TensorView k = at.input(1);
  const TensorView ds = at.output_gradient();
  const HeadGroups heads = groups_of(q.shape, k.shape);
  const std::span<float> dq = at.input_gradient(0);
  const std::span<float> dk = at.input_gradient(1);
  const float divisor = at.constants()[0];
  const int targets = q.shape[-2];
  const int sources = k.shape[-2];
  float* divided = at.scratch(Shape{targets, sources});
  for (int i = 0; i < heads.count; ++i) {
    const ConstMatrix from = matrix_of(ds, i);
    for (int j = 0; j < targets * sources; ++j) divided[j] = from.values[j] / divisor;
    const ConstMatrix scaled{divided, targets, sources, sources};
    const int key_matrix = heads.key_matrix(i);
    kernels::add_matmul(scaled, matrix_of(k, key_matrix), matrix_of(dq.data(), q.shape, i));
    kernels::add_matmul_transposed(scaled, matrix_of(q, i), matrix_of(dk.data(), k.shape, key_matrix));
  }
}

Value softmax(Tape& tape, Value scores_value, Value mask, Label label) {
  const TensorView s = tape.tensor(scores_value);
  ATTN_CHECK(s.shape.rank() >= 2);
  float* out = tape.allocate(s.shape);
  const int targets = s.shape[-2];
  const int sources = s.shape[-1];
  const int count = s.shape.leading_size(2);
  if (mask.valid()) {
    const TensorView visible = tape.tensor(mask);
    ATTN_CHECK(visible.shape.rank() >= 1 && visible.shape[-1] == sources);
    const BroadcastRows rows(visible.shape, s.shape);
    const int row_step = visible.shape.rank() >= 2 && visible.shape[-2] > 1 ? sources : 0;
    for (int i = 0; i < count; ++i)
      kernels::masked_softmax(matrix_of(s, i),
                              {visible.values + rows.offset(i * targets), targets, sources, row_step},
                              matrix_of(out, s.shape, i));
  } else {
    kernels::masked_softmax(core::as_rows(s), {}, core::as_rows(out, s.shape));
  }
  return tape.append(Op::softmax, {scores_value, mask}, {out, s.shape}, label);
}

void softmax_backward(BackwardContext& at) {
  const TensorView weights = at.output();
  kernels::softmax_backward(core::as_rows(weights), core::as_rows(at.output_gradient()),
                            core::as_rows(at.input_gradient(0).data(), weights.shape));
}

Value context(Tape& tape, Value weights, Value value, Label label) {
  const TensorView w = tape.tensor(weights);
  const TensorView v = tape.tensor(value);
  const HeadGroups heads = groups_of(w.shape, v.shape);
  ATTN_CHECK(w.shape[-1] == v.shape[-2]);
  const Shape shape = w.shape.with(-1, v.shape[-1]);
  float* out = tape.allocate(shape);
  for (int i = 0; i < heads.count; ++i)
    kernels::matmul(matrix_of(w, i), matrix_of(v, heads.key_matrix(i)), matrix_of(out, shape, i));
  return tape.append(Op::context, {weights, value}, {out, shape}, label);
}

/// dw += dy·vᵀ, dv += wᵀ·dy.
void context_backward(BackwardContext& at) {
  const TensorView w = at.input(0);
  const TensorView v = at.input(1);
  const TensorView dy = at.output_gradient();
  const HeadGroups heads = groups_of(w.shape, v.shape);
  const std::span<float> dw = at.input_gradient(0);
  const std::span<float> dv = at.input_gradient(1);
  const int sources = v.shape[-2];
  const int d_v = v.shape[-1];
  float* transposed = at.scratch(Shape{d_v, sources});
  for (int i = 0; i < heads.count; ++i) {
    const int value_matrix = heads.key_matrix(i);
    if (i % heads.group == 0) transpose(matrix_of(v, value_matrix), transposed);
    const ConstMatrix d_row = matrix_of(dy, i);
    kernels::add_matmul(d_row, ConstMatrix{transposed, d_v, sources, sources},
                        matrix_of(dw.data(), w.shape, i));
    kernels::add_matmul_transposed(matrix_of(w, i), d_row, matrix_of(dv.data(), v.shape, value_matrix));
  }
}

}  // namespace attn::tape
