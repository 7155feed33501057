#include "ui/board_columns.h"

#include <algorithm>
#include <string_view>

#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

constexpr float kArcsWidth = 140.0f;  // at least
constexpr float kMostArcs = 340.0f;
constexpr float kPlotWidth = 260.0f;     // at least
constexpr float kPlotHeight = 150.0f;    // at least
constexpr float kLargeMatrix = 180.0f;   // side, at least
constexpr float kFallingWidth = 240.0f;  // at least
constexpr float kFallingHeight = 200.0f;
constexpr float kMostFalling = 600.0f;
constexpr float kMostCandidates = 300.0f;
constexpr float kMostSquare = 460.0f;
constexpr float kSwitch = 180.0f;  // over what takes turns and the words of its rows
constexpr float kMostPlot = 620.0f;
constexpr float kMostTable = 440.0f;
constexpr float kTableNames = 200.0f;  // of the rows
constexpr float kTableCell = 110.0f;
constexpr int kMostCells = 20;  // rows or columns that are read one by one
constexpr int kMostPairsWithWords = 3;

float least_width(const BlockModel& block) {
  switch (block.block->kind) {
    case lessons::BlockKind::matrix:
      return is_free(block) ? kLargeMatrix : 0.0f;
    case lessons::BlockKind::arcs:
      return kArcsWidth;
    case lessons::BlockKind::plot:
      return kPlotWidth;
    case lessons::BlockKind::table:
    case lessons::BlockKind::candidates:
      return kTableWidth;
    case lessons::BlockKind::vectors:
      return kLargeMatrix;
    case lessons::BlockKind::falling:
    case lessons::BlockKind::words:
      return kFallingWidth;
  }
  return 0.0f;
}

float most_width(const BlockModel& block) {
  switch (block.block->kind) {
    case lessons::BlockKind::matrix:
    case lessons::BlockKind::vectors:
      return kMostSquare;
    case lessons::BlockKind::arcs:
      return kMostArcs;
    case lessons::BlockKind::plot:
      return kMostPlot;
    case lessons::BlockKind::table:
      if (block.alone) return kMostPlot;
      return std::min(kMostTable,
                      kTableNames + kTableCell * static_cast<float>(block.block->table.columns.size()));
    case lessons::BlockKind::candidates:
      return kMostCandidates;
    case lessons::BlockKind::falling:
    case lessons::BlockKind::words:
      return kMostFalling;
  }
  return 0.0f;
}

void add(Band& band, Column& column, const BoardModel& board, std::size_t index, const Spacing& spacing,
         float squeeze) {
  const BlockModel& block = board.blocks[index];
  if (!column.blocks.empty()) column.fixed_height += spacing.between;
  column.weights = tape::is_parameter(block.block->tensor.site) && block.is_matrix() && !is_free(block) &&
                   (column.blocks.empty() || column.weights);
  column.blocks.push_back(index);
  column.fixed_height += head_height(block, spacing) + below_cells(block);
  column.least_width = std::max(column.least_width, least_width(block));
  if (is_free(block)) {
    column.fixed_height += least_height(block) * squeeze;
    column.most_width = std::max(column.most_width, most_width(block));
    column.growing += grows(block) ? 1 : 0;
    column.squeeze = squeeze;
    return;
  }
  column.cells_high += static_cast<float>(block.plane.rows);
  if (!block.is_matrix()) {
    column.fixed_height += spacing.column_words;  // the names of its two sides
    column.most_width = std::max(column.most_width, most_width(block));
    return;
  }
  if (has_column_words(band, block)) column.fixed_height += spacing.column_words;
  if (pairs_positions(block) && band.pairs <= kMostPairsWithWords) column.words = board.row_words;
  column.figures = std::max(column.figures, row_figures_width(block));
  if (block.in_place.size() > 1) column.least_width = std::max(column.least_width, kSwitch - board.row_words);
}

}  // namespace

float Column::width(float cell) const { return words + figures + std::max(cells_wide * cell, least_width); }

float Band::height(float cell) const {
  float most = 0.0f;
  for (const Column& column : columns)
    if (!column.weights) most = std::max(most, column.height(cell));
  return most;
}

