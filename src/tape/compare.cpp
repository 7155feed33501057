#include "tape/compare.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "core/bits.h"

namespace attn::tape {
namespace {

using core::TensorView;

/// Extents both tensors have, padded with leading 1s to rank 4 so that one loop serves every rank.
struct Region {
  std::array<int, 4> first_row_major{};  // strides of the first tensor
  std::array<int, 4> second_row_major{};
  std::array<int, 4> begin{0, 0, 0, 0};
  std::array<int, 4> end{1, 1, 1, 1};
  int padding = 0;  // how many leading axes are not the tensor's own
};

Region common_region(const TensorView& first, const TensorView& second) {
  Region region;
  const int rank = first.shape.rank();
  region.padding = 4 - rank;
  int first_stride = 1;
  int second_stride = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    const auto slot = static_cast<std::size_t>(axis + region.padding);
    region.end[slot] = std::min(first.shape[axis], second.shape[axis]);
    region.first_row_major[slot] = first_stride;
    region.second_row_major[slot] = second_stride;
    first_stride *= first.shape[axis];
    second_stride *= second.shape[axis];
  }
  return region;
}

/// The mask that applies to scores and weights, as matrices; empty when none does.
core::ConstMatrix mask_of(const Tape& tape, const Label& label) {
  if (label.site != Site::scores && label.site != Site::weights) return {};
  const Value mask = tape.find({label.stack, label.layer, label.block, Site::mask});
  return mask.valid() ? core::as_matrix(tape.tensor(mask)) : core::ConstMatrix{};
}

bool sees(const core::ConstMatrix& mask, int row, int column) {
  return mask.values == nullptr || mask.row(row)[column] != 0.0f;
}

struct Masks {
  core::ConstMatrix first, second;

  bool both_see(int row, int column) const { return sees(first, row, column) && sees(second, row, column); }
};

void count_cell(TensorDifference& difference, float a, float b, const std::array<int, 4>& index) {
  ++difference.compared;
  const std::uint32_t ulp = core::ulp_distance(a, b);
  if (ulp == 0) return;
  ++difference.different;
  difference.largest_ulp = std::max(difference.largest_ulp, ulp);
  const float distance = std::fabs(a - b);
  const float magnitude = distance == distance ? distance : std::numeric_limits<float>::infinity();
  if (difference.different == 1 || magnitude > difference.largest_difference) {
    difference.largest_difference = magnitude;
    difference.ulp_at_largest = ulp;
    difference.largest_index = index;
  }
}

/// Where a row of the innermost axis begins in each tensor, and its index.
struct RowAt {
  const float* first;
  const float* second;
  std::array<int, 4> at;  // padded index of column 0
};

void compare_cells(TensorDifference& difference, const RowAt& row, const Region& region, const Masks& masks) {
  const int begin = region.begin[3];
  const int end = region.end[3];
  const bool masked = masks.first.values != nullptr || masks.second.values != nullptr;
  const auto bytes = static_cast<std::size_t>(std::max(end - begin, 0)) * sizeof(float);
  if (!masked && std::memcmp(row.first + begin, row.second + begin, bytes) == 0) {
    difference.compared += std::max(end - begin, 0);
    return;
  }
  for (int column = begin; column < end; ++column) {
    if (!masks.both_see(row.at[2], column)) continue;
    std::array<int, 4> index{};
    for (int axis = 0; axis + region.padding < 4; ++axis)
      index[static_cast<std::size_t>(axis)] = row.at[static_cast<std::size_t>(axis + region.padding)];
    index[static_cast<std::size_t>(3 - region.padding)] = column;
    count_cell(difference, row.first[column], row.second[column], index);
  }
}

TensorDifference compare_region(const TensorView& first, const TensorView& second, const Region& region,
                                const Masks& masks, TensorDifference difference) {
  for (int a = region.begin[0]; a < region.end[0]; ++a)
    for (int b = region.begin[1]; b < region.end[1]; ++b)
      for (int c = region.begin[2]; c < region.end[2]; ++c) {
        const auto offset = [&](const std::array<int, 4>& strides) {
          return static_cast<std::ptrdiff_t>(a) * strides[0] + static_cast<std::ptrdiff_t>(b) * strides[1] +
                 static_cast<std::ptrdiff_t>(c) * strides[2];
        };
        compare_cells(difference,
                      {first.values + offset(region.first_row_major),
                       second.values + offset(region.second_row_major),
                       {a, b, c, 0}},
                      region, masks);
      }
  return difference;
}

bool is_compared(const Entry& entry) {
  const Site site = entry.label.site;
  return entry.op != Op::leaf && site != Site::unnamed && !is_parameter(site);
}

/// Narrows one axis of the region to a single position; to nothing when the region doesn't have it.
void narrow(Region& region, int axis, int position) {
  const auto slot = static_cast<std::size_t>(axis + region.padding);
  region.begin[slot] = position;
  region.end[slot] = position >= 0 && position < region.end[slot] ? position + 1 : position;
}

}  // namespace

std::vector<TensorDifference> compare(const Tape& first, const Tape& second, std::optional<int> target_row) {
  std::vector<TensorDifference> differences;
  const std::span<const Entry> entries = first.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (!is_compared(entry)) continue;
    const Value partner = second.find(entry.label);
    if (!partner.valid()) continue;
    const TensorView other = second.tensor(partner);
    if (other.shape.rank() != entry.value.shape.rank()) continue;
    Region region = common_region(entry.value, other);
    const int axis = row_axis(entry.label);
    if (target_row && axis >= 0 && axes_of(entry.label)[static_cast<std::size_t>(axis)] == Axis::target)
      narrow(region, axis, *target_row);
    const Masks masks{mask_of(first, entry.label), mask_of(second, entry.label)};
    differences.push_back(
        compare_region(entry.value, other, region, masks,
                       {.label = entry.label, .first = {static_cast<int>(i)}, .second = partner}));
  }
  return differences;
}

TensorDifference compare_tensor(const Tape& first, const Tape& second, const Label& label, int row,
                                int head) {
  const Value a = first.find(label);
  const Value b = second.find(label);
  TensorDifference difference{.label = label, .first = a, .second = b};
  if (!a.valid() || !b.valid() || first.tensor(a).shape.rank() != second.tensor(b).shape.rank())
    return difference;
  Region region = common_region(first.tensor(a), second.tensor(b));
  const int axis = row_axis(label);
  if (row >= 0 && axis >= 0) narrow(region, axis, row);
  if (head >= 0 && axis > 0) narrow(region, 0, head);
  return compare_region(first.tensor(a), second.tensor(b), region,
                        {mask_of(first, label), mask_of(second, label)}, difference);
}

int first_different(const std::vector<TensorDifference>& differences) {
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (!differences[i].equal()) return static_cast<int>(i);
  return -1;
}

bool is_visible(const Tape& tape, const Label& label, int row, int column) {
  const core::ConstMatrix mask = mask_of(tape, label);
  if (mask.values == nullptr) return true;
  return row < mask.rows && column < mask.columns && sees(mask, row, column);
}

}  // namespace attn::tape
