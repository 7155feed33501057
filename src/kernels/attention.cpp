#include "kernels/attention.h"

#include <algorithm>
#include <limits>

#include "core/bits.h"
#include "core/check.h"
#include "kernels/product.h"
#include "kernels/softmax.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

using core::ConstMatrix;
using core::Matrix;

constexpr float kLowestScore = -std::numeric_limits<float>::infinity();

/// Queries that one head works on at a time: their scores stay in the first-level cache, and under a causal
/// mask a block computes no column that its last query may not see.
constexpr int kQueryBlock = 32;

int rounded_up(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

std::size_t product_of(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

/// Heads so narrow that a product per head would be mostly overhead run across lanes instead, four at a time.
bool heads_across_lanes(HeadLayout heads) {
  return heads.n_heads % 4 == 0 && (heads.width == 1 || heads.width == 2 || heads.width == 4);
}

/// x / divisor. A division by a power of two is a multiplication by its reciprocal, which is exact.
class Divisor {
 public:
  explicit Divisor(float divisor) : divisor_(splat(divisor)), reciprocal_(splat(1.0f / divisor)) {
    constexpr std::uint32_t kFractionBits = 0x007fffff;
    is_power_of_two_ =
        (core::bits_of(divisor) & kFractionBits) == 0 && divisor >= 0x1p-60f && divisor <= 0x1p+60f;
  }

  F32x4 divide(F32x4 x) const { return is_power_of_two_ ? x * reciprocal_ : x / divisor_; }

 private:
  F32x4 divisor_;
  F32x4 reciprocal_;
  bool is_power_of_two_;
};

// ---- Keys across lanes, one head after the other. Keys lie in panels of 8: [panel][feature][8].

void divide_row(float* row, int count, const Divisor& divisor) {
  int j = 0;
  for (; j + 4 <= count; j += 4) store(row + j, divisor.divide(load(row + j)));
  if (j < count) store_partial(row + j, divisor.divide(load_partial(row + j, count - j)), count - j);
}

/// Scores (rows, columns) of some queries become their weights.
void scores_to_weights(Matrix scores, const Divisor& divisor, const VisibleKeys* visible) {
  for (int i = 0; i < scores.rows; ++i) {
    const VisibleKeys& seen = visible[i];
    const int count = std::max(seen.end - seen.first, 0);
    float* row = scores.row(i);
    const std::span<float> weights(row + seen.first, static_cast<std::size_t>(count));
    divide_row(weights.data(), count, divisor);
    masked_softmax(weights, std::span(seen.flags, seen.flags != nullptr ? weights.size() : 0), weights);
    std::fill(row, row + std::min(seen.first, scores.columns), 0.0f);
    std::fill(row + std::max(seen.end, 0), row + scores.columns, 0.0f);
  }
}

/// `query` and `out` are one head's columns.
void attend_head(ConstMatrix query, const Divisor& divisor, Panels keys, ConstMatrix values,
                 const VisibleKeys* visible, float* scratch, Matrix out) {
  for (int first = 0; first < query.rows; first += kQueryBlock) {
    const int count = std::min(kQueryBlock, query.rows - first);
    int end = 0;
    for (int i = 0; i < count; ++i) end = std::max(end, visible[first + i].end);
    const Matrix scores{scratch, count, end, rounded_up(end, 4)};
    multiply_panels({.a = {query.row(first), count, query.columns, query.stride},
                     .b = keys,
                     .out = scores,
                     .columns = end});
    scores_to_weights(scores, divisor, visible + first);
    values.rows = end;
    matmul(scores, values, Matrix{out.row(first), count, out.columns, out.stride});
  }
}

// ---- Heads across lanes. Keys and values lie row by row, as projected.

/// Four heads' sums over their features of a row's products: lane h is head h.
template <int kWidth>
inline F32x4 sums_of_heads(const F32x4 (&products)[kWidth]) {
  if constexpr (kWidth == 1) {
    return zero() + products[0];
  } else if constexpr (kWidth == 2) {
    const F32x4 low = interleave_low(products[0], products[1]);
    const F32x4 high = interleave_high(products[0], products[1]);
    return (zero() + interleave_low(low, high)) + interleave_high(low, high);
  } else {
    const F32x4 even_low = interleave_low(products[0], products[2]);
    const F32x4 even_high = interleave_high(products[0], products[2]);
    const F32x4 odd_low = interleave_low(products[1], products[3]);
    const F32x4 odd_high = interleave_high(products[1], products[3]);
    return (((zero() + interleave_low(even_low, odd_low)) + interleave_high(even_low, odd_low)) +
            interleave_low(even_high, odd_high)) +
           interleave_high(even_high, odd_high);
  }
}

/// One number a head, repeated for each of the head's features.
template <int kWidth>
inline void repeat_for_features(F32x4 heads, F32x4 (&features)[kWidth]) {
  if constexpr (kWidth == 1) {
    features[0] = heads;
  } else {
    const F32x4 low = interleave_low(heads, heads);
    const F32x4 high = interleave_high(heads, heads);
    if constexpr (kWidth == 2) {
      features[0] = low;
      features[1] = high;
    } else {
      features[0] = interleave_low(low, low);
      features[1] = interleave_high(low, low);
      features[2] = interleave_low(high, high);
      features[3] = interleave_high(high, high);
    }
  }
}

/// What four heads of one query see.
struct LaneVisibility {
  VisibleKeys lanes[4];
  int first;  // the smallest and the largest of the four
  int end;
  bool all;  // all four see every key in between

  LaneVisibility(const VisibleKeys* visible, std::ptrdiff_t head_step) {
    for (int lane = 0; lane < 4; ++lane) lanes[lane] = visible[lane * head_step];
    first = lanes[0].first;
    end = lanes[0].end;
    for (const VisibleKeys& lane : lanes) {
      first = std::min(first, lane.first);
      end = std::max(end, lane.end);
    }
    all = true;
    for (const VisibleKeys& lane : lanes)
      all = all && lane.first == first && lane.end == end && lane.flags == nullptr;
  }

  /// The lanes for which answer(lane) holds.
  template <class Answer>
  static I32x4 lanes_where(Answer answer) {
    float flags[4];
    for (int lane = 0; lane < 4; ++lane) flags[lane] = answer(lane) ? 1.0f : 0.0f;
    return not_equal(load(flags), zero());
  }

  I32x4 seen(int key) const {
    return lanes_where([&](int lane) {
      const VisibleKeys& keys = lanes[lane];
      if (key < keys.first || key >= keys.end) return false;
      return keys.flags == nullptr || keys.flags[key - keys.first] != 0.0f;
    });
  }

  /// Where `key` goes to sum `index` of the softmax's four: they are counted from each head's first key.
  I32x4 summed_in(int index, int key) const {
    return lanes_where([&](int lane) { return ((key - lanes[lane].first) & 3) == index; });
  }
};

/// Four heads of one query. `keys`, `values` and `out` begin at the first of them; rows are `stride` apart.
/// `scores` holds 4 floats a key.
template <int kWidth, bool kAll>
inline void attend_lanes(const float* query, const Divisor& divisor, const float* keys, const float* values,
                         std::ptrdiff_t stride, const LaneVisibility& visibility, float* scores, float* out) {
  const int first = visibility.first;
  const int end = visibility.end;
  F32x4 asked[kWidth];
  for (int f = 0; f < kWidth; ++f) asked[f] = load(query + 4 * f);
  F32x4 largest = splat(kLowestScore);
  for (int j = first; j < end; ++j) {
    F32x4 products[kWidth];
    for (int f = 0; f < kWidth; ++f) products[f] = asked[f] * load(keys + j * stride + 4 * f);
    const F32x4 score = divisor.divide(sums_of_heads<kWidth>(products));
    store(scores + 4 * j, score);
    largest = max(largest, kAll ? score : select(visibility.seen(j), score, splat(kLowestScore)));
  }

  // A lane of the softmax's sum is a vector here: one number a head.
  F32x4 sums[4] = {zero(), zero(), zero(), zero()};
  for (int j = first; j < end; j += 4) {
    F32x4 exponentials[4];
    const int count = std::min(end - j, 4);
    for (int i = 0; i < 4; ++i) exponentials[i] = i < count ? load(scores + 4 * (j + i)) - largest : zero();
    replace_by_exp_of_nonpositive(exponentials);
    for (int i = 0; i < 4; ++i) {
      if (i >= count) break;
      if constexpr (kAll) {
        sums[i] = sums[i] + exponentials[i];
      } else {
        exponentials[i] = keep(exponentials[i], visibility.seen(j + i));
        for (int s = 0; s < 4; ++s) sums[s] = sums[s] + keep(exponentials[i], visibility.summed_in(s, j + i));
      }
      store(scores + 4 * (j + i), exponentials[i]);
    }
  }
  const F32x4 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);

  F32x4 context[kWidth];
  for (int f = 0; f < kWidth; ++f) context[f] = zero();
  for (int j = first; j < end; ++j) {
    F32x4 weight = load(scores + 4 * j) / total;
    if constexpr (!kAll) weight = keep(weight, visibility.seen(j));  // 0 / NaN is not 0
    F32x4 weights[kWidth];
    repeat_for_features<kWidth>(weight, weights);
    for (int f = 0; f < kWidth; ++f) context[f] = context[f] + weights[f] * load(values + j * stride + 4 * f);
  }
  for (int f = 0; f < kWidth; ++f) store(out + 4 * f, context[f]);
}

template <int kWidth>
void attend_across_lanes(HeadLayout heads, ConstMatrix query, const Divisor& divisor, const float* keys,
                         const float* values, Visibility visibility, float* scores, Matrix out) {
  const std::ptrdiff_t stride = heads.row_width();
  for (int i = 0; i < query.rows; ++i) {
    for (int head = 0; head < heads.n_heads; head += 4) {
      const LaneVisibility seen(visibility.visible + head * visibility.head_step + i, visibility.head_step);
      const int column = head * kWidth;
      if (seen.all) {
        attend_lanes<kWidth, true>(query.row(i) + column, divisor, keys + column, values + column, stride,
                                   seen, scores, out.row(i) + column);
      } else {
        attend_lanes<kWidth, false>(query.row(i) + column, divisor, keys + column, values + column, stride,
                                    seen, scores, out.row(i) + column);
      }
    }
  }
}

}  // namespace

