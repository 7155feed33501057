// The kernels once more, written to be read: plain loops, one formula each, for any scalar type.
//
// For float they give the same bits as the fast versions (the tests ask for that), for double they are the
// reference for accuracy, and for std::complex<double> they carry a derivative in the imaginary part
// (complex-step differentiation: f(x + ih) = f(x) + ih f'(x)). Tensors are contiguous and row-major. For what
// is promised about masks, rounding and sources see the header of each fast version. More of
// them: reference_activation.h, reference_rows.h.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>

#include "kernels/scalar_math.h"

namespace attn::kernels::reference {

// The few functions that differ between scalar types.

inline float real_part(float x) { return x; }
inline double real_part(double x) { return x; }
inline double real_part(std::complex<double> x) { return x.real(); }

inline float exponential(float x) { return kernels::exp(x); }
inline double exponential(double x) { return std::exp(x); }
inline std::complex<double> exponential(std::complex<double> x) { return std::exp(x); }

inline float logarithm(float x) { return static_cast<float>(kernels::log(static_cast<double>(x))); }
inline double logarithm(double x) { return std::log(x); }
inline std::complex<double> logarithm(std::complex<double> x) { return std::log(x); }

inline float error_function(float x) { return kernels::erf(x); }
inline double error_function(double x) { return std::erf(x); }
/// First order in the imaginary part, which is all that a complex step needs.
inline std::complex<double> error_function(std::complex<double> x) {
  const double slope = 2.0 * std::numbers::inv_sqrtpi * std::exp(-x.real() * x.real());
  return {std::erf(x.real()), slope * x.imag()};
}

inline float hyperbolic_tangent(float x) { return kernels::tanh(x); }
inline double hyperbolic_tangent(double x) { return std::tanh(x); }
inline std::complex<double> hyperbolic_tangent(std::complex<double> x) { return std::tanh(x); }

/// A sum in the order the kernels use: four lanes by index, then (0 + 1) + (2 + 3).
template <class Scalar>
class StripedSum {
 public:
  void add(std::size_t index, Scalar value) { lanes_[index % 4] += value; }
  Scalar total() const { return (lanes_[0] + lanes_[1]) + (lanes_[2] + lanes_[3]); }

 private:
  Scalar lanes_[4] = {};
};

/// out (M, N) = a (M, K) b (K, N) + bias (N); an empty bias adds nothing. K is a.size() / M.
template <class Scalar>
void linear(std::span<const Scalar> a, std::span<const Scalar> b, std::span<const Scalar> bias,
            std::size_t rows, std::size_t depth, std::size_t columns, std::span<Scalar> out) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      Scalar sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * columns + j];
      out[i * columns + j] = bias.empty() ? sum : sum + bias[j];
    }
  }
}

/// out (M, N) = a (M, K) b (K, N).
template <class Scalar>
void matmul(std::span<const Scalar> a, std::span<const Scalar> b, std::size_t rows, std::size_t depth,
            std::size_t columns, std::span<Scalar> out) {
  linear<Scalar>(a, b, {}, rows, depth, columns, out);
}

/// One row. `visible` (0 or not 0) has the size of `scores` or is empty: all visible. `weights` may be
/// `scores`.
template <class Scalar>
void masked_softmax(std::span<const Scalar> scores, std::span<const Scalar> visible,
                    std::span<Scalar> weights) {
  const auto may_see = [&](std::size_t j) { return visible.empty() || visible[j] != Scalar(0); };
  const std::size_t columns = scores.size();
  std::size_t first = columns;  // visible column
  std::size_t largest = columns;
  for (std::size_t j = 0; j < columns; ++j) {
    if (!may_see(j)) continue;
    if (first == columns) first = j;
    if (largest == columns || real_part(scores[j]) > real_part(scores[largest])) largest = j;
  }
  if (largest == columns) {
    for (Scalar& weight : weights) weight = 0;
    return;
  }
  const Scalar shift = scores[largest];
  StripedSum<Scalar> sum;
  for (std::size_t j = 0; j < columns; ++j) {
    weights[j] = may_see(j) ? exponential(scores[j] - shift) : Scalar(0);
    if (j >= first) sum.add(j - first, weights[j]);
  }
  for (std::size_t j = 0; j < columns; ++j) {
    if (may_see(j)) weights[j] = weights[j] / sum.total();
  }
}

template <class Scalar>
struct Statistics {
  Scalar mean;
  Scalar deviation;
};

/// What layer_norm shifts and divides a row by.
template <class Scalar>
Statistics<Scalar> row_statistics(std::span<const Scalar> x, Scalar epsilon) {
  const Scalar size = static_cast<Scalar>(static_cast<float>(x.size()));
  StripedSum<Scalar> sum;
  for (std::size_t j = 0; j < x.size(); ++j) sum.add(j, x[j]);
  const Scalar mean = sum.total() / size;
  StripedSum<Scalar> squares;
  for (std::size_t j = 0; j < x.size(); ++j) squares.add(j, (x[j] - mean) * (x[j] - mean));
  using std::sqrt;
  return {mean, sqrt(squares.total() / size + epsilon)};
}

/// One row; out may be x. The row must not be empty.
template <class Scalar>
void layer_norm(std::span<const Scalar> x, std::span<const Scalar> scale, std::span<const Scalar> shift,
                Scalar epsilon, std::span<Scalar> out) {
  const auto [mean, deviation] = row_statistics(x, epsilon);
  for (std::size_t j = 0; j < x.size(); ++j) out[j] = (x[j] - mean) / deviation * scale[j] + shift[j];
}

}  // namespace attn::kernels::reference
