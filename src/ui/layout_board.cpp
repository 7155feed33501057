#include <algorithm>

#include "ui/board_controls.h"
#include "ui/layout_sizes.h"

namespace attn::ui {
namespace {

constexpr float kLeastBoard = 300.0f;    // height
constexpr float kLeastOnPhone = 170.0f;  // … for which the inspector gives up lines

}  // namespace

void place_board(Layout& layout, const LayoutRequest& request) {
  layout.map = {};
  layout.verdicts = layout.big_verdict = {};
  float top = 96.0f;
  float bottom = layout.transport.y - 20.0f;
  float inspector = 86.0f;
  float gap = 16.0f;  // over the inspector
  switch (layout.size) {
    case Size::desktop:
      if (request.height < 700.0f) inspector = 62.0f;
      if (!layout.heads.empty()) layout.heads.y = layout.title_baseline - 21.0f;
      break;
    case Size::embed:
      top = 58.0f;
      bottom = layout.narration_layout == NarrationLayout::strip ? layout.narration.y - 8.0f
                                                                 : layout.transport.y - 8.0f;
      inspector = request.height < 560.0f ? 40.0f : 58.0f;
      gap = 10.0f;
      break;
    case Size::phone:
      top = (layout.heads.empty() ? layout.narration.bottom() : layout.heads.bottom()) + 4.0f;
      if (!request.words) layout.tokens = {};
      bottom = (request.words ? layout.tokens.y : layout.transport.y) - 10.0f;
      inspector = request.height < 780.0f ? 84.0f : 124.0f;
      break;
  }
  const float chips_top = top;
  if (request.chip_rows > 0) {
    layout.block_chips = {layout.content.x, top, layout.content.width,
                          44.0f + 36.0f * static_cast<float>(request.chip_rows - 1)};
    top = layout.block_chips.bottom() + (request.control_rows > 0 ? 4.0f : 12.0f);
  }
  const float chips = top - chips_top;
  if (request.control_rows > 0) {
    const float height = control_row_height(layout.size == Size::phone || layout.touch) *
                         static_cast<float>(request.control_rows);
    layout.controls = {layout.content.x, top, layout.content.width, height};
    top += height + (layout.size == Size::phone ? 8.0f : 14.0f);
  }
  if (layout.size == Size::phone && bottom - inspector - gap - top < kLeastOnPhone) inspector = 40.0f;
  if (!request.cells) inspector = gap = 0.0f;
  layout.inspector_form = inspector_form_for(inspector);
  layout.inspector = {layout.content.x, bottom - inspector, layout.content.width, inspector};
  layout.board = {layout.content.x, top, layout.content.width, layout.inspector.y - gap - top};
  layout.minimum_height = request.height - layout.board.height + kLeastBoard;
  // A page doesn't move because a block is opened.
  if (layout.size != Size::phone) layout.minimum_height -= chips;
}

}  // namespace attn::ui
