#include "kernels/softmax.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/check.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Lanes of the four columns from `column` on that exist and may be seen.
template <bool kMasked>
inline I32x4 seen_lanes(const float* visible, int column, int count) {
  if constexpr (kMasked) {
    const F32x4 flags = count == 4 ? load(visible + column) : load_partial(visible + column, count);
    return not_equal(flags, zero());
  } else {
    return first_lanes(count);
  }
}

template <bool kMasked>
void softmax_row(const float* scores, const float* visible, float* weights, int columns) {
  const int whole = columns & ~3;
  const int rest = columns - whole;

  F32x4 largest = splat(-kInfinity);
  int end = 0;  // after the last group of four with a visible column
  for (int j = 0; j < whole; j += 4) {
    if constexpr (kMasked) {
      const I32x4 seen = seen_lanes<kMasked>(visible, j, 4);
      largest = max(largest, select(seen, load(scores + j), splat(-kInfinity)));
      if (any(seen)) end = j + 4;
    } else {
      largest = max(largest, load(scores + j));
    }
  }
  I32x4 seen_rest = splat_bits(0);
  if (rest > 0) {
    seen_rest = seen_lanes<kMasked>(visible, whole, rest);
    largest = max(largest, select(seen_rest, load_partial(scores + whole, rest), splat(-kInfinity)));
  }
  if constexpr (!kMasked) end = whole;
  const bool rest_seen = any(seen_rest);
  if (end == 0 && !rest_seen) {
    std::fill_n(weights, columns, 0.0f);
    return;
  }

  const F32x4 shift = splat(max_of_lanes(largest));
  F32x4 sum = zero();
  const int exp_end = rest_seen ? whole : end;
  for (int j = 0; j < exp_end; j += 4) {
    F32x4 value = exp_of_nonpositive(load(scores + j) - shift);
    if constexpr (kMasked) value = keep(value, seen_lanes<kMasked>(visible, j, 4));
    store(weights + j, value);
    sum = sum + value;
  }
  F32x4 value_rest = zero();
  if (rest_seen) {
    value_rest = keep(exp_of_nonpositive(load_partial(scores + whole, rest) - shift), seen_rest);
    sum = sum + value_rest;
  }

  const F32x4 total = splat(sum_of_lanes(sum));
  for (int j = 0; j < exp_end; j += 4) {
    F32x4 value = load(weights + j) / total;
    if constexpr (kMasked) value = keep(value, seen_lanes<kMasked>(visible, j, 4));  // 0/NaN is not +0
    store(weights + j, value);
  }
  if (rest_seen) {
    store_partial(weights + whole, keep(value_rest / total, seen_rest), rest);
  } else {
    std::fill(weights + exp_end, weights + columns, 0.0f);
  }
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
