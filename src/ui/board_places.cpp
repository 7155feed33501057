#include "ui/board_places.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {
namespace {

/// What stands between the cells.
struct Spacing {
  float head;          // from the top of a title to the cells, or to the words over them
  float column_words;  // over a matrix of pairs
  float between;       // blocks of a column
  float least_gap;     // between columns, for the links
};
constexpr Spacing kRoomy{26.0f, 17.0f, 18.0f, 20.0f};
constexpr Spacing kTight{21.0f, 16.0f, 10.0f, 24.0f};

constexpr float kMostGap = 76.0f;
constexpr float kMostSpread = 38.0f;  // between blocks of a column with height to spare
constexpr float kNarrow = 0.42f;      // of the width of the other cells
constexpr float kArcsWidth = 140.0f;  // at least
constexpr float kLargestCell = 44.0f;
constexpr float kLargestWeight = 20.0f;  // height of a cell of weights
constexpr float kAroundWeights = 8.0f;   // between two blocks of weights

bool holds_weights(const BlockModel& block) { return tape::is_parameter(block.block->tensor.site); }

float width_factor(const BlockModel& block) { return block.block->narrow ? kNarrow : 1.0f; }

/// A column of blocks: what it needs as a multiple of the cell's size, and what it needs besides.
struct Column {
  std::vector<std::size_t> blocks;
  float cells_wide = 0.0f;
  float cells_high = 0.0f;
  float fixed_height = 0.0f;
  float least_width = 0.0f;
  float words = 0.0f;    // width of the row words
  bool weights = false;  // each of its blocks stands beside what it makes

  float width(float cell) const { return words + std::max(cells_wide * cell, least_width); }
  float height(float cell) const { return fixed_height + cells_high * cell; }
};

void add(Column& column, const BlockModel& block, std::size_t index, const Spacing& spacing) {
  if (!column.blocks.empty()) column.fixed_height += spacing.between;
  column.weights = holds_weights(block) && (column.blocks.empty() || column.weights);
  column.blocks.push_back(index);
  column.fixed_height += spacing.head;
  column.cells_high += static_cast<float>(block.plane.rows);
  if (!block.is_matrix()) {
    column.least_width = std::max(column.least_width, kArcsWidth);
    return;
  }
  if (pairs_positions(block)) column.fixed_height += spacing.column_words;
  column.cells_wide =
      std::max(column.cells_wide, static_cast<float>(block.plane.columns) * width_factor(block));
  if (pairs_positions(block)) column.words = kRowWords;
}

std::vector<Column> columns_of(const BoardModel& board, const Spacing& spacing) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < board.blocks.size(); ++i) {
    const auto at = static_cast<std::size_t>(board.blocks[i].block->column);
    if (columns.size() <= at) columns.resize(at + 1);
    add(columns[at], board.blocks[i], i, spacing);
  }
  std::erase_if(columns, [](const Column& column) { return column.blocks.empty(); });
  const BlockModel& first = board.blocks[columns[0].blocks[0]];
  if (counts_positions(first.axes.rows)) columns[0].words = kRowWords;
  return columns;
}

/// Places one block with the top of its title at `y`; returns its bottom.
float place_block(const BlockModel& block, const Column& column, Point at, Point cell, const Spacing& spacing,
                  BlockPlace& place) {
  place.shown = true;
  place.column_words = block.is_matrix() && pairs_positions(block);
  place.row_words = block.is_matrix() && column.words > 0.0f && counts_positions(block.axes.rows);
  place.cell_width = cell.x * width_factor(block);
  place.cell_height = cell.y;
  const float width = column.width(cell.x) - column.words;
  const float body = block.is_matrix() ? place.cell_width * static_cast<float>(block.plane.columns) : width;
  place.head = {at.x, at.y, width, 18.0f};
  place.origin = {at.x, at.y + spacing.head + (place.column_words ? spacing.column_words : 0.0f)};
  place.body = {at.x, place.origin.y, body, cell.y * static_cast<float>(block.plane.rows)};
  return place.body.bottom();
}

