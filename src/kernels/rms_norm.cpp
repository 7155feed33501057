#include "kernels/rms_norm.h"

#include <cmath>

#include "core/check.h"
#include "kernels/each_element.h"

namespace attn::kernels {

float root_mean_square(std::span<const float> row, float epsilon) {
  ATTN_CHECK(!row.empty());
  F32x4 squares = zero();
  for_each_vector(static_cast<int>(row.size()), [&](auto get, auto, int j) {
    const F32x4 values = get(row.data() + j);
    squares = squares + values * values;
  });
  return std::sqrt(sum_of_lanes(squares) / static_cast<float>(row.size()) + epsilon);
}

void rms_norm(core::ConstMatrix x, std::span<const float> scale, float epsilon, core::Matrix out) {
  ATTN_CHECK(out.rows == x.rows && out.columns == x.columns);
  const auto width = static_cast<std::size_t>(x.columns);
  ATTN_CHECK(scale.size() == width);
  if (width == 0) return;
  for (int row = 0; row < x.rows; ++row) {
    const float* from = x.row(row);
    float* to = out.row(row);
    const F32x4 rms = splat(root_mean_square({from, width}, epsilon));
    for_each_vector(x.columns, [&](auto get, auto put, int j) {
      put(to + j, get(from + j) / rms * get(scale.data() + j));
    });
  }
}

void rms_norm_backward(core::ConstMatrix x, std::span<const float> scale, float epsilon, core::ConstMatrix dy,
                       core::Matrix dx, std::span<float> dscale) {
  const int columns = x.columns;
  ATTN_CHECK(dy.rows == x.rows && dy.columns == columns && dx.rows == x.rows && dx.columns == columns);
  const auto width = static_cast<std::size_t>(columns);
  ATTN_CHECK(scale.size() == width && dscale.size() == width);
  if (columns == 0) return;
  const F32x4 size = splat(static_cast<float>(columns));
  for (int row = 0; row < x.rows; ++row) {
    const float* values = x.row(row);
    const float* slopes = dy.row(row);
    float* to = dx.row(row);
    const F32x4 rms = splat(root_mean_square({values, width}, epsilon));
    F32x4 sum = zero();
    for_each_vector(columns, [&](auto get, auto put, int j) {
      const F32x4 normalised = get(values + j) / rms;
      const F32x4 slope = get(slopes + j);
      sum = sum + slope * get(scale.data() + j) * normalised;
      put(dscale.data() + j, get(dscale.data() + j) + slope * normalised);
    });
    const F32x4 mean = splat(sum_of_lanes(sum)) / size;
    for_each_vector(columns, [&](auto get, auto put, int j) {
      const F32x4 normalised = get(values + j) / rms;
      const F32x4 g = get(slopes + j) * get(scale.data() + j);
      put(to + j, get(to + j) + (g - normalised * mean) / rms);
    });
  }
}

}  // namespace attn::kernels
