// Dense float32 tensors, row-major and contiguous, and the views that kernels and tape ops work on.
//
// `Tensor` owns its values. Views point into a Tensor or into a Tape and are passed, never stored beyond the
// owner's life. `Matrix`/`ConstMatrix` add a row stride, which is how a head is addressed inside (T, D).
#pragma once

#include <span>
#include <vector>

#include "core/shape.h"

namespace attn::core {

/// A read-only contiguous tensor that somebody else owns.
struct TensorView {
  const float* values = nullptr;
  Shape shape;

  int size() const { return shape.size(); }
  std::span<const float> flat() const { return {values, static_cast<std::size_t>(size())}; }
};

/// Rows of equal length, `stride` floats apart. Read-only.
struct ConstMatrix {
  const float* values = nullptr;
  int rows = 0;
  int columns = 0;
  int stride = 0;

  const float* row(int index) const { return values + static_cast<std::ptrdiff_t>(index) * stride; }
};

/// As ConstMatrix, writable.
struct Matrix {
  float* values = nullptr;
  int rows = 0;
  int columns = 0;
  int stride = 0;

  float* row(int index) const { return values + static_cast<std::ptrdiff_t>(index) * stride; }
  operator ConstMatrix() const { return {values, rows, columns, stride}; }
};

/// An owning tensor, zero-initialised.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Shape shape) : shape_(shape), values_(static_cast<std::size_t>(shape.size()), 0.0f) {}

  const Shape& shape() const { return shape_; }
  int size() const { return static_cast<int>(values_.size()); }
  float* values() { return values_.data(); }
  const float* values() const { return values_.data(); }
  std::span<float> flat() { return values_; }
  std::span<const float> flat() const { return values_; }
  TensorView view() const { return {values_.data(), shape_}; }

 private:
  Shape shape_;
  std::vector<float> values_;
};

/// A rank-2 tensor as a matrix.
inline ConstMatrix as_matrix(TensorView tensor) {
  ATTN_CHECK(tensor.shape.rank() == 2);
  return {tensor.values, tensor.shape[0], tensor.shape[1], tensor.shape[1]};
}

/// A tensor of any rank as the rows of its last axis: (B, T, D) as (B·T, D), (D) as (1, D).
inline ConstMatrix as_rows(TensorView tensor) {
  ATTN_CHECK(tensor.shape.rank() >= 1);
  return {tensor.values, tensor.shape.leading_size(1), tensor.shape[-1], tensor.shape[-1]};
}

/// The same for memory to be written.
inline Matrix as_rows(float* values, const Shape& shape) {
  ATTN_CHECK(shape.rank() >= 1);
  return {values, shape.leading_size(1), shape[-1], shape[-1]};
}

/// Matrix `index` of a tensor of rank 2 to 4: its last two axes, all axes before them counted as one.
inline ConstMatrix matrix_of(TensorView tensor, int index) {
  const int rows = tensor.shape[-2];
  const int columns = tensor.shape[-1];
  return {tensor.values + static_cast<std::ptrdiff_t>(index) * rows * columns, rows, columns, columns};
}

/// The same for memory to be written.
inline Matrix matrix_of(float* values, const Shape& shape, int index) {
  const int rows = shape[-2];
  const int columns = shape[-1];
  return {values + static_cast<std::ptrdiff_t>(index) * rows * columns, rows, columns, columns};
}

/// Rows [first, first + count) of a rank-2 tensor, e.g. W_k inside in_proj_weight (3D, D).
inline TensorView rows_of(TensorView tensor, int first, int count) {
  ATTN_CHECK(tensor.shape.rank() == 2 && first >= 0 && count >= 0 && first + count <= tensor.shape[0]);
  return {tensor.values + static_cast<std::ptrdiff_t>(first) * tensor.shape[1],
          Shape{count, tensor.shape[1]}};
}

/// Elements [first, first + count) of a rank-1 tensor, e.g. the key part of in_proj_bias (3D).
inline TensorView slice_of(TensorView tensor, int first, int count) {
  ATTN_CHECK(tensor.shape.rank() == 1 && first >= 0 && count >= 0 && first + count <= tensor.shape[0]);
  return {tensor.values + first, Shape{count}};
}

}  // namespace attn::core
