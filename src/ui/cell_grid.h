// A matrix of cells with their numbers, wherever it stands: in a pane of a twin, in a block of a board.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/context.h"

namespace attn::ui {

/// What is drawn of a matrix, and where. Values and states are somebody else's.
struct CellGrid {
  Point origin = {};  // left top of cell (0, 0)
  float cell_width = 0.0f;
  float cell_height = 0.0f;
  int rows = 0;
  int columns = 0;
  std::span<const float> values = {};           // (rows, columns)
  std::span<const gfx::CellState> states = {};  // (rows, columns)
  gfx::Ramp ramp = gfx::Ramp::signed_values;
  float range = 1.0f;
  bool whole = false;    // the numbers are whole: no decimals
  bool compact = false;  // in narrow cells: numbers without the 0 before the point, in a small face
  int selected_row = -1;
  int selected_column = -1;
  Pane pane = Pane::none;

  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  Rect cell(int row, int column) const;
  /// A cell with a value a reader may look at: neither hatched nor dashed.
  bool shows_value(int row, int column) const;
  bool has_numbers() const;  // cells are large enough
};

/// ".37", "−1.4", "12": what a narrow cell has room for.
std::string compact_number(float value, bool whole);

/// The size at which every number of a grid, too narrow for them, fits in its compact form; 0 if none does.
float compact_size(const Sketch& sketch, const CellGrid& grid);

/// The heat map of a grid, without a change to blend from.
HeatmapItem heatmap_of(const CellGrid& grid, gfx::Theme theme);

/// How many of the grid's cells share a pixel.
gfx::Merge merge_of(const CellGrid& grid, const Layout& layout);

/// What a heat map shows whose cells share pixels, and how many masked cells it can't, in wordings from long
/// to short; none where every cell has a pixel of its own.
std::vector<std::string> merge_notes(const Context& context, const CellGrid& grid);

/// A cell's rectangle, for an outline that can be seen however small the cell is.
Rect outlined_cell(const CellGrid& grid, int row, int column);

/// One text size for several grids at which, down to a limit, every number keeps its margin.
float number_size(const Sketch& sketch, std::span<const CellGrid> grids);

/// The numbers, or a cross for NaN where cells are too small for the word.
void draw_cell_numbers(Context& context, const CellGrid& grid, float size);

}  // namespace attn::ui
