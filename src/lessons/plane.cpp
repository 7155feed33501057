#include "lessons/plane.h"

namespace attn::lessons {
namespace {

bool is_column(const tape::Label& label) { return tape::row_axis(label) == 0; }

}  // namespace

Plane plane_of(const tape::Label& label, const core::Shape& shape) {
  switch (shape.rank()) {
    case 0:
      return {};
    case 1:
      return is_column(label) ? Plane{1, shape[0], 1} : Plane{1, 1, shape[0]};
    case 2:
      return {1, shape[0], shape[1]};
    default:
      ATTN_CHECK(shape.rank() == 3);
      return {shape[0], shape[1], shape[2]};
  }
}

std::array<int, 4> index_of(const tape::Label& label, const core::Shape& shape, const Cell& cell) {
  switch (shape.rank()) {
    case 0:
      return {};
    case 1:
      return {is_column(label) ? cell.row : cell.column};
    case 2:
      return {cell.row, cell.column};
    default:
      return {cell.head, cell.row, cell.column};
  }
}

Cell cell_of(const tape::Label& label, int rank, const std::array<int, 4>& index) {
  switch (rank) {
    case 0:
      return {};
    case 1:
      return is_column(label) ? Cell{0, index[0], 0} : Cell{0, 0, index[0]};
    case 2:
      return {0, index[0], index[1]};
    default:
      return {index[0], index[1], index[2]};
  }
}

PlaneAxes plane_axes(const tape::Label& label) {
  const std::span<const tape::Axis> axes = tape::axes_of(label);
  if (axes.size() >= 2) return {axes[axes.size() - 2], axes[axes.size() - 1]};
  PlaneAxes result;
  if (axes.size() == 1) (is_column(label) ? result.rows : result.columns) = axes[0];
  return result;
}

}  // namespace attn::lessons
