#include "tape/compare.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "core/bits.h"
#include "tape/broadcast.h"

namespace attn::tape {
namespace {

using core::TensorView;

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

/// The mask that applies to a tensor's cells, repeated to its shape; none for tensors without one.
class VisibleCells {
 public:
  VisibleCells(const Tape& tape, const Label& label, const core::Shape& shape) {
    if (!is_masked(label.site)) return;
    const Value mask = tape.find({label.stack, label.layer, label.block, Site::mask});
    if (!mask.valid() || !broadcasts_to(tape.tensor(mask).shape, shape)) return;
    values_ = tape.tensor(mask).values;
    rows_ = BroadcastRows(tape.tensor(mask).shape, shape);
  }

  bool any() const { return values_ != nullptr; }

  /// The answers for row `row`, all axes but the last counted as one; null: everything is visible.
  const float* row(int row) const { return values_ != nullptr ? values_ + rows_.offset(row) : nullptr; }

 private:
  static bool is_masked(Site site) {
    return site == Site::scores || site == Site::capped_scores || site == Site::biased_scores ||
           site == Site::weights;
  }

  const float* values_ = nullptr;
  BroadcastRows rows_;
};

/// A tensor of one run as a box of rank 4 (1s in front), and where the compared part begins in it.
struct Operand {
  TensorView tensor;
  VisibleCells visible;
  std::array<int, 4> extents{1, 1, 1, 1};
  std::array<int, 4> start{};

  Operand(const Tape& tape, Value value, const Label& label)
      : tensor(tape.tensor(value)), visible(tape, label, tensor.shape) {
    for (int axis = 1; axis <= tensor.shape.rank(); ++axis)
      extents[static_cast<std::size_t>(4 - axis)] = tensor.shape[-axis];
  }

  /// Moves the start to position 0 of a sequence.
  void begin_at(const Sequence& sequence, const Label& label) {
    const std::span<const Axis> axes = axes_of(label);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const int offset = axes[i] == Axis::target   ? sequence.target_offset
                         : axes[i] == Axis::source ? sequence.source_offset
                                                   : 0;
      start[4 - axes.size() + i] = offset;
    }
    if (sequence.index >= 0 && has_batch(label)) {
      const std::size_t batch = 3 - axes.size();
      start[batch] = sequence.index;
      extents[batch] = std::min(extents[batch], sequence.index + 1);
    }
  }

  bool has_batch(const Label& label) const {
    return tensor.shape.rank() == static_cast<int>(axes_of(label).size()) + 1;
  }

  /// Index of the row (all axes but the last) of a place of the compared part.
  int row(const std::array<int, 4>& at) const {
    int row = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) row = row * extent(axis) + start[axis] + at[axis];
    return row;
  }

  int remaining(std::size_t axis) const { return extents[axis] - start[axis]; }

 private:
  int extent(std::size_t axis) const {
    const int own = static_cast<int>(axis) - (4 - tensor.shape.rank());
    return own >= 0 ? tensor.shape[own] : 1;
  }
};

/// The part of two tensors that is compared, in positions both have.
struct Region {
  Operand first, second;
  std::array<int, 4> begin{};
  std::array<int, 4> end{};
  std::size_t padding = 0;  // how many leading axes are not the tensor's own

  Region(Operand a, Operand b) : first(std::move(a)), second(std::move(b)) {
    for (std::size_t axis = 0; axis < 4; ++axis)
      end[axis] = std::max(0, std::min(first.remaining(axis), second.remaining(axis)));
    const int rank = std::min(first.tensor.shape.rank(), second.tensor.shape.rank());
    padding = static_cast<std::size_t>(4 - rank);
  }

  /// Narrows an axis, counted from the last (−1), to a single position; to nothing when it isn't there.
  void narrow(int axis, int position) {
    const auto slot = static_cast<std::size_t>(4 + axis);
    begin[slot] = position;
    end[slot] = position >= 0 && position < end[slot] ? position + 1 : position;
  }
};

