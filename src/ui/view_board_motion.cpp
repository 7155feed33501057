#include "ui/view_board.h"
#include "ui/views.h"

namespace attn::ui {

namespace {

Rect between(const Rect& a, const Rect& b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.width + (b.width - a.width) * t,
          a.height + (b.height - a.height) * t};
}

}  // namespace

const PaneBefore* block_before(const Context& context, int index) {
  const Motion& motion = context.view.motion;
  const bool blends = progress(motion.values_s, context.now_s, kValueChange, Curve::linear) < 1.0f;
  const auto at = static_cast<std::size_t>(index);
  return blends && motion.blocks != nullptr && at < motion.blocks->size() ? &(*motion.blocks)[at] : nullptr;
}

Rect selected_cell(const Context& context, const CellGrid& grid, const lessons::Focus& focus) {
  Rect cell = outlined_cell(grid, focus.row, focus.column);
  const lessons::Focus& from = context.view.motion.select_from;
  const float t = progress(context.view.motion.select_s, context.now_s, kSelect, Curve::out);
  if (t < 1.0f && from.has_cell() && from.tensor == focus.tensor) {
    const Rect old = outlined_cell(grid, from.row, from.column);
    cell.x = old.x + (cell.x - old.x) * t;
    cell.y = old.y + (cell.y - old.y) * t;
  }
  return cell;
}

void cross_over(const Context& context, const BlockModel& block, int index, const BlockPlace& place,
                HeatmapItem& item) {
  const PaneBefore* before = block_before(context, index);
  if (before == nullptr || place.transposed || before->rows != block.plane.rows ||
      before->columns != block.plane.columns)
    return;
  item.cells.blend = progress(context.view.motion.values_s, context.now_s, kValueChange, Curve::linear);
  item.from_values = before->values;
  item.from_states = before->states;
  if (before->ramp == block.ramp && before->range == block.range) return;
  for (float& value : item.from_values) value *= block.range / before->range;
  // The ramp of weights is the positive half of the signed one.
  if (before->ramp != block.ramp) item.cells.ramp = gfx::Ramp::signed_values;
}

void grow(const Context& context, const BoardModel& board, float t, std::vector<BlockPlace>& places) {
  if (board.focused < 0) return;
  Subject subject = context.subject;
  BoardModel other = board;
  subject.focus.open = other.focus.open = !board.focus.open;
  const Layout layout =
      layout_of(layout_request(subject, context.language(), context.sketch.measure, context.layout.width,
                               context.layout.height, context.layout.touch));
  const BlockPlace from = board_places(other, layout)[static_cast<std::size_t>(board.focused)];
  BlockPlace& place = places[static_cast<std::size_t>(board.focused)];
  if (!from.shown || !place.shown) return;
  place.head = between(from.head, place.head, t);
  place.body = between(from.body, place.body, t);
  place.origin = {place.body.x, place.body.y};
  place.cell_width = from.cell_width + (place.cell_width - from.cell_width) * t;
  place.cell_height = from.cell_height + (place.cell_height - from.cell_height) * t;
}

void veil(Context& context, float seen) {
  if (seen < 1.0f)
    context.sketch.add(
        BoxItem{.rect = grown(context.layout.board, 6.0f), .fill = Colour::surface, .opacity = 1.0f - seen});
}

}  // namespace attn::ui