bool Band::grows() const {
  return std::any_of(columns.begin(), columns.end(), [](const Column& column) { return column.growing > 0; });
}

bool grows(const BlockModel& block) {
  return is_free(block) && block.block->kind != lessons::BlockKind::table;
}

bool is_free(const BlockModel& block) {
  switch (block.block->kind) {
    case lessons::BlockKind::matrix:
      return block.plane.rows > kMostCells || block.plane.columns > kMostCells;
    case lessons::BlockKind::arcs:
      return false;
    case lessons::BlockKind::plot:
    case lessons::BlockKind::table:
    case lessons::BlockKind::vectors:
    case lessons::BlockKind::falling:
    case lessons::BlockKind::candidates:
    case lessons::BlockKind::words:
      return true;
  }
  return false;
}

float table_height(const BlockModel& block) {
  return (block.alone ? kLargeTableRow : kTableRow) * static_cast<float>(block.block->table.rows.size() + 1);
}

float least_height(const BlockModel& block) {
  if (block.block->kind == lessons::BlockKind::table) return table_height(block);
  if (block.block->kind == lessons::BlockKind::candidates)
    return kLeastCandidateRow * static_cast<float>(lessons::kCandidates);
  if (block.block->kind == lessons::BlockKind::falling) return kFallingHeight;
  if (block.is_matrix()) return std::min(kLargeMatrix, 12.0f * static_cast<float>(block.plane.rows));
  return kPlotHeight;
}

float head_height(const BlockModel& block, const Spacing& spacing) {
  return block.in_place.size() > 1 ? std::max(spacing.head, spacing.turns + 4.0f) : spacing.head;
}

bool has_verdict(const BlockModel& block) {
  return std::any_of(block.in_place.begin(), block.in_place.end(),
                     [](const lessons::Block& one) { return !one.verdict.text.en.empty(); });
}

Point squared(Point cell, const lessons::Plane& plane) {
  constexpr float kThinnest = 32.0f;
  const float side = std::min(cell.x, cell.y);
  return {std::min(cell.x, std::max(side, kThinnest / static_cast<float>(plane.columns))),
          std::min(cell.y, std::max(side, kThinnest / static_cast<float>(plane.rows)))};
}

bool may_merge(const BlockModel& block) {
  constexpr int kMost = 160;  // cells a side: about as many pixels as a block has at least
  return block.is_matrix() && std::max(block.plane.rows, block.plane.columns) > kMost;
}

float below_cells(const BlockModel& block) {
  return (has_verdict(block) ? kVerdictHeight : 0.0f) + (may_merge(block) ? kMergeNote : 0.0f);
}

float width_factor(const Band& band, const BlockModel& block) {
  if (!block.block->narrow) return 1.0f;
  return tape::is_parameter(block.block->tensor.site) ? band.narrow_weights : band.narrow;
}

void set_narrow(const BoardModel& board, Band& band, float narrow, float narrow_weights) {
  band.narrow = narrow;
  band.narrow_weights = narrow_weights;
  for (Column& column : band.columns) {
    column.cells_wide = 0.0f;
    for (const std::size_t index : column.blocks)
      if (const BlockModel& block = board.blocks[index]; block.is_matrix() && !is_free(block))
        column.cells_wide =
            std::max(column.cells_wide, static_cast<float>(block.plane.columns) * width_factor(band, block));
  }
}

float row_figures_width(const BlockModel& block) {
  constexpr float kLeast = 46.0f;
  constexpr float kMost = 66.0f;
  constexpr float kLatin = 6.4f;
  float width = 0.0f;
  for (const lessons::Block& one : block.in_place) {
    if (one.row_figures.site == tape::Site::unnamed) continue;
    const auto words = static_cast<float>(std::string_view(one.row_figures_title.en).size());
    width = std::clamp(8.0f + kLatin * words, kLeast, kMost);
  }
  return width;
}

