#include "kernels/softmax_axis.h"

#include <cstddef>
#include <limits>

#include "core/check.h"
#include "kernels/each_element.h"
#include "kernels/scalar_math.h"
#include "kernels/softmax.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

/// A tensor as (outer, size, inner): `size` along the axis.
struct AxisView {
  int outer = 1;
  int size = 1;
  int inner = 1;
};

AxisView view_along(const core::Shape& shape, int axis) {
  const int index = axis < 0 ? shape.rank() + axis : axis;
  AxisView view{1, shape[index], 1};
  for (int i = 0; i < index; ++i) view.outer *= shape[i];
  for (int i = index + 1; i < shape.rank(); ++i) view.inner *= shape[i];
  return view;
}

/// Sums along the axis of four neighbouring lines at once: element j of each goes to its lane j mod 4.
class StripedSums {
 public:
  void add(int j, F32x4 values) { lanes_[j & 3] = lanes_[j & 3] + values; }
  F32x4 totals() const { return (lanes_[0] + lanes_[1]) + (lanes_[2] + lanes_[3]); }

 private:
  F32x4 lanes_[4] = {zero(), zero(), zero(), zero()};
};

/// Calls lines(get, put, offset) for every four neighbouring lines: element j of theirs lies at
/// offset + j * inner.
template <class Lines>
inline void for_each_line(const AxisView& view, Lines lines) {
  for (int o = 0; o < view.outer; ++o) {
    const auto first = static_cast<std::ptrdiff_t>(o) * view.size * view.inner;
    for_each_vector(view.inner, [&](auto get, auto put, int i) { lines(get, put, first + i); });
  }
}

template <class Get>
inline F32x4 largest_along(const AxisView& view, const float* line, Get get) {
  F32x4 largest = splat(-std::numeric_limits<float>::infinity());
  for (int j = 0; j < view.size; ++j)
    largest = max(largest, get(line + static_cast<std::ptrdiff_t>(j) * view.inner));
  return largest;
}

inline F32x4 log_of_each(F32x4 sums) {
  float lanes[4];
  store(lanes, sums);
  for (float& lane : lanes) lane = static_cast<float>(log(static_cast<double>(lane)));
  return load(lanes);
}

/// The inner axis is the softmax axis: lanes run along it.
void log_softmax_row(const float* x, int columns, float* out) {
  const float infinity = std::numeric_limits<float>::infinity();
  const int whole = columns & ~3;
  const int rest = columns - whole;
  const I32x4 rest_lanes = first_lanes(rest);
  F32x4 largest = splat(-infinity);
  for (int j = 0; j < whole; j += 4) largest = max(largest, load(x + j));
  if (rest > 0) largest = max(largest, select(rest_lanes, load_partial(x + whole, rest), splat(-infinity)));
  const F32x4 shift = splat(max_of_lanes(largest));
  F32x4 sum = zero();
  for (int j = 0; j < whole; j += 4) sum = sum + exp_of_nonpositive(load(x + j) - shift);
  if (rest > 0) sum = sum + keep(exp_of_nonpositive(load_partial(x + whole, rest) - shift), rest_lanes);
  const F32x4 logarithm = log_of_each(splat(sum_of_lanes(sum)));
  for_each_vector(columns, [&](auto get, auto put, int j) { put(out + j, get(x + j) - shift - logarithm); });
}

}  // namespace

void softmax(core::TensorView x, int axis, std::span<float> out) {
  const AxisView view = view_along(x.shape, axis);
  ATTN_CHECK(out.size() == static_cast<std::size_t>(x.size()));
  if (view.inner == 1) {
    masked_softmax(core::ConstMatrix{x.values, view.outer, view.size, view.size}, {},
                   core::Matrix{out.data(), view.outer, view.size, view.size});
    return;
  }
  for_each_line(view, [&](auto get, auto put, std::ptrdiff_t offset) {
    const float* line = x.values + offset;
    float* to = out.data() + offset;
    const F32x4 shift = largest_along(view, line, get);
    StripedSums sums;
    for (int j = 0; j < view.size; ++j) {
      const auto at = static_cast<std::ptrdiff_t>(j) * view.inner;
      const F32x4 value = exp_of_nonpositive(get(line + at) - shift);
      put(to + at, value);
      sums.add(j, value);
    }
    const F32x4 totals = sums.totals();
    for (int j = 0; j < view.size; ++j) {
      const auto at = static_cast<std::ptrdiff_t>(j) * view.inner;
      put(to + at, get(to + at) / totals);
    }
  });
}

