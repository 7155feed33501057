#include "kernels/layer_norm.h"

#include <cmath>

#include "core/check.h"
#include "kernels/f32x4.h"

namespace attn::kernels {
namespace {

RowStatistics statistics_of(const float* row, int columns, float epsilon) {
  const int whole = columns & ~3;
  const int rest = columns - whole;
  const float size = static_cast<float>(columns);

  F32x4 sum = zero();
  for (int j = 0; j < whole; j += 4) sum = sum + load(row + j);
  if (rest > 0) sum = sum + load_partial(row + whole, rest);
  const float mean = sum_of_lanes(sum) / size;

  const F32x4 centre = splat(mean);
  F32x4 squares = zero();
  for (int j = 0; j < whole; j += 4) {
    const F32x4 difference = load(row + j) - centre;
    squares = squares + difference * difference;
  }
  if (rest > 0) {
    const F32x4 difference = keep(load_partial(row + whole, rest) - centre, first_lanes(rest));
    squares = squares + difference * difference;
  }
  return {mean, std::sqrt(sum_of_lanes(squares) / size + epsilon)};
}

}  // namespace

RowStatistics row_statistics(std::span<const float> row, float epsilon) {
  ATTN_CHECK(!row.empty());
  return statistics_of(row.data(), static_cast<int>(row.size()), epsilon);
}

void layer_norm(core::ConstMatrix x, std::span<const float> scale, std::span<const float> shift,
                float epsilon, core::Matrix out) {
  const int columns = x.columns;
  ATTN_CHECK(out.rows == x.rows && out.columns == columns);
  ATTN_CHECK(static_cast<int>(scale.size()) == columns && static_cast<int>(shift.size()) == columns);
  if (columns == 0) return;
  const int whole = columns & ~3;
  const int rest = columns - whole;
  for (int row = 0; row < x.rows; ++row) {
    const float* from = x.row(row);
    float* to = out.row(row);
    const RowStatistics statistics = statistics_of(from, columns, epsilon);
    const F32x4 mean = splat(statistics.mean);
    const F32x4 deviation = splat(statistics.deviation);
    const auto normalised = [&](F32x4 values, F32x4 scales, F32x4 shifts) {
      return (values - mean) / deviation * scales + shifts;
    };
    for (int j = 0; j < whole; j += 4) {
      store(to + j, normalised(load(from + j), load(scale.data() + j), load(shift.data() + j)));
    }
    if (rest > 0) {
      store_partial(to + whole,
                    normalised(load_partial(from + whole, rest), load_partial(scale.data() + whole, rest),
                               load_partial(shift.data() + whole, rest)),
                    rest);
    }
  }
}

}  // namespace attn::kernels
