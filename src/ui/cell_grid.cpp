#include "ui/cell_grid.h"

#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"

namespace attn::ui {
namespace {

constexpr float kNumberWidth = 33.0f;  // the smallest cell that holds a number
constexpr float kNumberHeight = 20.0f;
constexpr float kNumberMargin = 4.0f;    // both sides together
constexpr float kSmallestNumber = 9.5f;  // text size
constexpr float kSmallestCompact = 9.0f;
constexpr float kLargestCompact = 11.0f;
constexpr float kCompactMargin = 1.5f;
constexpr float kCompactHeight = 13.0f;
constexpr float kOneDecimalBelow = 99.0f;  // larger numbers have no decimals to lose

void draw_number(Context& context, const CellGrid& grid, int row, int column, float size) {
  const float value = grid.values[grid.at(row, column)];
  const gfx::Rgb fill = gfx::ramp_colour(value, grid.range, grid.ramp, context.theme);
  const bool selected = grid.selected_row == row && grid.selected_column == column;
  const Colour colour = std::isnan(value)                                     ? Colour::different
                        : gfx::number_colour(fill) == gfx::Rgb{255, 255, 255} ? Colour::white
                                                                              : Colour::black;
  const TextStyle style{.font = selected ? Font::mono600 : Font::mono400,
                        .size = size,
                        .colour = colour,
                        .tag = {Mark::cell_number, grid.pane, row, column}};
  std::string text = grid.compact ? compact_number(value, grid.whole)
                     : grid.whole ? lessons::fixed(value, 0)
                                  : lessons::cell_number(value, grid.cell_width);
  if (!grid.whole && !grid.compact && std::fabs(value) < kOneDecimalBelow &&
      context.sketch.width(text, style) > grid.cell_width - kNumberMargin)
    text = lessons::fixed(value, 1);
  context.sketch.text_in(grid.cell(row, column), text, style);
}

}  // namespace

Rect CellGrid::cell(int row, int column) const {
  const gfx::CellShape shape = gfx::cell_shape(cell_width, cell_height);
  return {origin.x + static_cast<float>(column) * cell_width,
          origin.y + static_cast<float>(row) * cell_height, cell_width - shape.gap, cell_height - shape.gap};
}

bool CellGrid::shows_value(int row, int column) const {
  if (row < 0 || column < 0 || row >= rows || column >= columns) return false;
  const gfx::CellState state = states[at(row, column)];
  return state == gfx::CellState::value || state == gfx::CellState::leak || state == gfx::CellState::nan;
}

bool CellGrid::has_numbers() const {
  return compact || (cell_width >= kNumberWidth && cell_height >= kNumberHeight);
}

std::string compact_number(float value, bool whole) {
  const float size = std::fabs(value);
  constexpr float kAlmostZero = 0.005f;  // two decimals can't tell it from 0
  if (!whole && size > 0.0f && size < kAlmostZero) return "~0";
  std::string text = lessons::fixed(value, whole || size >= 10.0f ? 0 : size >= 1.0f ? 1 : 2);
  if (whole || !std::isfinite(value)) return text;
  if (text == "1.00" || value == 1.0f || value == 0.0f) return lessons::fixed(value, 0);
  if (const std::size_t zero = text.find("0."); zero != std::string::npos && size < 1.0f) text.erase(zero, 1);
  return text;
}

float compact_size(const Sketch& sketch, const CellGrid& grid) {
  const float room = grid.cell(0, 0).width - kCompactMargin;
  if (grid.cell_height < kCompactHeight || grid.cell_width >= kNumberWidth || room <= 0.0f) return 0.0f;
  constexpr float kMeasured = 10.0f;  // faces are not exact at sizes nobody reads
  float widest = 0.0f;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column)
      if (grid.shows_value(row, column))
        widest = std::max(widest, sketch.width(compact_number(grid.values[grid.at(row, column)], grid.whole),
                                               {.font = Font::mono600, .size = kMeasured}));
  const float size =
      std::min({kMeasured * room / std::max(widest, 1.0f), kLargestCompact, grid.cell_height - 2.0f});
  return size >= kSmallestCompact ? std::floor(2.0f * size) / 2.0f : 0.0f;
}

