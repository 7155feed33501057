#include "nn/positions.h"

#include "core/check.h"
#include "kernels/scalar_math.h"

namespace attn::nn {
namespace {

/// base^(-numerator / denominator).
double frequency(double base, int numerator, int denominator) {
  return kernels::exp(-kernels::log(base) * static_cast<double>(numerator) /
                      static_cast<double>(denominator));
}

}  // namespace

double sinusoid_frequency(int i, int width, const SinusoidOptions& options) {
  if (options.frequencies == SinusoidFrequencies::paper) return frequency(options.base, 2 * i, width);
  const int n_sines = width / 2;
  return frequency(options.base, i, n_sines > 1 ? n_sines - 1 : 1);
}

void fill_sinusoids(int first, const SinusoidOptions& options, core::Matrix table) {
  ATTN_CHECK(options.base > 0.0);
  const int width = table.columns;
  const bool paper = options.frequencies == SinusoidFrequencies::paper;
  const bool interleaved = options.layout == SinusoidLayout::interleaved;
  const int n_cosines = width / 2;
  const int n_sines = paper ? width - n_cosines : n_cosines;
  for (int i = 0; i < n_sines; ++i) {
    const int sine_column = interleaved ? 2 * i : i;
    const int cosine_column = interleaved ? 2 * i + 1 : n_sines + i;
    const double f = sinusoid_frequency(i, width, options);
    for (int row = 0; row < table.rows; ++row) {
      const double angle = static_cast<double>(first + row) * f;
      table.row(row)[sine_column] = static_cast<float>(kernels::sin(angle));
      if (i < n_cosines) table.row(row)[cosine_column] = static_cast<float>(kernels::cos(angle));
    }
  }
  if (n_sines + n_cosines == width) return;
  for (int row = 0; row < table.rows; ++row) table.row(row)[width - 1] = 0.0f;
}

void fill_rotary(std::span<const int> positions, double base, core::Matrix cosines, core::Matrix sines) {
  ATTN_CHECK(base > 0.0 && cosines.columns == sines.columns);
  ATTN_CHECK(static_cast<int>(positions.size()) == cosines.rows && cosines.rows == sines.rows);
  for (int i = 0; i < cosines.columns; ++i) {
    const double f = frequency(base, i, cosines.columns);
    for (int row = 0; row < cosines.rows; ++row) {
      const double angle = static_cast<double>(positions[static_cast<std::size_t>(row)]) * f;
      cosines.row(row)[i] = static_cast<float>(kernels::cos(angle));
      sines.row(row)[i] = static_cast<float>(kernels::sin(angle));
    }
  }
}

}  // namespace attn::nn
