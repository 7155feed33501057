// Kernels on rows once more, for any scalar type: log-softmax, RMS norm, rotary embedding, and their
// backward; see kernels/reference.h. Each works on one row.
#pragma once

#include "kernels/reference.h"

namespace attn::kernels::reference {

/// Index of the largest number; NaN is never the largest. The row must not be empty.
template <class Scalar>
std::size_t index_of_largest(std::span<const Scalar> x) {
  std::size_t largest = 0;
  for (std::size_t j = 1; j < x.size(); ++j)
    if (!(real_part(x[j]) <= real_part(x[largest])) && real_part(x[j]) == real_part(x[j])) largest = j;
  return largest;
}

template <class Scalar>
void log_softmax(std::span<const Scalar> x, std::span<Scalar> out) {
  if (x.empty()) return;
  const Scalar shift = x[index_of_largest(x)];
  StripedSum<Scalar> sum;
  for (std::size_t j = 0; j < x.size(); ++j) sum.add(j, exponential(x[j] - shift));
  for (std::size_t j = 0; j < x.size(); ++j) out[j] = x[j] - shift - logarithm(sum.total());
}

/// y = log_softmax(x): dx += dy - e^y * sum of dy.
template <class Scalar>
void log_softmax_backward(std::span<const Scalar> y, std::span<const Scalar> dy, std::span<Scalar> dx) {
  StripedSum<Scalar> sum;
  for (std::size_t j = 0; j < y.size(); ++j) sum.add(j, dy[j]);
  for (std::size_t j = 0; j < y.size(); ++j) dx[j] += dy[j] - exponential(y[j]) * sum.total();
}

template <class Scalar>
Scalar root_mean_square(std::span<const Scalar> x, Scalar epsilon) {
  StripedSum<Scalar> squares;
  for (std::size_t j = 0; j < x.size(); ++j) squares.add(j, x[j] * x[j]);
  using std::sqrt;
  return sqrt(squares.total() / static_cast<Scalar>(static_cast<float>(x.size())) + epsilon);
}

template <class Scalar>
void rms_norm(std::span<const Scalar> x, std::span<const Scalar> scale, Scalar epsilon,
              std::span<Scalar> out) {
  const Scalar rms = root_mean_square(x, epsilon);
  for (std::size_t j = 0; j < x.size(); ++j) out[j] = x[j] / rms * scale[j];
}

template <class Scalar>
void rms_norm_backward(std::span<const Scalar> x, std::span<const Scalar> scale, Scalar epsilon,
                       std::span<const Scalar> dy, std::span<Scalar> dx, std::span<Scalar> dscale) {
  const Scalar rms = root_mean_square(x, epsilon);
  StripedSum<Scalar> sum;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Scalar normalised = x[j] / rms;
    sum.add(j, dy[j] * scale[j] * normalised);
    dscale[j] += dy[j] * normalised;
  }
  const Scalar mean = sum.total() / static_cast<Scalar>(static_cast<float>(x.size()));
  for (std::size_t j = 0; j < x.size(); ++j) dx[j] += (dy[j] * scale[j] - x[j] / rms * mean) / rms;
}

/// Turns pair i = (first(i), second(i)) by the angle whose cosine and sine are given; the rest is copied.
/// `interleaved`: pairs are neighbours; otherwise the two halves of the turned part.
template <class Scalar>
void rope(std::span<const Scalar> x, std::span<const Scalar> cosines, std::span<const Scalar> sines,
          bool interleaved, std::span<Scalar> out) {
  const std::size_t half = cosines.size();
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t a = interleaved ? 2 * i : i;
    const std::size_t b = interleaved ? 2 * i + 1 : half + i;
    const Scalar x_a = x[a];
    const Scalar x_b = x[b];
    out[a] = x_a * cosines[i] - x_b * sines[i];
    out[b] = x_a * sines[i] + x_b * cosines[i];
  }
  for (std::size_t j = 2 * half; j < x.size(); ++j) out[j] = x[j];
}

template <class Scalar>
void rope_backward(std::span<const Scalar> dy, std::span<const Scalar> cosines, std::span<const Scalar> sines,
                   bool interleaved, std::span<Scalar> dx) {
  const std::size_t half = cosines.size();
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t a = interleaved ? 2 * i : i;
    const std::size_t b = interleaved ? 2 * i + 1 : half + i;
    dx[a] += dy[a] * cosines[i] + dy[b] * sines[i];
    dx[b] += dy[b] * cosines[i] - dy[a] * sines[i];
  }
  for (std::size_t j = 2 * half; j < dy.size(); ++j) dx[j] += dy[j];
}

}  // namespace attn::kernels::reference
