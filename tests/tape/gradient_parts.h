// What the gradient tests share: parts of flat arrays, and broadcasting written a second time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "tape/tape.h"

namespace attn::test {

using Values = std::vector<tape::Value>;

inline std::size_t count(int n) { return static_cast<std::size_t>(n); }

template <class Scalar>
std::span<const Scalar> part(const std::vector<Scalar>& all, int first, int size) {
  return std::span<const Scalar>(all).subspan(count(first), count(size));
}

template <class Scalar>
std::span<Scalar> part(std::vector<Scalar>& all, int first, int size) {
  return std::span<Scalar>(all).subspan(count(first), count(size));
}

template <class Scalar>
std::vector<Scalar> transposed(std::span<const Scalar> x, int rows, int columns) {
  std::vector<Scalar> result(x.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) result[count(j * rows + i)] = x[count(i * columns + j)];
  return result;
}

/// Element of a mask repeated to fill `shape`, written without tape/broadcast.h.
inline float repeated(const core::Tensor& mask, const core::Shape& shape, int flat) {
  int offset = 0;
  int stride = 1;
  for (int axis = 1; axis <= shape.rank(); ++axis) {
    const int index = flat % shape[-axis];
    flat /= shape[-axis];
    if (axis > mask.shape().rank()) continue;
    if (mask.shape()[-axis] > 1) offset += index * stride;
    stride *= mask.shape()[-axis];
  }
  return mask.values()[offset];
}

}  // namespace attn::test