/// Down from the top, one alone in the middle; what belongs at the bottom ends there.
void place_column(const BoardModel& board, const Column& column, const Rect& area, Point cell,
                  const Spacing& spacing, std::vector<BlockPlace>& places) {
  const float spare = area.height - column.height(cell.y);
  const bool alone = column.blocks.size() == 1;
  const float joints = static_cast<float>(std::max<std::size_t>(column.blocks.size() - 1, 1));
  const float between = std::min(spacing.between + spare / joints, std::max(kMostSpread, spacing.between));
  Point at{area.x + column.words, area.y + (alone ? spare / 2.0f : 0.0f)};
  for (const std::size_t index : column.blocks) {
    BlockPlace& place = places[index];
    const float bottom = place_block(board.blocks[index], column, at, cell, spacing, place);
    if (board.blocks[index].block->at_bottom) {
      const float by = area.bottom() - bottom;
      place.head.y += by;
      place.origin.y += by;
      place.body.y += by;
    }
    at.y = bottom + between;
  }
}

/// Weights stand beside the first block made with them, small enough not to touch the next ones.
void place_weights(const BoardModel& board, const Column& column, float x, Point cell, const Spacing& spacing,
                   std::vector<BlockPlace>& places) {
  for (const std::size_t index : column.blocks) {
    const BlockModel& block = board.blocks[index];
    const auto link = std::find_if(board.links.begin(), board.links.end(),
                                   [&](const BoardLink& one) { return one.from == static_cast<int>(index); });
    if (link == board.links.end()) continue;
    const Rect& made = places[static_cast<std::size_t>(link->to)].body;
    const auto rows = static_cast<float>(block.plane.rows);
    const float height =
        std::min({cell.y, kLargestWeight, (made.height + spacing.between - kAroundWeights) / rows});
    const float top = made.centre().y - height * rows / 2.0f - spacing.head;
    place_block(block, column, {x, top}, {cell.x, std::floor(height)}, spacing, places[index]);
  }
}

Point cell_size(const std::vector<Column>& columns, const Rect& area, const Spacing& spacing) {
  Point cell{kLargestCell, kLargestCell};
  float cells_wide = 0.0f;
  float fixed = static_cast<float>(columns.size() - 1) * spacing.least_gap;
  for (const Column& column : columns) {
    if (!column.weights)
      cell.y = std::min(cell.y, (area.height - column.fixed_height) / std::max(column.cells_high, 1.0f));
    cells_wide += column.cells_wide;
    fixed += column.words + (column.cells_wide > 0.0f ? 0.0f : column.least_width);
  }
  cell.x = std::min(cell.x, (area.width - fixed) / std::max(cells_wide, 1.0f));
  // Whole pixels as long as that costs little.
  if (cell.x > 8.0f) cell.x = std::floor(cell.x);
  if (cell.y > 8.0f) cell.y = std::floor(cell.y);
  return {std::max(cell.x, 1.0f), std::max(cell.y, 1.0f)};
}

}  // namespace

bool counts_positions(tape::Axis axis) { return axis == tape::Axis::target || axis == tape::Axis::source; }

bool pairs_positions(const BlockModel& block) {
  return counts_positions(block.axes.rows) && counts_positions(block.axes.columns);
}

std::vector<BlockPlace> board_places(const BoardModel& board, const Layout& layout) {
  std::vector<BlockPlace> places(board.blocks.size());
  if (!board.valid() || layout.board.empty()) return places;
  if (layout.size == Size::phone) {
    place_on_phone(board, layout, places);
    return places;
  }
  const Spacing& spacing = layout.board.height < 420.0f ? kTight : kRoomy;
  const std::vector<Column> columns = columns_of(board, spacing);
  const Rect& area = layout.board;
  const Point cell = cell_size(columns, area, spacing);
  const float gaps = static_cast<float>(columns.size() - 1);

  float width = 0.0f;
  float height = 0.0f;
  for (const Column& column : columns) {
    width += column.width(cell.x);
    if (!column.weights) height = std::max(height, column.height(cell.y));
  }
  const float gap = gaps > 0.0f
                        ? std::clamp((area.width - width) / gaps, std::min(spacing.least_gap, 8.0f), kMostGap)
                        : 0.0f;
  const float top = area.y + std::max((area.height - height) / 2.0f, 0.0f);
  const float left = area.x + std::max((area.width - width - gap * gaps) / 2.0f, 0.0f);
  for (const bool weights : {false, true}) {
    float x = left;
    for (const Column& column : columns) {
      if (column.weights && weights) place_weights(board, column, x, cell, spacing, places);
      if (!column.weights && !weights)
        place_column(board, column, {x, top, column.width(cell.x), height}, cell, spacing, places);
      x += column.width(cell.x) + gap;
    }
  }
  // A title may reach into the gap on its right, but not to the next column's.
  for (BlockPlace& place : places) place.head.width += std::max(gap - 8.0f, 0.0f);
  return places;
}

}  // namespace attn::ui
