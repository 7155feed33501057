#include <algorithm>
#include <cmath>

#include "ui/board_columns.h"

namespace attn::ui {
namespace {

constexpr float kTitle = 28.0f;
constexpr float kOperandTitle = 18.0f;   // more, where it has no operand above to stand beside
constexpr float kSides = 14.0f;          // names of the two sides of arcs
constexpr float kWords = 20.0f;          // over the columns
constexpr float kOperandGap = 14.0f;     // between the block and its operands
constexpr float kOperandWidth = 16.0f;   // of a cell left of the block
constexpr float kWideOperand = 38.0f;    // … that shows its number, where there is room
constexpr float kOperandHeight = 20.0f;  // of a cell above it, at least
constexpr float kMostOperandHeight = 26.0f;
constexpr float kMostShift = 28.0f;  // down, when there is height to spare
constexpr float kLargestCell = 58.0f;

constexpr float kSwitchWidth = 148.0f;
constexpr float kSwitchHeight = 36.0f;
constexpr float kUnderSwitch = 12.0f;  // more than under a title alone

constexpr float kArcsRow = 44.0f;
constexpr float kUnderBlock = 16.0f;   // of blocks under one another
constexpr float kLeastGrown = 110.0f;  // height of a plot, before tables give up theirs
constexpr float kLeastSqueeze = 0.6f;  // of the height of a table's row, at which it can still be read

constexpr float kMatrixShare = 0.56f;  // of the height, beside another view of the same tensor
constexpr float kPairShare = 0.56f;    // of the width, for vectors beside a table
constexpr float kPairGap = 20.0f;
constexpr float kPairCell = 40.0f;    // of the matrix over them
constexpr int kMostOperandCells = 8;  // rows or columns, away from the block
constexpr float kMostOver = 0.5f;     // of the height, for what stands above

bool is_companion(const BoardModel& board, const BlockModel& block) {
  const bool arcs = block.block->kind == lessons::BlockKind::arcs;
  return block.block->tensor == board.focus.tensor && !block.is_matrix() &&
         (!arcs || board.focused < 0 || board.as_arcs);
}

/// An operand that fits row by row beside what it makes, or column by column above it.
const BoardLink* operand_link(const BoardModel& board, bool left, float height) {
  const BlockModel& made = board.blocks[static_cast<std::size_t>(board.focused)];
  for (const BoardLink& link : board.links) {
    if (link.to != board.focused || (link.operand == Operand::row) != left) continue;
    if (link.operand == Operand::apart) continue;
    const lessons::Plane& plane = board.blocks[static_cast<std::size_t>(link.from)].plane;
    const bool turned = link.operand == Operand::transposed_column;
    const int along = left || turned ? plane.rows : plane.columns;  // cells that face the block's own
    const int deep = left || turned ? plane.columns : plane.rows;
    const bool low = left || static_cast<float>(deep) * kOperandHeight <= kMostOver * height;
    if (deep <= kMostOperandCells && along == (left ? made.plane.rows : made.plane.columns) && low)
      return &link;
  }
  return nullptr;
}

void put(BlockPlace& place, const BlockModel& block, Point origin, Point cell, bool transposed) {
  place.shown = true;
  place.transposed = transposed;
  place.origin = origin;
  place.cell_width = cell.x;
  place.cell_height = cell.y;
  const int across = transposed ? block.plane.rows : block.plane.columns;
  const int down = transposed ? block.plane.columns : block.plane.rows;
  place.body = {origin.x, origin.y, cell.x * static_cast<float>(across), cell.y * static_cast<float>(down)};
}

/// Vectors with what is read off them beside: both have to be seen while a tip is dragged.
bool place_pair(const BoardModel& board, const Rect& area, std::vector<BlockPlace>& places) {
  std::size_t vectors = board.blocks.size();
  std::size_t table = board.blocks.size();
  for (std::size_t i = 0; i < board.blocks.size(); ++i) {
    if (board.blocks[i].block->kind == lessons::BlockKind::vectors) vectors = i;
    if (board.blocks[i].block->kind == lessons::BlockKind::table) table = i;
  }
  if (std::max(vectors, table) == board.blocks.size()) return false;
  const float side = std::min(area.height - kTitle, area.width * kPairShare);
  const float x = area.x + side + kPairGap;
  for (const std::size_t index : {vectors, table}) places[index].shown = true;
  places[vectors].head = {area.x, area.y, side, 18.0f};
  places[vectors].body = {area.x, area.y + kTitle, side, side};
  places[table].head = {x, area.y, area.right() - x, 18.0f};
  places[table].body = {x, area.y + kTitle, area.right() - x,
                        std::min(side, table_height(board.blocks[table]))};
  for (const std::size_t index : {vectors, table})
    places[index].origin = {places[index].body.x, places[index].body.y};
  return true;
}

/// Blocks that show the focus tensor in another way, under one another.
void place_companions(const BoardModel& board, const Rect& area, bool all, std::vector<BlockPlace>& places) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < board.blocks.size(); ++i)
    if (all || is_companion(board, board.blocks[i])) indices.push_back(i);
  if (indices.empty()) return;
  // What grows shares the height that the others, as high as their rows, leave.
  const auto rows_high = [&](const BlockModel& block) {
    if (block.block->kind == lessons::BlockKind::table) return table_height(block);
    if (block.block->kind == lessons::BlockKind::arcs)
      return kSides + kArcsRow * static_cast<float>(std::max(block.plane.rows, 1));
    return 0.0f;
  };
  const auto around = [](const BlockModel& block) {
    return kTitle + (has_verdict(block) ? kVerdictHeight : 0.0f) + kUnderBlock;
  };
  float growing = 0.0f;
  float wanted = 0.0f;
  float fixed = 0.0f;
  for (const std::size_t index : indices) {
    const BlockModel& block = board.blocks[index];
    fixed += around(block);
    wanted += rows_high(block);
    growing += rows_high(block) == 0.0f ? 1.0f : 0.0f;
  }
  const float room = std::max(area.height - fixed, 0.0f);
  const float least = kLeastGrown * growing;
  const float squeeze = wanted > 0.0f ? std::clamp((room - least) / wanted, kLeastSqueeze, 1.0f) : 1.0f;
  const float share = growing > 0.0f ? std::max(room - wanted * squeeze, 0.0f) / growing : 0.0f;
  float y = area.y;
  for (const std::size_t index : indices) {
    const BlockModel& block = board.blocks[index];
    BlockPlace& place = places[index];
    place.shown = true;
    place.head = {area.x, y, area.width, 18.0f};
    const float high = rows_high(block) > 0.0f ? rows_high(block) * squeeze : share;
    place.body = {area.x, y + kTitle, area.width, std::max(high, 24.0f)};
    if (block.block->kind == lessons::BlockKind::vectors) {
      const float side = std::min(place.body.width, place.body.height);
      place.body = {area.x + (area.width - side) / 2.0f, place.body.y, side, side};
    }
    if (block.block->kind == lessons::BlockKind::arcs) {
      place.body.y += kSides;
      place.body.height = std::max(place.body.height - kSides, 24.0f);
      place.cell_height = place.body.height / static_cast<float>(std::max(block.plane.rows, 1));
    }
    place.origin = {place.body.x, place.body.y};
    place.words = board.row_words;
    y += around(block) + std::max(high, 24.0f);
  }
}

