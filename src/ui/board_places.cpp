#include "ui/board_places.h"

#include <algorithm>
#include <cmath>

#include "ui/board_columns.h"

namespace attn::ui {
namespace {

constexpr float kLargestCell = 44.0f;
constexpr float kWidestWritten = 60.0f;  // cell of rows that are written one after the other
constexpr float kMostGap = 76.0f;        // between columns
constexpr float kMostSpread = 38.0f;     // between blocks of a column with height to spare
constexpr float kMostBandGap = 44.0f;    // between bands with height to spare
constexpr float kLargestWeight = 20.0f;  // height of a cell of weights
constexpr float kAroundWeights = 8.0f;   // between two blocks of weights

/// Places one block of cells with the top of its title at `at`; returns the bottom of what belongs to it.
float place_cells(const BlockModel& block, const Band& band, const Column& column, Point at, float across,
                  Point cell, const Spacing& spacing, BlockPlace& place) {
  const bool words_over = has_column_words(band, block);
  place.shown = true;
  place.column_words = words_over;
  place.row_words = column.words > 0.0f && counts_positions(block.axes.rows);
  place.words = column.words;
  const float width = across - column.words;
  const float widest = std::min(kWidestWritten, width / static_cast<float>(block.plane.columns));
  place.cell_width =
      block.block->written ? std::max(cell.x, std::floor(widest)) : cell.x * width_factor(band, block);
  place.cell_height = cell.y;
  place.head = {at.x, at.y, width, 18.0f};
  const bool names_over = words_over || !block.is_matrix();  // of columns, or of the sides of arcs
  place.origin = {at.x, at.y + head_height(block, spacing) + (names_over ? spacing.column_words : 0.0f)};
  if (block.in_place.size() > 1)
    place.head = {at.x - column.words, at.y, width + column.words, spacing.turns};
  const float body_width =
      block.is_matrix() ? place.cell_width * static_cast<float>(block.plane.columns) : width;
  place.body = {at.x, place.origin.y, body_width, cell.y * static_cast<float>(block.plane.rows)};
  return place.body.bottom() + below_cells(block);
}

/// A block that takes the room it is given: large matrices keep whole cells in it.
float place_free(const BlockModel& block, const Rect& room, float row_words, const Spacing& spacing,
                 BlockPlace& place) {
  place.shown = true;
  place.head = {room.x, room.y, room.width, 18.0f};
  const float below = below_cells(block);
  Rect body{room.x, room.y + spacing.head, room.width, room.height - spacing.head - below};
  if (block.is_matrix()) {
    const auto rows = static_cast<float>(block.plane.rows);
    const auto columns = static_cast<float>(block.plane.columns);
    const float words =
        counts_positions(block.axes.rows) && block.plane.rows <= kMostRowsWithWords ? row_words : 0.0f;
    place.row_words = words > 0.0f;
    place.words = words;
    body.x += words;
    body.width -= words + row_figures_width(block);
    Point cell{std::min(body.width / columns, kLargestCell), std::min(body.height / rows, kLargestCell)};
    if (pairs_positions(block)) cell = squared(cell, block.plane);
    if (cell.x > 8.0f) cell.x = std::floor(cell.x);
    if (cell.y > 8.0f) cell.y = std::floor(cell.y);
    place.cell_width = cell.x;
    place.cell_height = cell.y;
    body.width = cell.x * columns;
    body.height = cell.y * rows;
  }
  if (block.block->kind == lessons::BlockKind::vectors) {
    const float side = std::min(body.width, body.height);
    body = {body.x, body.y, side, side};
  }
  if (block.block->kind == lessons::BlockKind::table)
    body.height = std::min(body.height, table_height(block));
  place.origin = {body.x, body.y};
  place.body = body;
  return body.bottom() + below;
}

/// Room over a block of cells that is alone in its column. Fewer rows of the same begin with the longer
/// ones'.
float alone_top(const BoardModel& board, const Band& band, const Column& column, float loose, float cell) {
  const BlockModel& own = board.blocks[column.blocks.front()];
  float most_high = column.cells_high;
  for (const Column& other : band.columns)
    if (other.blocks.size() == 1 && rows_meet(own, board.blocks[other.blocks.front()]))
      most_high = std::max(most_high, other.cells_high);
  return std::max(loose - (most_high - column.cells_high) * cell, 0.0f) / 2.0f + column.lower;
}

/// Down from the top, one alone in the middle; what belongs at the bottom ends there.
void place_column(const BoardModel& board, const Band& band, const Column& column, const Rect& area,
                  Point cell, const Spacing& spacing, std::vector<BlockPlace>& places) {
  const float spare = std::max(area.height - column.height(cell.y), 0.0f);
  const float more = column.growing > 0 ? spare / static_cast<float>(column.growing) : 0.0f;
  const float loose = column.growing > 0 ? 0.0f : spare;
  const bool alone = column.blocks.size() == 1;
  const float joints = static_cast<float>(std::max<std::size_t>(column.blocks.size() - 1, 1));
  const float between = std::min(spacing.between + loose / joints, std::max(kMostSpread, spacing.between));
  Point at{area.x + column.words, area.y};
  if (alone) at.y += column.cells_high > 0.0f ? alone_top(board, band, column, loose, cell.y) : loose / 2.0f;
  for (const std::size_t index : column.blocks) {
    BlockPlace& place = places[index];
    const BlockModel& block = board.blocks[index];
    if (is_free(block)) {
      const float height = spacing.head + least_height(block) * column.squeeze +
                           (grows(block) ? more : 0.0f) + below_cells(block);
      place_free(block, {area.x, at.y, area.width, height}, board.row_words, spacing, place);
      at.y += height + between;
      continue;
    }
    const float bottom = place_cells(block, band, column, at, area.width, cell, spacing, place);
    if (!block.is_matrix()) place.words = board.row_words;
    if (block.block->at_bottom) {
      const float by = area.bottom() - bottom;
      place.head.y += by;
      place.origin.y += by;
      place.body.y += by;
    }
    at.y = bottom + between;
  }
}

/// Weights stand beside the first block made with them, small enough not to touch the next ones.
void place_weights(const BoardModel& board, const Band& band, const Column& column, float x, Point cell,
                   const Spacing& spacing, std::vector<BlockPlace>& places) {
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
    place_cells(block, band, column, {x, top}, column.width(cell.x), {cell.x, std::floor(height)}, spacing,
                places[index]);
  }
}

float cell_width(const Band& band, float width, const Spacing& spacing) {
  float cells = 0.0f;
  float fixed = static_cast<float>(band.columns.size() - 1) * spacing.least_gap;
  for (const Column& column : band.columns) {
    cells += column.cells_wide;
    fixed += column.words + column.figures + (column.cells_wide > 0.0f ? 0.0f : column.least_width);
  }
  const float cell = std::min(kLargestCell, (width - fixed) / std::max(cells, 1.0f));
  return std::max(cell > 8.0f ? std::floor(cell) : cell, 1.0f);  // whole pixels as long as that costs little
}

/// Narrow blocks are as wide as others where all cells can show their numbers; else they give up width first.
void choose_narrow(const BoardModel& board, Band& band, float width, const Spacing& spacing) {
  constexpr float kShowsNumbers = 33.0f;
  struct Share {
    float narrow, weights;
  };
  for (const Share& share : {Share{1.0f, 1.0f}, Share{0.75f, 0.42f}, Share{0.42f, 0.42f}}) {
    set_narrow(board, band, share.narrow, share.weights);
    const float cell = cell_width(band, width, spacing);
    float used = static_cast<float>(band.columns.size() - 1) * spacing.least_gap;
    for (const Column& column : band.columns) used += column.width(cell);
    if (cell >= kShowsNumbers && used <= width) return;
  }
}

float height_of(const std::vector<Band>& bands, float cell, const Spacing& spacing) {
  float height = static_cast<float>(bands.size() - 1) * spacing.between;
  for (const Band& band : bands) height += band.height(cell);
  return height;
}

/// One height of cell for all bands: the largest at which they fit.
float cell_height(const std::vector<Band>& bands, float height, const Spacing& spacing) {
  constexpr int kHalvings = 16;
  float least = 1.0f;
  float most = kLargestCell;
  if (height_of(bands, most, spacing) <= height) return most;
  for (int i = 0; i < kHalvings; ++i) {
    const float middle = (least + most) / 2.0f;
    (height_of(bands, middle, spacing) <= height ? least : most) = middle;
  }
  return least > 8.0f ? std::floor(least) : least;
}

/// Room to spare goes in equal parts to the columns that can use it.
void share(float room, const Band& band, std::vector<float>& widths) {
  constexpr int kRounds = 4;  // what one column has no use for goes to the others
  for (int round = 0; round < kRounds; ++round) {
    float spare = room;
    float hungry = 0.0f;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      spare -= widths[i];
      hungry += widths[i] < band.columns[i].most_width ? 1.0f : 0.0f;
    }
    if (spare <= 0.0f || hungry == 0.0f) return;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (const float most = band.columns[i].most_width; widths[i] < most)
        widths[i] = std::min(widths[i] + spare / hungry, most);
  }
}

