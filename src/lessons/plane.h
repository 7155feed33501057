// How a reader sees a tensor: one head at a time, as rows and columns. Focus, tables and heat maps all count
// cells this way.
//
//   (H, R, C)  head h is the matrix [h, :, :]
//   (R, C)     one plane
//   (N)        a column when its axis is positions (tokens), else one row (a bias)
//   ()         one cell
#pragma once

#include <array>
#include <cstddef>

#include "core/shape.h"
#include "tape/label.h"

namespace attn::lessons {

struct Plane {
  int heads = 1;
  int rows = 1;
  int columns = 1;

  bool has_cell(int head, int row, int column) const {
    return head >= 0 && head < heads && row >= 0 && row < rows && column >= 0 && column < columns;
  }

  /// Offset of a cell in the tensor's values.
  std::size_t offset(int head, int row, int column) const {
    return (static_cast<std::size_t>(head) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) *
               static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
};

/// The shape must have rank 0 to 3.
Plane plane_of(const tape::Label& label, const core::Shape& shape);

/// A cell of a plane.
struct Cell {
  int head = 0;
  int row = 0;
  int column = 0;
};

/// Where a cell stands in the tensor, as tape::explain counts, and back.
std::array<int, 4> index_of(const tape::Label& label, const core::Shape& shape, const Cell& cell);
Cell cell_of(const tape::Label& label, int rank, const std::array<int, 4>& index);

/// What the rows and the columns count; for a tensor of rank 1 the missing one is Axis::feature.
struct PlaneAxes {
  tape::Axis rows = tape::Axis::feature;
  tape::Axis columns = tape::Axis::feature;
};
PlaneAxes plane_axes(const tape::Label& label);

}  // namespace attn::lessons