void place_matrix(const BoardModel& board, const Rect& area, bool wide, std::vector<BlockPlace>& places) {
  const BlockModel& block = board.blocks[static_cast<std::size_t>(board.focused)];
  const auto of = [&](const BoardLink& link) -> const BlockModel& {
    return board.blocks[static_cast<std::size_t>(link.from)];
  };
  const BoardLink* left = operand_link(board, true, area.height);
  const BoardLink* above = operand_link(board, false, area.height);
  const bool turned = above != nullptr && above->operand == Operand::transposed_column;

  const bool many = block.plane.rows > kMostRowsWithWords;
  const float words = counts_positions(block.axes.rows) && !many ? board.row_words + 4.0f : 0.0f;
  const float below = below_cells(block);
  const float figures = row_figures_width(block);
  const float operand_width = wide ? kWideOperand : kOperandWidth;
  const float beside =
      left == nullptr ? 0.0f : operand_width * static_cast<float>(of(*left).plane.columns) + kOperandGap;
  const int rows_over = above == nullptr ? 0 : turned ? of(*above).plane.columns : of(*above).plane.rows;
  const float rows = static_cast<float>(block.plane.rows);
  const bool column_words = block.names_columns;
  const float title = left != nullptr && above == nullptr ? kTitle + kOperandTitle : kTitle;
  const float headings = title + (column_words ? kWords : 0.0f);
  const float height = area.height - headings - below - (above == nullptr ? 0.0f : kOperandGap);
  const auto over_rows = static_cast<float>(rows_over);
  Point cell{(area.width - words - figures - beside) / static_cast<float>(block.plane.columns),
             (height - kOperandHeight * over_rows) / rows};
  const auto snapped = [](float side) {  // whole pixels as long as that costs little
    const float least = std::min(side, kLargestCell);
    return least > 8.0f ? std::floor(least) : least;
  };
  cell = {snapped(cell.x), snapped(cell.y)};
  if (is_free(block) && pairs_positions(block)) cell = squared(cell, block.plane);
  if (!may_merge(block)) cell = {std::max(cell.x, 1.0f), std::max(cell.y, 1.0f)};
  const float operand_height = std::clamp(std::floor((height - cell.y * rows) / std::max(over_rows, 1.0f)),
                                          kOperandHeight, kMostOperandHeight);
  const float over = above == nullptr ? 0.0f : operand_height * over_rows + kOperandGap;
  const float spare = std::max(area.height - headings - below - over - cell.y * rows, 0.0f);
  const float top = headings + over + std::min(spare / 2.0f, kMostShift);

  const float used = words + figures + beside + cell.x * static_cast<float>(block.plane.columns);
  const Point origin{area.x + (area.width - used) / 2.0f + words + beside, area.y + top};
  BlockPlace& place = places[static_cast<std::size_t>(board.focused)];
  put(place, block, origin, cell, false);
  const float title_x = wide ? area.x + (area.width - used) / 2.0f + words : area.x;
  place.head = {title_x, area.y + std::min(spare / 4.0f, 10.0f), area.right() - title_x, 18.0f};
  place.column_words = column_words && above == nullptr;
  place.row_words = words > 0.0f && left == nullptr;
  place.words = board.row_words;
  if (left != nullptr) {
    BlockPlace& beside_place = places[static_cast<std::size_t>(left->from)];
    put(beside_place, of(*left), {origin.x - beside, origin.y}, {operand_width, cell.y}, false);
    beside_place.operand = true;
    beside_place.row_words = words > 0.0f;
    beside_place.words = board.row_words;
    // Over columns without words it may go on to the right.
    const float right =
        place.column_words || above != nullptr ? beside_place.body.right() : place.body.right();
    beside_place.head = {area.x, origin.y - 24.0f, right - area.x, 18.0f};
  }
  if (above == nullptr) return;
  BlockPlace& columns = places[static_cast<std::size_t>(above->from)];
  put(columns, of(*above), {origin.x, origin.y - over}, {cell.x, operand_height}, turned);
  columns.operand = true;
  columns.column_words = column_words;
  const float title_y = std::min(columns.body.centre().y - 9.0f, origin.y - 40.0f);
  columns.head = {area.x, title_y, origin.x - 10.0f - area.x, 18.0f};
}

