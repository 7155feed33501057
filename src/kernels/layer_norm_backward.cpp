#include "core/check.h"
#include "kernels/each_element.h"
#include "kernels/layer_norm.h"

namespace attn::kernels {
namespace {

/// The pointers of one row, and what every column of it shares.
struct Row {
  const float* x;
  const float* dy;
  float* dx;
  F32x4 mean, deviation;
};

}  // namespace

void layer_norm_backward(core::ConstMatrix x, std::span<const float> scale, float epsilon,
                         core::ConstMatrix dy, core::Matrix dx, std::span<float> dscale,
                         std::span<float> dshift) {
  const int columns = x.columns;
  ATTN_CHECK(dy.rows == x.rows && dy.columns == columns && dx.rows == x.rows && dx.columns == columns);
  const auto width = static_cast<std::size_t>(columns);
  ATTN_CHECK(scale.size() == width && dscale.size() == width && dshift.size() == width);
  if (columns == 0) return;
  const F32x4 size = splat(static_cast<float>(columns));
  for (int index = 0; index < x.rows; ++index) {
    const RowStatistics statistics = row_statistics({x.row(index), width}, epsilon);
    const Row row{x.row(index), dy.row(index), dx.row(index), splat(statistics.mean),
                  splat(statistics.deviation)};
    F32x4 sum = zero();
    F32x4 sum_with_normalised = zero();
    for_each_vector(columns, [&](auto get, auto put, int j) {
      const F32x4 slope = get(row.dy + j);
      const F32x4 normalised = (get(row.x + j) - row.mean) / row.deviation;
      const F32x4 g = slope * get(scale.data() + j);
      sum = sum + g;
      sum_with_normalised = sum_with_normalised + g * normalised;
      put(dscale.data() + j, get(dscale.data() + j) + slope * normalised);
      put(dshift.data() + j, get(dshift.data() + j) + slope);
    });
    const F32x4 mean_g = splat(sum_of_lanes(sum)) / size;
    const F32x4 mean_g_normalised = splat(sum_of_lanes(sum_with_normalised)) / size;
    for_each_vector(columns, [&](auto get, auto put, int j) {
      const F32x4 normalised = (get(row.x + j) - row.mean) / row.deviation;
      const F32x4 g = get(row.dy + j) * get(scale.data() + j);
      put(row.dx + j, get(row.dx + j) + ((g - mean_g) - normalised * mean_g_normalised) / row.deviation);
    });
  }
}

}  // namespace attn::kernels
