#include "gfx/cell_texels.h"

#include <algorithm>
#include <cmath>

namespace attn::gfx {
namespace {

constexpr float kSmallestShapedCell = 3.0f;  // device pixels

struct Cell {
  float value = 0.0f;
  CellState state = CellState::none;
};

Cell cell_at(const CellValues& cells, int columns, int row, int column) {
  const CellState state = cells.states != nullptr
                              ? cells.states[static_cast<std::ptrdiff_t>(row) * columns + column]
                              : CellState::value;
  const float value = cells.values[static_cast<std::ptrdiff_t>(row) * cells.row_stride + column];
  const bool shows_value = state == CellState::value || state == CellState::leak;
  if (shows_value && std::isnan(value)) return {0.0f, CellState::nan};
  return {value, state};
}

int precedence(CellState state) {
  switch (state) {
    case CellState::none:
      return 0;
    case CellState::not_yet:
      return 1;
    case CellState::masked:
      return 2;
    case CellState::value:
      return 3;
    case CellState::leak:
      return 4;
    case CellState::nan:
      return 5;
  }
  return 0;
}

bool is_stronger(Cell a, Cell b) {
  if (precedence(a.state) != precedence(b.state)) return precedence(a.state) > precedence(b.state);
  return std::abs(a.value) > std::abs(b.value);
}

/// Of the merged cells from (row, column) on.
CellPlace strongest(const CellValues& cells, const HeatmapCells& heatmap, const Merge& merge, int row,
                    int column) {
  CellPlace place{row, column};
  Cell best = cell_at(cells, heatmap.columns, row, column);
  const int last_row = std::min(row + merge.rows, heatmap.rows);
  const int last_column = std::min(column + merge.columns, heatmap.columns);
  for (int i = row; i < last_row; ++i)
    for (int j = column; j < last_column; ++j)
      if (const Cell cell = cell_at(cells, heatmap.columns, i, j); is_stronger(cell, best)) {
        best = cell;
        place = {i, j};
      }
  return place;
}

int cells_per_pixel(float cell_side, float pixel_ratio) {
  const float device_pixels = cell_side * pixel_ratio;
  return device_pixels >= 1.0f ? 1 : static_cast<int>(std::ceil(1.0f / device_pixels));
}

}  // namespace

CellShape cell_shape(float width, float height) {
  const float side = std::min(width, height);
  CellShape shape;
  shape.gap = width >= 30.0f && height >= 24.0f ? 2.0f : side >= 12.0f ? 1.0f : 0.0f;
  shape.corner_radius = side >= 30.0f ? 4.0f : side >= 20.0f ? 3.0f : side >= 12.0f ? 1.5f : 0.0f;
  return shape;
}

Merge merge_of(float cell_width, float cell_height, float pixel_ratio) {
  return {cells_per_pixel(cell_height, pixel_ratio), cells_per_pixel(cell_width, pixel_ratio)};
}

CellPlace shown_cell(const HeatmapCells& heatmap, const Merge& merge, int row, int column) {
  return strongest(heatmap.cells, heatmap, merge, row - row % merge.rows, column - column % merge.columns);
}

CellGrid append_texels(const HeatmapCells& heatmap, float pixel_ratio, std::vector<CellTexel>& texels) {
  const bool drawable = heatmap.rows > 0 && heatmap.columns > 0 && heatmap.cells.values != nullptr &&
                        heatmap.cell_width > 0.0f && heatmap.cell_height > 0.0f && pixel_ratio > 0.0f;
  if (!drawable) return {};
  const Merge merge = merge_of(heatmap.cell_width, heatmap.cell_height, pixel_ratio);
  const bool has_before = heatmap.from.values != nullptr;

  CellGrid grid;
  grid.rows = (heatmap.rows + merge.rows - 1) / merge.rows;
  grid.columns = (heatmap.columns + merge.columns - 1) / merge.columns;
  grid.cell_width = heatmap.cell_width * static_cast<float>(merge.columns);
  grid.cell_height = heatmap.cell_height * static_cast<float>(merge.rows);
  if (std::min(grid.cell_width, grid.cell_height) * pixel_ratio >= kSmallestShapedCell)
    grid.shape = heatmap.shape;

  texels.reserve(texels.size() +
                 static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns));
  for (int row = 0; row < heatmap.rows; row += merge.rows) {
    for (int column = 0; column < heatmap.columns; column += merge.columns) {
      const auto look = [&](const CellValues& cells) {
        const CellPlace shown = strongest(cells, heatmap, merge, row, column);
        return cell_at(cells, heatmap.columns, shown.row, shown.column);
      };
      const Cell now = look(heatmap.cells);
      const Cell before = has_before ? look(heatmap.from) : now;
      texels.push_back({ramp_position(now.value, heatmap.range, heatmap.ramp), static_cast<float>(now.state),
                        ramp_position(before.value, heatmap.range, heatmap.ramp),
                        static_cast<float>(before.state)});
    }
  }
  return grid;
}

}  // namespace attn::gfx
