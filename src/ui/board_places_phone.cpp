#include <algorithm>
#include <cmath>

#include "ui/board_places.h"

namespace attn::ui {
namespace {

constexpr float kTitle = 28.0f;
constexpr float kOperandTitle = 12.0f;   // more, where it has no operand above to stand beside
constexpr float kWords = 20.0f;          // over the columns
constexpr float kOperandGap = 14.0f;     // between the block and its operands
constexpr float kOperandWidth = 16.0f;   // of a cell left of the block
constexpr float kOperandHeight = 20.0f;  // of a cell above it, at least
constexpr float kMostOperandHeight = 26.0f;
constexpr float kMostShift = 28.0f;  // down, when there is height to spare
constexpr float kLargestCell = 58.0f;

const BoardLink* operand_link(const BoardModel& board, bool left) {
  for (const BoardLink& link : board.links)
    if (link.to == board.focused && (link.operand == Operand::row) == left) return &link;
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

}  // namespace

void place_on_phone(const BoardModel& board, const Layout& layout, std::vector<BlockPlace>& places) {
  if (board.focused < 0) return;
  const BlockModel& block = board.blocks[static_cast<std::size_t>(board.focused)];
  const Rect& area = layout.board;
  const auto of = [&](const BoardLink& link) -> const BlockModel& {
    return board.blocks[static_cast<std::size_t>(link.from)];
  };
  const BoardLink* left = operand_link(board, true);
  const BoardLink* above = operand_link(board, false);
  const bool turned = above != nullptr && above->operand == Operand::transposed_column;

  const float words = counts_positions(block.axes.rows) ? kRowWords + 4.0f : 0.0f;
  const float beside =
      left == nullptr ? 0.0f : kOperandWidth * static_cast<float>(of(*left).plane.columns) + kOperandGap;
  const int rows_over = above == nullptr ? 0 : turned ? of(*above).plane.columns : of(*above).plane.rows;
  const float rows = static_cast<float>(block.plane.rows);
  const bool column_words = counts_positions(block.axes.columns);
  const float title = left != nullptr && above == nullptr ? kTitle + kOperandTitle : kTitle;
  const float headings = title + (column_words ? kWords : 0.0f);
  const float height = area.height - headings - (above == nullptr ? 0.0f : kOperandGap);
  const auto over_rows = static_cast<float>(rows_over);
  Point cell{(area.width - words - beside) / static_cast<float>(block.plane.columns),
             (height - kOperandHeight * over_rows) / rows};
  cell = {std::max(std::floor(std::min(cell.x, kLargestCell)), 1.0f),
          std::max(std::floor(std::min(cell.y, kLargestCell)), 1.0f)};
  const float operand_height = std::clamp(std::floor((height - cell.y * rows) / std::max(over_rows, 1.0f)),
                                          kOperandHeight, kMostOperandHeight);
  const float over = above == nullptr ? 0.0f : operand_height * over_rows + kOperandGap;
  const float spare = std::max(area.height - headings - over - cell.y * rows, 0.0f);
  const float top = headings + over + std::min(spare / 2.0f, kMostShift);

  const float used = words + beside + cell.x * static_cast<float>(block.plane.columns);
  const Point origin{area.x + (area.width - used) / 2.0f + words + beside, area.y + top};
  BlockPlace& place = places[static_cast<std::size_t>(board.focused)];
  put(place, block, origin, cell, false);
  place.head = {area.x, area.y + std::min(spare / 4.0f, 10.0f), area.width, 18.0f};
  place.column_words = column_words && above == nullptr;
  place.row_words = words > 0.0f && left == nullptr;
  if (left != nullptr) {
    BlockPlace& beside_place = places[static_cast<std::size_t>(left->from)];
    put(beside_place, of(*left), {origin.x - beside, origin.y}, {kOperandWidth, cell.y}, false);
    beside_place.operand = true;
    beside_place.row_words = words > 0.0f;
    beside_place.head = {area.x, origin.y - 24.0f, beside_place.body.right() - area.x, 18.0f};
  }
  if (above == nullptr) return;
  BlockPlace& columns = places[static_cast<std::size_t>(above->from)];
  put(columns, of(*above), {origin.x, origin.y - over}, {cell.x, operand_height}, turned);
  columns.operand = true;
  columns.column_words = column_words;
  const float title_y = std::min(columns.body.centre().y - 9.0f, origin.y - 40.0f);
  columns.head = {area.x, title_y, origin.x - 10.0f - area.x, 18.0f};
}

}  // namespace attn::ui
