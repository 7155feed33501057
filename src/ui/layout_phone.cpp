#include <algorithm>

#include "ui/layout_sizes.h"

namespace attn::ui {
void lay_out_phone(Layout& layout, const LayoutRequest& request) {
  const float content = request.width - 32.0f;
  layout.head = {0.0f, 0.0f, request.width, 52.0f};
  layout.content = {16.0f, 52.0f, content, request.height - 52.0f};
  layout.title_baseline = 31.0f;
  layout.narration_layout = NarrationLayout::brief;
  layout.narration = {0.0f, 52.0f, request.width, 70.0f};
  layout.transport = {16.0f, request.height - 60.0f, content, 44.0f};
  layout.tokens = {16.0f, request.height - 116.0f, content, 44.0f};
  layout.column_index = layout.row_index = layout.right_row_index = false;
  float top = layout.narration.bottom();
  if (request.heads > 1) {
    layout.heads = {16.0f, top, content, 44.0f};
    top += 44.0f;
  }
  const float cells_top = top + 66.0f;
  const float room = (content - 28.0f - 16.0f - 28.0f) / 2.0f;
  const float wanted = wanted_height(request, room, 28.0f);
  const float lens = 160.0f;
  const float layers = 122.0f;
  const float bottom = layout.tokens.y - 10.0f;
  const float free = bottom - cells_top - wanted - 46.0f;
  const bool all = free >= lens + 12.0f + layers;
  fit_cells(layout, request, {room, std::min(wanted, bottom - cells_top - 50.0f - 36.0f), 28.0f});
  place_panes(layout, request, {16.0f, 16.0f + content, cells_top, 28.0f, 0.0f, 42.0f});
  layout.verdict_form = verdict_form_for(layout.cell_height, 30.0f, 1000.0f);
  layout.verdict_size = 22.0f;
  const float after = cells_top + matrix_height(layout, request);
  layout.big_verdict = {16.0f, after + 4.0f, content, 38.0f};
  layout.inspector_form = free >= lens ? InspectorForm::lens : InspectorForm::line;
  layout.inspector = {16.0f, layout.big_verdict.bottom() + 4.0f, content, free >= lens ? lens : 36.0f};
  layout.map_form = all ? MapForm::layers : MapForm::button;
  layout.map = {16.0f, layout.inspector.bottom() + 12.0f, content, all ? layers : 36.0f};
  if (layout.map.bottom() > bottom + 8.0f) layout.map = {};
  layout.minimum_height = cells_top + wanted + 46.0f + lens + 12.0f + layers + 10.0f + 116.0f;
}

}  // namespace attn::ui
