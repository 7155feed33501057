// A phone with falling arcs: they stay, without a title, and under them stands what the focus is on.
#include <algorithm>

#include "ui/board_columns.h"
#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

constexpr float kTitle = 26.0f;
constexpr float kGap = 18.0f;
constexpr float kLargestRow = 30.0f;  // of a matrix
constexpr float kLargestCell = 64.0f;
constexpr float kColumnWords = 20.0f;
constexpr float kCandidates = 44.0f * static_cast<float>(lessons::kCandidates);
constexpr float kLeastArcs = 128.0f;  // height

/// The block under the arcs: the focused one, else the first.
std::size_t lower_block(const BoardModel& board, std::size_t arcs) {
  std::size_t found = board.blocks.size();
  for (std::size_t i = 0; i < board.blocks.size(); ++i) {
    if (i == arcs) continue;
    const bool shown = board.blocks[i].block->tensor == board.focus.tensor;
    if (shown || found == board.blocks.size()) found = i;
    if (shown) break;
  }
  return found;
}

float wanted_height(const BlockModel& block) {
  if (block.is_matrix()) return kTitle + kColumnWords + kLargestRow * static_cast<float>(block.plane.rows);
  const float below = has_verdict(block) ? kVerdictHeight + 4.0f : 0.0f;
  const bool candidates = block.block->kind == lessons::BlockKind::candidates;
  return kTitle + below + (candidates ? kCandidates : least_height(block));
}

void place_rows(const BoardModel& board, const BlockModel& block, const Rect& body, BlockPlace& place) {
  place.row_words = place.column_words = true;
  place.words = board.row_words;
  const auto columns = static_cast<float>(block.plane.columns);
  const auto rows = static_cast<float>(block.plane.rows);
  place.cell_width = std::min((body.width - place.words) / columns, kLargestCell);
  place.cell_height = std::min((body.height - kColumnWords) / rows, kLargestRow);
  place.origin = {body.x + place.words, body.y + kColumnWords};
  place.body = {place.origin.x, place.origin.y, place.cell_width * columns, place.cell_height * rows};
}

}  // namespace

bool place_under_arcs(const BoardModel& board, const Rect& area, std::vector<BlockPlace>& places) {
  const auto arcs = static_cast<std::size_t>(
      std::find_if(board.blocks.begin(), board.blocks.end(),
                   [](const BlockModel& block) { return block.block->kind == lessons::BlockKind::falling; }) -
      board.blocks.begin());
  if (arcs == board.blocks.size()) return false;
  const std::size_t lower = lower_block(board, arcs);
  const bool both = lower < board.blocks.size();
  const float below =
      both ? std::min(wanted_height(board.blocks[lower]), area.height - kGap - kLeastArcs) : -kGap;
  BlockPlace& top = places[arcs];
  top.shown = true;
  top.body = {area.x, area.y, area.width, area.height - kGap - below};
  top.origin = {top.body.x, top.body.y};
  if (!both) return true;
  BlockPlace& place = places[lower];
  const Rect room{area.x, area.bottom() - below, area.width, below};
  place.shown = true;
  place.head = {room.x, room.y, room.width, 18.0f};
  const float pill = has_verdict(board.blocks[lower]) ? kVerdictHeight : 0.0f;
  place.body = {room.x, room.y + kTitle, room.width, room.height - kTitle - pill};
  place.origin = {place.body.x, place.body.y};
  if (board.blocks[lower].is_matrix()) place_rows(board, board.blocks[lower], Rect(place.body), place);
  return true;
}

}  // namespace attn::ui
