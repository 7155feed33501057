#include "kernels/layer_norm.h"

#include <cmath>
#include <cstddef>

#include "core/check.h"
#include "kernels/elementwise.h"
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

void normalise_row(const float* from, const float* scale, const float* shift, int columns, float epsilon,
                   float* to) {
  const int whole = columns & ~3;
  const int rest = columns - whole;
  const RowStatistics statistics = statistics_of(from, columns, epsilon);
  const F32x4 mean = splat(statistics.mean);
  const F32x4 deviation = splat(statistics.deviation);
  const auto normalised = [&](F32x4 values, F32x4 scales, F32x4 shifts) {
    return (values - mean) / deviation * scales + shifts;
  };
  for (int j = 0; j < whole; j += 4)
    store(to + j, normalised(load(from + j), load(scale + j), load(shift + j)));
  if (rest > 0) {
    const F32x4 values = normalised(load_partial(from + whole, rest), load_partial(scale + whole, rest),
                                    load_partial(shift + whole, rest));
    store_partial(to + whole, values, rest);
  }
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
  for (int row = 0; row < x.rows; ++row)
    normalise_row(x.row(row), scale.data(), shift.data(), columns, epsilon, out.row(row));
}

void add_layer_norm(core::ConstMatrix x, core::ConstMatrix y, std::span<const float> scale,
                    std::span<const float> shift, float epsilon, core::Matrix sum, core::Matrix out) {
  const int columns = x.columns;
  ATTN_CHECK(y.rows == x.rows && y.columns == columns && sum.rows == x.rows && sum.columns == columns);
  ATTN_CHECK(out.rows == x.rows && out.columns == columns);
  ATTN_CHECK(static_cast<int>(scale.size()) == columns && static_cast<int>(shift.size()) == columns);
  if (columns == 0) return;
  const auto width = static_cast<std::size_t>(columns);
  for (int row = 0; row < x.rows; ++row) {
    add({x.row(row), width}, {y.row(row), width}, {sum.row(row), width});
    normalise_row(sum.row(row), scale.data(), shift.data(), columns, epsilon, out.row(row));
  }
}

}  // namespace attn::kernels
