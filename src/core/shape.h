// The extents of a tensor, row-major, rank 0 (a scalar) to 4.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "core/check.h"

namespace attn::core {

class Shape {
 public:
  static constexpr int kMaxRank = 4;

  Shape() = default;
  Shape(std::initializer_list<int> extents) {
    ATTN_CHECK(extents.size() <= kMaxRank);
    for (const int extent : extents) append(extent);
  }

  /// Adds an innermost axis.
  void append(int extent) {
    ATTN_CHECK(rank_ < kMaxRank && extent >= 0);
    extents_[static_cast<std::size_t>(rank_++)] = extent;
  }

  int rank() const { return rank_; }

  /// Extent of an axis; negative axes count from the end (-1 is the innermost).
  int operator[](int axis) const {
    const int index = axis < 0 ? rank_ + axis : axis;
    ATTN_CHECK(index >= 0 && index < rank_);
    return extents_[static_cast<std::size_t>(index)];
  }

  /// Number of elements: the product of the extents, 1 for a scalar.
  int size() const {
    int product = 1;
    for (int axis = 0; axis < rank_; ++axis) product *= extents_[static_cast<std::size_t>(axis)];
    return product;
  }

  /// The same extents but for one axis (negative axes count from the end).
  Shape with(int axis, int extent) const {
    const int index = axis < 0 ? rank_ + axis : axis;
    ATTN_CHECK(index >= 0 && index < rank_ && extent >= 0);
    Shape shape = *this;
    shape.extents_[static_cast<std::size_t>(index)] = extent;
    return shape;
  }

  /// Product of all extents but the last `count`: how many rows (1) or matrices (2) the tensor is made of.
  /// 1 when there are no more axes than that.
  int leading_size(int count) const {
    int product = 1;
    for (int axis = 0; axis < rank_ - count; ++axis) product *= extents_[static_cast<std::size_t>(axis)];
    return product;
  }

  bool operator==(const Shape&) const = default;

 private:
  std::array<int, kMaxRank> extents_{};
  int rank_ = 0;
};

/// "(2, 5, 8)"; "()" for a scalar.
std::string to_string(const Shape& shape);

}  // namespace attn::core