void place_band(const BoardModel& board, const Band& band, const Rect& area, float cell_height,
                const Spacing& spacing, std::vector<BlockPlace>& places) {
  const Point cell{cell_width(band, area.width, spacing), cell_height};
  const float gaps = static_cast<float>(band.columns.size() - 1);
  std::vector<float> widths;
  for (const Column& column : band.columns) widths.push_back(column.width(cell.x));
  share(area.width - gaps * spacing.least_gap, band, widths);
  float width = 0.0f;
  for (const float one : widths) width += one;
  const float gap = gaps > 0.0f
                        ? std::clamp((area.width - width) / gaps, std::min(spacing.least_gap, 8.0f), kMostGap)
                        : 0.0f;
  const float left = area.x + std::max((area.width - width - gap * gaps) / 2.0f, 0.0f);
  for (const bool weights : {false, true}) {
    float x = left;
    for (std::size_t i = 0; i < band.columns.size(); ++i) {
      const Column& column = band.columns[i];
      const float across = widths[i];
      if (column.weights && weights) place_weights(board, band, column, x, cell, spacing, places);
      if (!column.weights && !weights)
        place_column(board, band, column, {x, area.y, across, area.height}, cell, spacing, places);
      x += across + gap;
    }
  }
  // A title may reach into the gap on its right, but not to the next column's.
  for (const Column& column : band.columns)
    for (const std::size_t index : column.blocks) {
      Rect& head = places[index].head;
      head.width = std::min(head.width + std::max(gap - 8.0f, 0.0f), area.right() - head.x);
    }
}

}  // namespace