void compare_row(TensorDifference& difference, const Region& region, const std::array<int, 4>& at) {
  const int begin = region.begin[3];
  const int end = region.end[3];
  if (end <= begin) return;
  const auto row_of = [&](const Operand& operand) {
    const int row = operand.row(at);
    const int columns = operand.tensor.shape.rank() > 0 ? operand.tensor.shape[-1] : 1;
    const float* visible = operand.visible.row(row);
    return std::pair(operand.tensor.values + static_cast<std::ptrdiff_t>(row) * columns + operand.start[3],
                     visible != nullptr ? visible + operand.start[3] : nullptr);
  };
  const auto [first, first_visible] = row_of(region.first);
  const auto [second, second_visible] = row_of(region.second);
  const auto bytes = static_cast<std::size_t>(end - begin) * sizeof(float);
  if (first_visible == nullptr && second_visible == nullptr &&
      std::memcmp(first + begin, second + begin, bytes) == 0) {
    difference.compared += end - begin;
    return;
  }
  for (int column = begin; column < end; ++column) {
    if (first_visible != nullptr && first_visible[column] == 0.0f) continue;
    if (second_visible != nullptr && second_visible[column] == 0.0f) continue;
    std::array<int, 4> index{};
    for (std::size_t axis = region.padding; axis < 3; ++axis) index[axis - region.padding] = at[axis];
    index[3 - region.padding] = column;
    count_cell(difference, first[column], second[column], index);
  }
}

TensorDifference compare_region(const Region& region, TensorDifference difference) {
  std::array<int, 4> at{};
  for (at[0] = region.begin[0]; at[0] < region.end[0]; ++at[0])
    for (at[1] = region.begin[1]; at[1] < region.end[1]; ++at[1])
      for (at[2] = region.begin[2]; at[2] < region.end[2]; ++at[2]) compare_row(difference, region, at);
  return difference;
}

bool is_compared(const Entry& entry) {
  const Site site = entry.label.site;
  return entry.op != Op::leaf && site != Site::unnamed && !is_parameter(site);
}

/// Whether the two tensors count the same axes, but for the batch axis of the one whose sequence was named.
bool are_aligned(const Operand& first, const Operand& second, const Label& label, const Sequence& in_first,
                 const Sequence& in_second) {
  const auto rank = [&](const Operand& operand, const Sequence& sequence) {
    return operand.tensor.shape.rank() - (sequence.index >= 0 && operand.has_batch(label) ? 1 : 0);
  };
  return rank(first, in_first) == rank(second, in_second);
}

/// The axis that holds the rows, counted from the last; 0 when none does.
int row_axis_from_end(const Label& label) {
  const int axis = row_axis(label);
  return axis < 0 ? 0 : axis - static_cast<int>(axes_of(label).size());
}

}  // namespace

std::vector<TensorDifference> compare(const Tape& first, const Tape& second, std::optional<int> target_row,
                                      const Sequence& in_first, const Sequence& in_second) {
  std::vector<TensorDifference> differences;
  const std::span<const Entry> entries = first.entries();
  for (int i = 0; i < static_cast<int>(entries.size()); ++i) {
    const Entry& entry = entries[static_cast<std::size_t>(i)];
    if (!is_compared(entry)) continue;
    const Label& label = entry.label;
    const Value partner = second.find(label);
    if (!partner.valid()) continue;
    Operand a(first, {i}, label);
    Operand b(second, partner, label);
    if (!are_aligned(a, b, label, in_first, in_second)) continue;
    a.begin_at(in_first, label);
    b.begin_at(in_second, label);
    Region region(std::move(a), std::move(b));
    const int axis = row_axis_from_end(label);
    if (target_row && axis < 0 && axes_of(label)[static_cast<std::size_t>(row_axis(label))] == Axis::target)
      region.narrow(axis, *target_row);
    differences.push_back(compare_region(region, {.label = label, .first = {i}, .second = partner}));
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
  Region region(Operand(first, a, label), Operand(second, b, label));
  const int axis = row_axis_from_end(label);
  if (row >= 0 && axis < 0) region.narrow(axis, row);
  if (head >= 0 && row_axis(label) > 0) region.narrow(axis - 1, head);
  return compare_region(region, difference);
}

int first_different(const std::vector<TensorDifference>& differences) {
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (!differences[i].equal()) return static_cast<int>(i);
  return -1;
}

bool is_visible(const Tape& tape, const Label& label, int row, int column, int head, int sequence) {
  const Value value = tape.find(label);
  if (!value.valid()) return true;
  const core::Shape& shape = tape.tensor(value).shape;
  const VisibleCells visible(tape, label, shape);
  if (!visible.any()) return true;
  if (row >= shape[-2] || column >= shape[-1]) return false;
  const int heads = shape.rank() >= 3 ? shape[-3] : 1;
  return visible.row((sequence * heads + head) * shape[-2] + row)[column] != 0.0f;
}

}  // namespace attn::tape