std::size_t attention_store_size(HeadLayout heads, int capacity) {
  return product_of(heads.row_width(), rounded_up(capacity, kPanelColumns));
}

void store_keys(HeadLayout heads, ConstMatrix rows, int first, std::span<float> keys) {
  const int width = heads.row_width();
  ATTN_CHECK(rows.columns == width && first >= 0);
  ATTN_CHECK(keys.size() >= attention_store_size(heads, first + rows.rows));
  if (heads_across_lanes(heads)) {
    float* to = keys.data() + static_cast<std::ptrdiff_t>(first) * width;
    for (int i = 0; i < rows.rows; ++i, to += width) std::copy_n(rows.row(i), width, to);
    return;
  }
  for (int i = 0; i < rows.rows; ++i) {
    const int key = first + i;
    float* to = keys.data() + static_cast<std::ptrdiff_t>(key / kPanelColumns) * width * kPanelColumns +
                key % kPanelColumns;
    const float* from = rows.row(i);
    for (int f = 0; f < width; ++f) to[static_cast<std::ptrdiff_t>(f) * kPanelColumns] = from[f];
  }
}

Matrix stored_values(HeadLayout heads, int first, int count, std::span<float> values) {
  const int width = heads.row_width();
  ATTN_CHECK(first >= 0 && values.size() >= attention_store_size(heads, first + count));
  return {values.data() + static_cast<std::ptrdiff_t>(first) * width, count, width, width};
}