bool shows_one(const BoardModel& board, const Layout& layout) {
  return layout.size == Size::phone || (board.focus.open && board.focused >= 0);
}

std::vector<BlockPlace> board_places(const BoardModel& board, const Layout& layout) {
  std::vector<BlockPlace> places(board.blocks.size());
  if (!board.valid() || layout.board.empty()) return places;
  if (shows_one(board, layout)) {
    place_one(board, layout, places);
    return places;
  }
  Spacing spacing = layout.board.height < 420.0f ? kTight : kRoomy;
  if (layout.touch) spacing.turns = kFingerTurns;
  const Rect& area = layout.board;
  std::vector<Band> bands = bands_of(board, spacing);
  constexpr float kLeastCell = 11.0f;
  constexpr float kLeastSqueeze = 0.35f;
  if (const float least = height_of(bands, kLeastCell, spacing); least > area.height)
    bands = bands_of(board, spacing, std::max(kLeastSqueeze, area.height / least - 0.1f));
  for (Band& band : bands) choose_narrow(board, band, area.width, spacing);
  const float cell = cell_height(bands, area.height, spacing);
  const float used = height_of(bands, cell, spacing);
  const float joints = static_cast<float>(bands.size() - 1);
  float growing = 0.0f;
  for (const Band& band : bands) growing += band.grows() ? 1.0f : 0.0f;
  const float more = growing > 0.0f ? 0.0f : std::max((area.height - used) / std::max(joints, 1.0f), 0.0f);
  const float gap = joints > 0.0f ? std::min(spacing.between + more, kMostBandGap) : 0.0f;
  const float spare = std::max(area.height - used - (gap - spacing.between) * joints, 0.0f);
  const float taller = growing > 0.0f ? spare / growing : 0.0f;
  float y = area.y + (growing > 0.0f ? 0.0f : spare / 2.0f);
  for (const Band& band : bands) {
    const float height = band.height(cell) + (band.grows() ? taller : 0.0f);
    place_band(board, band, {area.x, y, area.width, height}, cell, spacing, places);
    y += height + gap;
  }
  return places;
}

}  // namespace attn::ui
