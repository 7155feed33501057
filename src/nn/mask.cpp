#include "nn/mask.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::nn {
namespace {

using core::Shape;

constexpr int kNoEnd = std::numeric_limits<int>::max();

std::vector<std::uint8_t> inverted(std::span<const std::uint8_t> blocked) {
  std::vector<std::uint8_t> visible(blocked.size());
  for (std::size_t i = 0; i < blocked.size(); ++i) visible[i] = blocked[i] == 0 ? 1 : 0;
  return visible;
}

/// The same extents as a shape of rank 4, with 1s in front.
Shape padded(const Shape& shape) {
  Shape result;
  for (int axis = shape.rank(); axis < 4; ++axis) result.append(1);
  for (int axis = 0; axis < shape.rank(); ++axis) result.append(shape[axis]);
  return result;
}

/// Which of `count` entries (one for all, or one a sequence) belongs to sequence `batch`; -1 beyond them.
int entry_of(std::size_t count, int batch) {
  if (count == 1) return 0;
  return static_cast<std::size_t>(batch) < count ? batch : -1;
}

int between(int low, std::int64_t value, int high) {
  return static_cast<int>(std::clamp<std::int64_t>(value, low, high));
}

}  // namespace

Mask Mask::causal(int offset) { return sliding_window(-1, 0, offset); }

Mask Mask::causal(std::span<const int> offsets) { return sliding_window(-1, 0, offsets); }

Mask Mask::sliding_window(int left, int right, int offset) {
  return sliding_window(left, right, std::span<const int>(&offset, 1));
}

Mask Mask::sliding_window(int left, int right, std::span<const int> offsets) {
  ATTN_CHECK(!offsets.empty());
  Mask mask;
  mask.bands_.push_back({{offsets.begin(), offsets.end()}, left, right});
  return mask;
}

Mask Mask::keys(std::span<const std::uint8_t> visible) {
  return grid(visible, Shape{static_cast<int>(visible.size())});
}

Mask Mask::lengths(std::span<const int> lengths) {
  ATTN_CHECK(!lengths.empty());
  Mask mask;
  mask.ranges_.emplace_back();
  for (const int length : lengths) mask.ranges_.back().push_back({0, length});
  return mask;
}

Mask Mask::left_padding(std::span<const int> padding) {
  ATTN_CHECK(!padding.empty());
  Mask mask;
  mask.ranges_.emplace_back();
  for (const int first : padding) mask.ranges_.back().push_back({first, kNoEnd});
  return mask;
}

Mask Mask::matrix(std::span<const std::uint8_t> visible, int queries, int keys) {
  ATTN_CHECK(queries > 0 && keys >= 0);
  Mask mask = grid(visible, Shape{queries, keys});
  mask.grids_.back().rows_repeat = false;
  return mask;
}

Mask Mask::grid(std::span<const std::uint8_t> visible, const Shape& shape) {
  ATTN_CHECK(shape.rank() >= 1 && visible.size() == static_cast<std::size_t>(shape.size()));
  Mask mask;
  const Shape extents = padded(shape);
  mask.grids_.push_back({{visible.begin(), visible.end()}, extents, extents[2] == 1});
  return mask;
}

Mask Mask::from_pytorch_key_padding(std::span<const std::uint8_t> blocked) { return keys(inverted(blocked)); }

Mask Mask::from_pytorch_key_padding(std::span<const std::uint8_t> blocked, int batch, int keys) {
  return grid(inverted(blocked), Shape{batch, 1, 1, keys});
}

Mask Mask::from_pytorch_bool(std::span<const std::uint8_t> blocked, int queries, int keys) {
  return matrix(inverted(blocked), queries, keys);
}

Mask Mask::from_pytorch_bool(std::span<const std::uint8_t> blocked, int batch, int n_heads, int queries,
                             int keys) {
  return grid(inverted(blocked), Shape{batch, n_heads, queries, keys});
}

Mask Mask::and_also(const Mask& other) const {
  Mask both = *this;
  both.bands_.insert(both.bands_.end(), other.bands_.begin(), other.bands_.end());
  both.ranges_.insert(both.ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  both.grids_.insert(both.grids_.end(), other.grids_.begin(), other.grids_.end());
  return both;
}

/// Cuts [first, end) down to the keys that bands and ranges allow.
void Mask::narrow(int batch, int query, int& first, int& end) const {
  for (const Band& band : bands_) {
    const int entry = entry_of(band.offsets.size(), batch);
    if (entry < 0) {
      end = first;
      return;
    }
    const std::int64_t position = std::int64_t{query} + band.offsets[static_cast<std::size_t>(entry)];
    if (band.left >= 0) first = between(first, position - band.left, kNoEnd);
    if (band.right >= 0) end = std::min(end, between(0, position + band.right + 1, kNoEnd));
  }
  for (const std::vector<Range>& ranges : ranges_) {
    const int entry = entry_of(ranges.size(), batch);
    if (entry < 0) {
      end = first;
      return;
    }
    first = std::max(first, ranges[static_cast<std::size_t>(entry)].first);
    end = std::min(end, ranges[static_cast<std::size_t>(entry)].end);
  }
}

const std::uint8_t* Mask::Grid::row(int batch, int head, int query) const {
  const std::array<int, 3> asked{batch, head, query};
  std::ptrdiff_t row = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const bool repeats = axis == 2 ? rows_repeat : shape[axis] == 1;
    const int index = repeats ? 0 : asked[static_cast<std::size_t>(axis)];
    if (index >= shape[axis]) return nullptr;
    row = row * shape[axis] + index;
  }
  return visible.data() + row * shape[3];
}