std::size_t attend_scratch(HeadLayout heads, int queries, int keys) {
  if (heads_across_lanes(heads)) return product_of(4, keys);
  return product_of(std::min(queries, kQueryBlock), rounded_up(keys, 4));
}

void attend(HeadLayout heads, ConstMatrix query, float divisor, std::span<const float> keys,
            std::span<const float> values, Visibility visibility, std::span<float> scratch, Matrix out) {
  const int width = heads.row_width();
  ATTN_CHECK(query.columns == width && out.columns == width && out.rows == query.rows);
  const Divisor division(divisor);
  if (heads_across_lanes(heads)) {
    const auto attend_with = [&]<int kWidth>(std::integral_constant<int, kWidth>) {
      attend_across_lanes<kWidth>(heads, query, division, keys.data(), values.data(), visibility,
                                  scratch.data(), out);
    };
    if (heads.width == 1) return attend_with(std::integral_constant<int, 1>());
    if (heads.width == 2) return attend_with(std::integral_constant<int, 2>());
    return attend_with(std::integral_constant<int, 4>());
  }
  for (int head = 0; head < heads.n_heads; ++head) {
    const int column = head * heads.width;
    const Panels panels{keys.data() + static_cast<std::ptrdiff_t>(column) * kPanelColumns,
                        static_cast<std::ptrdiff_t>(width) * kPanelColumns, kPanelColumns, heads.width};
    attend_head({query.values + column, query.rows, heads.width, query.stride}, division, panels,
                {values.data() + column, 0, heads.width, width},
                visibility.visible + head * visibility.head_step, scratch.data(),
                {out.values + column, out.rows, heads.width, out.stride});
  }
}

}  // namespace attn::kernels
