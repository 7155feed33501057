// The backward of the row kernels and the accumulating products once more, for any scalar type: see
// kernels/reference.h.
#pragma once

#include "kernels/reference.h"

namespace attn::kernels::reference {

/// out (M, N) += a (M, K) b (K, N). K is a.size() / M.
template <class Scalar>
void add_matmul(std::span<const Scalar> a, std::span<const Scalar> b, std::size_t rows, std::size_t depth,
                std::size_t columns, std::span<Scalar> out) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < depth; ++k) out[i * columns + j] += a[i * depth + k] * b[k * columns + j];
}

/// out (M, N) += transpose of a (K, M) times b (K, N).
template <class Scalar>
void add_matmul_transposed(std::span<const Scalar> a, std::span<const Scalar> b, std::size_t rows,
                           std::size_t depth, std::size_t columns, std::span<Scalar> out) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < depth; ++k) out[i * columns + j] += a[k * rows + i] * b[k * columns + j];
}

/// One row: ds += w (dw - sum w dw), exactly 0 where w is 0.
template <class Scalar>
void softmax_backward(std::span<const Scalar> weights, std::span<const Scalar> dweights,
                      std::span<Scalar> dscores) {
  const auto product = [&](std::size_t j, Scalar slope) {
    return weights[j] != Scalar(0) ? weights[j] * slope : Scalar(0);
  };
  StripedSum<Scalar> sum;
  for (std::size_t j = 0; j < weights.size(); ++j) sum.add(j, product(j, dweights[j]));
  for (std::size_t j = 0; j < weights.size(); ++j) dscores[j] += product(j, dweights[j] - sum.total());
}

/// One row; adds to dx, dscale and dshift. The row must not be empty.
template <class Scalar>
void layer_norm_backward(std::span<const Scalar> x, std::span<const Scalar> scale, Scalar epsilon,
                         std::span<const Scalar> dy, std::span<Scalar> dx, std::span<Scalar> dscale,
                         std::span<Scalar> dshift) {
  const auto [mean, deviation] = row_statistics(x, epsilon);
  const Scalar size = static_cast<Scalar>(static_cast<float>(x.size()));
  StripedSum<Scalar> sum;
  StripedSum<Scalar> sum_with_normalised;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Scalar normalised = (x[j] - mean) / deviation;
    sum.add(j, dy[j] * scale[j]);
    sum_with_normalised.add(j, dy[j] * scale[j] * normalised);
    dscale[j] += dy[j] * normalised;
    dshift[j] += dy[j];
  }
  const Scalar mean_g = sum.total() / size;
  const Scalar mean_g_normalised = sum_with_normalised.total() / size;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Scalar normalised = (x[j] - mean) / deviation;
    dx[j] += ((dy[j] * scale[j] - mean_g) - normalised * mean_g_normalised) / deviation;
  }
}

}  // namespace attn::kernels::reference