bool Mask::may_see(int batch, int head, int query, int key) const {
  int first = 0;
  int end = kNoEnd;
  narrow(batch, query, first, end);
  if (key < first || key >= end) return false;
  for (const Grid& grid : grids_) {
    const std::uint8_t* row = grid.row(batch, head, query);
    if (row == nullptr || key >= grid.shape[3] || row[key] == 0) return false;
  }
  return true;
}

Mask::Reach Mask::reach(int batch, int head, int query, int keys) const {
  Reach reach{0, keys, grids_.empty()};
  narrow(batch, query, reach.first, reach.end);
  if (!reach.whole) {
    while (reach.first < reach.end && !may_see(batch, head, query, reach.end - 1)) --reach.end;
    while (reach.first < reach.end && !may_see(batch, head, query, reach.first)) ++reach.first;
  }
  return reach.first < reach.end ? reach : Reach{0, 0, true};
}

bool Mask::differs_by_batch() const {
  const auto many = [](const auto& list) { return list.size() > 1; };
  return std::any_of(bands_.begin(), bands_.end(), [&](const Band& band) { return many(band.offsets); }) ||
         std::any_of(ranges_.begin(), ranges_.end(), many) ||
         std::any_of(grids_.begin(), grids_.end(), [](const Grid& grid) { return grid.shape[0] != 1; });
}

bool Mask::differs_by_head() const {
  return std::any_of(grids_.begin(), grids_.end(), [](const Grid& grid) { return grid.shape[1] != 1; });
}

Shape Mask::shape_for(int batch, int heads, int queries, int keys) const {
  const int mask_heads = differs_by_head() ? heads : 1;
  if (batch > 1 && differs_by_batch()) return Shape{batch, mask_heads, queries, keys};
  return mask_heads > 1 ? Shape{mask_heads, queries, keys} : Shape{queries, keys};
}

core::Tensor Mask::materialise(int queries, int keys) const {
  core::Tensor tensor(Shape{queries, keys});
  write(tensor.flat(), tensor.shape());
  return tensor;
}

void Mask::write(std::span<float> values, const Shape& shape) const {
  ATTN_CHECK(shape.rank() >= 2 && values.size() == static_cast<std::size_t>(shape.size()));
  const Shape extents = padded(shape);
  const int keys = extents[3];
  float* row = values.data();
  for (int b = 0; b < extents[0]; ++b)
    for (int h = 0; h < extents[1]; ++h)
      for (int i = 0; i < extents[2]; ++i, row += keys) {
        int first = 0;
        int end = keys;
        narrow(b, i, first, end);
        for (int j = 0; j < keys; ++j) row[j] = j >= first && j < end ? 1.0f : 0.0f;
        for (const Grid& grid : grids_) {
          const std::uint8_t* allowed = grid.row(b, h, i);
          const int known = allowed != nullptr ? std::min(keys, grid.shape[3]) : 0;
          for (int j = 0; j < known; ++j) row[j] = allowed[j] != 0 ? row[j] : 0.0f;
          for (int j = known; j < keys; ++j) row[j] = 0.0f;
        }
      }
}

FloatMask split_float_mask(core::TensorView values, int keys) {
  ATTN_CHECK(values.shape.rank() >= 1);
  const core::ConstMatrix rows = core::as_rows(values);
  std::vector<std::uint8_t> visible(static_cast<std::size_t>(values.size()));
  core::Tensor bias(values.shape.with(-1, keys));
  bool any_bias = false;
  std::size_t flat = 0;
  for (int row = 0; row < rows.rows; ++row)
    for (int j = 0; j < rows.columns; ++j, ++flat) {
      const float value = rows.row(row)[j];
      visible[flat] = value == -std::numeric_limits<float>::infinity() ? 0 : 1;
      if (visible[flat] == 0 || value == 0.0f || j >= keys) continue;
      bias.values()[static_cast<std::ptrdiff_t>(row) * keys + j] = value;
      any_bias = true;
    }
  FloatMask result{Mask::grid(visible, values.shape), {}};
  if (any_bias) result.bias = std::move(bias);
  return result;
}

}  // namespace attn::nn
