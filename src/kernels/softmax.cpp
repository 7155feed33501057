#include "kernels/softmax.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "core/check.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// One past the last visible column. What lies beyond is never looked at: the row is a shorter row.
int visible_end(const float* visible, int columns) {
  int end = columns;
  for (; end % 4 != 0; --end) {
    if (visible[end - 1] != 0.0f) return end;
  }
  while (end > 0 && !any(not_equal(load(visible + end - 4), zero()))) end -= 4;
  return end;
}

bool is_seen(float visible) { return visible != 0.0f; }

template <bool kMasked>
void softmax_row(const float* scores, const float* visible, float* weights, int columns) {
  int end = kMasked ? visible_end(visible, columns) : columns;
  std::fill(weights + end, weights + columns, 0.0f);
  if (end == 0) return;
  if constexpr (kMasked) {
    // Columns before the first visible one are passed over likewise.
    const int first = static_cast<int>(std::find_if(visible, visible + end, is_seen) - visible);
    std::fill(weights, weights + first, 0.0f);
    scores += first;
    visible += first;
    weights += first;
    end -= first;
  }
  const int whole = end & ~3;
  const int rest = end & 3;
  const auto seen = [&](int column) { return not_equal(load(visible + column), zero()); };
  const auto visible_score = [&](int column) {
    const F32x4 score = load(scores + column);
    return kMasked ? select(seen(column), score, splat(-kInfinity)) : score;
  };
  // The rest of the columns is a vector whose last lanes count as masked.
  F32x4 rest_scores = splat(-kInfinity);
  I32x4 rest_seen = first_lanes(rest);
  if (rest > 0) {
    if constexpr (kMasked) rest_seen = not_equal(load_partial(visible + whole, rest), zero());
    rest_scores = load_partial(scores + whole, rest);
  }

  F32x4 largest = select(rest_seen, rest_scores, splat(-kInfinity));
  F32x4 largest_of_odd = splat(-kInfinity);
  int j = 0;
  for (; j + 8 <= whole; j += 8) {
    largest = max(largest, visible_score(j));
    largest_of_odd = max(largest_of_odd, visible_score(j + 4));
  }
  if (j < whole) largest = max(largest, visible_score(j));
  const F32x4 shift = splat(max_of_lanes(max(largest, largest_of_odd)));

  F32x4 sum = zero();
  const auto exponentials = [&](auto count, int first) {
    F32x4 values[count()];
    for (int i = 0; i < count(); ++i) values[i] = load(scores + first + 4 * i) - shift;
    replace_by_exp_of_nonpositive(values);
    for (int i = 0; i < count(); ++i) {
      if constexpr (kMasked) values[i] = keep(values[i], seen(first + 4 * i));
      store(weights + first + 4 * i, values[i]);
      sum = sum + values[i];
    }
  };
  for (j = 0; j + 16 <= whole; j += 16) exponentials(std::integral_constant<int, 4>{}, j);
  for (; j < whole; j += 4) exponentials(std::integral_constant<int, 1>{}, j);
  F32x4 rest_value = zero();
  if (rest > 0) {
    rest_value = keep(exp_of_nonpositive(rest_scores - shift), rest_seen);
    sum = sum + rest_value;
  }

  const F32x4 total = splat(sum_of_lanes(sum));
  for (j = 0; j < whole; j += 4) {
    F32x4 value = load(weights + j) / total;
    if constexpr (kMasked) value = keep(value, seen(j));  // 0 / NaN is not 0
    store(weights + j, value);
  }
  if (rest > 0) store_partial(weights + whole, keep(rest_value / total, rest_seen), rest);
}

}  // namespace

void masked_softmax(std::span<const float> scores, std::span<const float> visible, std::span<float> weights) {
  ATTN_CHECK(weights.size() == scores.size());
  const int columns = static_cast<int>(scores.size());
  if (visible.empty()) {
    softmax_row<false>(scores.data(), nullptr, weights.data(), columns);
  } else {
    ATTN_CHECK(visible.size() == scores.size());
    softmax_row<true>(scores.data(), visible.data(), weights.data(), columns);
  }
}

void masked_softmax(core::ConstMatrix scores, core::ConstMatrix visible, core::Matrix weights) {
  ATTN_CHECK(weights.rows == scores.rows && weights.columns == scores.columns);
  const bool masked = visible.values != nullptr;
  ATTN_CHECK(!masked || (visible.rows == scores.rows && visible.columns == scores.columns));
  for (int row = 0; row < scores.rows; ++row) {
    if (masked) {
      softmax_row<true>(scores.row(row), visible.row(row), weights.row(row), scores.columns);
    } else {
      softmax_row<false>(scores.row(row), nullptr, weights.row(row), scores.columns);
    }
  }
}

}  // namespace attn::kernels