void log_softmax(core::TensorView x, int axis, std::span<float> out) {
  const AxisView view = view_along(x.shape, axis);
  ATTN_CHECK(out.size() == static_cast<std::size_t>(x.size()));
  if (view.inner == 1) {
    for (int row = 0; row < view.outer; ++row) {
      const auto first = static_cast<std::ptrdiff_t>(row) * view.size;
      log_softmax_row(x.values + first, view.size, out.data() + first);
    }
    return;
  }
  for_each_line(view, [&](auto get, auto put, std::ptrdiff_t offset) {
    const float* line = x.values + offset;
    const F32x4 shift = largest_along(view, line, get);
    StripedSums sums;
    for (int j = 0; j < view.size; ++j)
      sums.add(j, exp_of_nonpositive(get(line + static_cast<std::ptrdiff_t>(j) * view.inner) - shift));
    const F32x4 logarithms = log_of_each(sums.totals());
    for (int j = 0; j < view.size; ++j) {
      const auto at = static_cast<std::ptrdiff_t>(j) * view.inner;
      put(out.data() + offset + at, get(line + at) - shift - logarithms);
    }
  });
}

void softmax_backward(core::TensorView y, int axis, std::span<const float> dy, std::span<float> dx) {
  const AxisView view = view_along(y.shape, axis);
  ATTN_CHECK(dy.size() == dx.size() && dx.size() == static_cast<std::size_t>(y.size()));
  if (view.inner == 1) {
    softmax_backward(core::ConstMatrix{y.values, view.outer, view.size, view.size},
                     core::ConstMatrix{dy.data(), view.outer, view.size, view.size},
                     core::Matrix{dx.data(), view.outer, view.size, view.size});
    return;
  }
  const auto product = [](F32x4 weight, F32x4 slope) {
    return keep(weight * slope, not_equal(weight, zero()));
  };
  for_each_line(view, [&](auto get, auto put, std::ptrdiff_t offset) {
    StripedSums sums;
    for (int j = 0; j < view.size; ++j) {
      const auto at = offset + static_cast<std::ptrdiff_t>(j) * view.inner;
      sums.add(j, product(get(y.values + at), get(dy.data() + at)));
    }
    const F32x4 shift = sums.totals();
    for (int j = 0; j < view.size; ++j) {
      const auto at = offset + static_cast<std::ptrdiff_t>(j) * view.inner;
      put(dx.data() + at, get(dx.data() + at) + product(get(y.values + at), get(dy.data() + at) - shift));
    }
  });
}

void log_softmax_backward(core::TensorView y, int axis, std::span<const float> dy, std::span<float> dx) {
  const AxisView view = view_along(y.shape, axis);
  ATTN_CHECK(dy.size() == dx.size() && dx.size() == static_cast<std::size_t>(y.size()));
  if (view.inner == 1) {
    for (int row = 0; row < view.outer; ++row) {
      const auto first = static_cast<std::ptrdiff_t>(row) * view.size;
      F32x4 sum = zero();
      for_each_vector(view.size, [&](auto get, auto, int j) { sum = sum + get(dy.data() + first + j); });
      const F32x4 total = splat(sum_of_lanes(sum));
      for_each_vector(view.size, [&](auto get, auto put, int j) {
        const auto at = first + j;
        const F32x4 part = get(dy.data() + at) - exp_of_nonpositive(get(y.values + at)) * total;
        put(dx.data() + at, get(dx.data() + at) + part);
      });
    }
    return;
  }
  for_each_line(view, [&](auto get, auto put, std::ptrdiff_t offset) {
    StripedSums sums;
    for (int j = 0; j < view.size; ++j)
      sums.add(j, get(dy.data() + offset + static_cast<std::ptrdiff_t>(j) * view.inner));
    const F32x4 totals = sums.totals();
    for (int j = 0; j < view.size; ++j) {
      const auto at = offset + static_cast<std::ptrdiff_t>(j) * view.inner;
      const F32x4 part = get(dy.data() + at) - exp_of_nonpositive(get(y.values + at)) * totals;
      put(dx.data() + at, get(dx.data() + at) + part);
    }
  });
}

}  // namespace attn::kernels
