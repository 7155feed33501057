// Broadcasting, aligned at the last axis (NumPy's rule): missing leading axes and axes of extent 1 repeat.
#pragma once

#include <array>
#include <cstddef>

#include "core/shape.h"

namespace attn::tape {

/// Whether `from` can be repeated to fill `to`.
inline bool broadcasts_to(const core::Shape& from, const core::Shape& to) {
  if (from.rank() > to.rank()) return false;
  for (int axis = 1; axis <= from.rank(); ++axis)
    if (from[-axis] != 1 && from[-axis] != to[-axis]) return false;
  return true;
}

/// Where the rows (last axis) of a tensor repeated to fill `to` begin: strides for the axes of `to` but the
/// last, 0 along repeated ones.
class BroadcastRows {
 public:
  BroadcastRows() = default;

  /// `from` must broadcast to `to`.
  BroadcastRows(const core::Shape& from, const core::Shape& to) : to_(to) {
    ATTN_CHECK(to.rank() >= 1 && broadcasts_to(from, to));
    column_step_ = from.rank() > 0 && from[-1] > 1 ? 1 : 0;
    std::ptrdiff_t stride = from.rank() > 0 ? from[-1] : 1;
    for (int axis = 2; axis <= from.rank(); ++axis) {
      if (from[-axis] > 1) strides_[static_cast<std::size_t>(to.rank() - axis)] = stride;
      stride *= from[-axis];
    }
  }

  /// Offset of row `row` of `to` (all axes but the last counted as one) in the repeated tensor.
  std::ptrdiff_t offset(int row) const {
    std::ptrdiff_t offset = 0;
    for (int axis = to_.rank() - 2; axis >= 0 && to_[axis] > 0; --axis) {
      offset += row % to_[axis] * strides_[static_cast<std::size_t>(axis)];
      row /= to_[axis];
    }
    return offset;
  }

  /// 1, or 0 when the tensor has one column that repeats.
  int column_step() const { return column_step_; }

 private:
  core::Shape to_;
  std::array<std::ptrdiff_t, core::Shape::kMaxRank> strides_{};
  int column_step_ = 0;
};

/// The index in `from` of the element that fills `index` of `to`.
inline std::array<int, 4> broadcast_index(const core::Shape& from, const core::Shape& to,
                                          const std::array<int, 4>& index) {
  std::array<int, 4> result{};
  for (int axis = 1; axis <= from.rank(); ++axis)
    result[static_cast<std::size_t>(from.rank() - axis)] =
        from[-axis] == 1 ? 0 : index[static_cast<std::size_t>(to.rank() - axis)];
  return result;
}

}  // namespace attn::tape