HeatmapItem heatmap_of(const CellGrid& grid, gfx::Theme theme) {
  HeatmapItem item;
  item.cells.rows = grid.rows;
  item.cells.columns = grid.columns;
  item.cells.x = grid.origin.x;
  item.cells.y = grid.origin.y;
  item.cells.cell_width = grid.cell_width;
  item.cells.cell_height = grid.cell_height;
  item.cells.shape = gfx::cell_shape(grid.cell_width, grid.cell_height);
  item.cells.range = grid.range;
  item.cells.ramp = grid.ramp;
  item.cells.theme = theme;
  item.values.assign(grid.values.begin(), grid.values.end());
  item.states.assign(grid.states.begin(), grid.states.end());
  item.pane = grid.pane;
  return item;
}

gfx::Merge merge_of(const CellGrid& grid, const Layout& layout) {
  return gfx::merge_of(grid.cell_width, grid.cell_height, layout.pixel_ratio);
}

namespace {

/// Masked cells that are drawn as the value of a cell beside them.
int count_hidden_masked(const CellGrid& grid, const gfx::Merge& merge, const HeatmapItem& item) {
  int hidden = 0;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      if (grid.states[grid.at(row, column)] != gfx::CellState::masked) continue;
      const gfx::CellPlace shown = gfx::shown_cell(item.drawn(), merge, row, column);
      hidden += grid.states[grid.at(shown.row, shown.column)] == gfx::CellState::masked ? 0 : 1;
    }
  return hidden;
}

}  // namespace

std::vector<std::string> merge_notes(const Context& context, const CellGrid& grid) {
  const gfx::Merge merge = merge_of(grid, context.layout);
  if (!merge.any()) return {};
  std::vector<std::string> notes{phrase(context.say(Word::merged_cells), merge.rows, merge.columns),
                                 phrase(context.say(Word::merged_cells_short), merge.rows, merge.columns)};
  const int hidden = count_hidden_masked(grid, merge, heatmap_of(grid, context.theme));
  if (hidden == 0) return notes;
  const std::string count = lessons::thousands(static_cast<std::uint32_t>(hidden));
  const std::string masked = phrase(context.say(Word::masked_not_drawn), count.c_str());
  return {notes[0] + masked, notes[1] + masked};
}

Rect outlined_cell(const CellGrid& grid, int row, int column) {
  constexpr float kLeast = 3.0f;
  return at_least(grid.cell(row, column), kLeast, kLeast);
}

float number_size(const Sketch& sketch, std::span<const CellGrid> grids) {
  float size = 13.0f;
  for (const CellGrid& grid : grids) {
    const float cell = grid.cell_width;
    TextStyle style{.font = Font::mono600,
                    .size = std::min(size, cell < 40.0f    ? 11.0f
                                           : cell <= 44.0f ? 12.0f
                                                           : 13.0f)};
    for (int row = 0; row < grid.rows; ++row)
      for (int column = 0; column < grid.columns; ++column)
        if (grid.shows_value(row, column))
          style.size = sketch.size_that_fits(lessons::cell_number(grid.values[grid.at(row, column)], cell),
                                             cell - kNumberMargin, style, kSmallestNumber);
    size = style.size;
  }
  return size;
}

void draw_cell_numbers(Context& context, const CellGrid& grid, float size) {
  const bool small = std::min(grid.cell_width, grid.cell_height) < kNumberHeight;
  if (small && !grid.has_numbers()) return;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      if (!grid.shows_value(row, column)) continue;
      if (grid.has_numbers())
        draw_number(context, grid, row, column, size);
      else if (std::isnan(grid.values[grid.at(row, column)]))
        context.sketch.text_in(grid.cell(row, column), "×",
                               {.font = Font::mono500,
                                .size = 12.0f,
                                .colour = Colour::different,
                                .tag = {Mark::cell_number, grid.pane, row, column}});
    }
}

}  // namespace attn::ui