/// What each weight of the column makes stands in the same band, further right.
bool stand_beside(const BoardModel& board, const Column& column) {
  return std::all_of(column.blocks.begin(), column.blocks.end(), [&](std::size_t index) {
    const lessons::Block& weight = *board.blocks[index].block;
    const auto link = std::find_if(board.links.begin(), board.links.end(),
                                   [&](const BoardLink& one) { return one.from == static_cast<int>(index); });
    if (link == board.links.end()) return false;
    const lessons::Block& made = *board.blocks[static_cast<std::size_t>(link->to)].block;
    return made.band == weight.band && made.column > weight.column;
  });
}

bool has_column_words(const Band& band, const BlockModel& block) {
  return block.is_matrix() && block.names_columns && band.pairs <= kMostPairsWithWords;
}

bool rows_meet(const BlockModel& a, const BlockModel& b) {
  return a.is_matrix() && b.is_matrix() && a.block->tensor.site == b.block->tensor.site &&
         counts_positions(a.axes.rows) && counts_positions(b.axes.rows);
}

bool stacks_all(const BoardModel& board, const Layout& layout) {
  constexpr float kEach = 140.0f;
  const bool matrices = std::any_of(board.blocks.begin(), board.blocks.end(),
                                    [](const BlockModel& block) { return block.is_matrix(); });
  return !matrices && kEach * static_cast<float>(board.blocks.size()) <= layout.board.height;
}

/// Blocks that are alone in their columns, of as many rows, have their cells at one height whatever else they
/// carry over them and under them.
void level(const BoardModel& board, Band& band, const Spacing& spacing) {
  const auto over = [&](const BlockModel& block) {
    const float words = has_column_words(band, block) || !block.is_matrix() ? spacing.column_words : 0.0f;
    return words + head_height(block, spacing);
  };
  const auto is_alone = [&](const Column& column) {
    return column.blocks.size() == 1 && !column.weights && column.cells_high > 0.0f;
  };
  for (Column& column : band.columns) {
    if (!is_alone(column)) continue;
    const BlockModel& own = board.blocks[column.blocks.front()];
    float most_over = 0.0f;
    float most_below = 0.0f;
    for (const Column& other : band.columns) {
      if (!is_alone(other)) continue;
      const BlockModel& block = board.blocks[other.blocks.front()];
      if (other.cells_high != column.cells_high && !rows_meet(own, block)) continue;
      most_over = std::max(most_over, over(block));
      most_below = std::max(most_below, below_cells(block));
    }
    column.lower = most_over - over(own);
    column.fixed_height += column.lower + most_below - below_cells(own);
  }
}

std::vector<Band> bands_of(const BoardModel& board, const Spacing& spacing, float squeeze) {
  std::vector<Band> bands;
  for (const BlockModel& block : board.blocks) {
    const auto at = static_cast<std::size_t>(block.block->band);
    if (bands.size() <= at) bands.resize(at + 1);
    if (block.is_matrix() && pairs_positions(block)) ++bands[at].pairs;
  }
  for (std::size_t i = 0; i < board.blocks.size(); ++i) {
    const lessons::Block& block = *board.blocks[i].block;
    Band& band = bands[static_cast<std::size_t>(block.band)];
    const auto at = static_cast<std::size_t>(block.column);
    if (band.columns.size() <= at) band.columns.resize(at + 1);
    add(band, band.columns[at], board, i, spacing, squeeze);
  }
  for (Band& band : bands) {
    for (Column& column : band.columns) column.weights = column.weights && stand_beside(board, column);
    std::erase_if(band.columns, [](const Column& column) { return column.blocks.empty(); });
    set_narrow(board, band, 1.0f, 1.0f);
    if (band.columns.empty()) continue;
    Column& first = band.columns.front();
    const BlockModel& block = board.blocks[first.blocks.front()];
    if (!is_free(block) && block.is_matrix() && counts_positions(block.axes.rows))
      first.words = board.row_words;
    for (Column& column : band.columns)
      if (const BlockModel& other = board.blocks[column.blocks.front()];
          rows_meet(block, other) && other.plane.rows > block.plane.rows)
        column.words = first.words;  // those of the first don't name all its rows
    level(board, band, spacing);
  }
  std::erase_if(bands, [](const Band& band) { return band.columns.empty(); });
  return bands;
}

}  // namespace attn::ui