/// The title on the switch's line ends before it, and stands at its middle.
void make_room_for_switch(const Rect& control, std::vector<BlockPlace>& places) {
  if (control.empty()) return;
  for (BlockPlace& place : places)
    if (place.shown && !place.operand && place.head.y < control.bottom()) {
      place.head.y = control.centre().y - place.head.height / 2.0f;
      place.head.width -= control.width + 8.0f;
    }
}

}  // namespace

Rect view_switch_place(const BoardModel& board, const Layout& layout) {
  if (layout.size != Size::phone || !has_both_views(board)) return {};
  return {layout.board.right() - kSwitchWidth, layout.board.y, kSwitchWidth, kSwitchHeight};
}

void place_one(const BoardModel& board, const Layout& layout, std::vector<BlockPlace>& places) {
  Rect area = layout.board;
  if (place_under_arcs(board, area, places)) return;
  const Rect control = view_switch_place(board, layout);
  if (!control.empty()) {
    area.y += kUnderSwitch;
    area.height -= kUnderSwitch;
  }
  const bool companions = std::any_of(board.blocks.begin(), board.blocks.end(), [&](const BlockModel& block) {
    return is_companion(board, block) && block.block->kind != lessons::BlockKind::arcs;
  });
  if (board.focused < 0 || (board.as_arcs && !control.empty())) {
    place_companions(board, area, board.focused < 0 && stacks_all(board, layout), places);
    return make_room_for_switch(control, places);
  }
  float share = companions ? kMatrixShare : 1.0f;
  const auto rows = static_cast<float>(board.blocks[static_cast<std::size_t>(board.focused)].plane.rows);
  const float low = std::min((kTitle + 12.0f + kPairCell * rows) / std::max(area.height, 1.0f), kMatrixShare);
  const bool pair = companions && place_pair(board,
                                             {area.x, area.y + area.height * low + 6.0f, area.width,
                                              area.height * (1.0f - low) - 6.0f},
                                             places);
  if (pair) share = low;
  place_matrix(board, {area.x, area.y, area.width, area.height * share}, layout.size != Size::phone, places);
  make_room_for_switch(control, places);
  if (pair) return;
  const float y = area.y + area.height * share + (companions ? kUnderBlock / 2.0f : 0.0f);
  place_companions(board, {area.x, y, area.width, area.bottom() - y}, false, places);
}

}  // namespace attn::ui
