#include <algorithm>
#include <cmath>

#include "ui/layout_sizes.h"

namespace attn::ui {
namespace {

constexpr float kReadableMapRow = 13.0f;

void place_embed_rows(Layout& layout, const LayoutRequest& request, float room, float bottom, float largest) {
  const float top = 136.0f;
  const float wanted = wanted_height(request, room, largest);
  float inspector = 100.0f;
  for (const float height : {78.0f, 40.0f})
    if (bottom - top - 20.0f - inspector - 16.0f < std::min(wanted, 186.0f)) inspector = height;
  const float left = bottom - top - 20.0f - inspector - 16.0f;
  fit_cells(layout, request, {room, std::min(left, wanted), largest});
  layout.inspector_form = inspector_form_for(inspector);
  const float under = top + matrix_height(layout, request) + 20.0f;
  const float spare = std::max(bottom - under - inspector - 16.0f, 0.0f);
  layout.inspector = {layout.content.x,
                      under + std::min(spare < 40.0f ? spare : 40.0f + (spare - 40.0f) * 0.3f, 70.0f),
                      layout.content.width, inspector};
  layout.minimum_height = request.height - bottom + top + wanted + 20.0f + 100.0f + 16.0f;
}

}  // namespace

void lay_out_embed(Layout& layout, const LayoutRequest& request) {
  layout.head = {0.0f, 0.0f, request.width, 56.0f};
  layout.content = {24.0f, 0.0f, request.width - 48.0f, request.height};
  layout.title_baseline = 36.0f;
  const float bar = target_side(layout);
  layout.transport = {24.0f, request.height - 16.0f - bar, request.width - 48.0f, bar};
  float bottom = layout.transport.y - 8.0f;
  if (request.height >= 560.0f) {
    layout.narration_layout = NarrationLayout::strip;
    layout.narration = {0.0f, layout.transport.y - 16.0f - 60.0f, request.width, 60.0f};
    bottom = layout.narration.y;
  }
  const bool column = request.width >= 860.0f;
  const float map_width = column ? std::min(320.0f, std::floor(request.width * 0.31f)) : 0.0f;
  const float right = column ? layout.content.right() - map_width - 24.0f : layout.content.right();
  const float labels = 44.0f;
  const float right_labels = 30.0f;
  const float room = (right - 24.0f - labels - right_labels - 16.0f - 94.0f) / 2.0f;
  layout.right_row_index = false;
  const bool low = layout.narration_layout == NarrationLayout::hidden;
  place_embed_rows(layout, request, room, column || low ? bottom : bottom - 36.0f,
                   column && request.height < 680.0f ? 38.0f : 44.0f);
  place_panes(layout, request, {24.0f, right, 136.0f, labels, right_labels, 52.0f});
  layout.verdict_form = verdict_form_for(layout.cell_height, layout.verdicts.width, 26.0f);
  layout.verdict_size = 20.0f;
  if (request.heads > 1) {
    const float tabs = column ? 250.0f : 124.0f;
    layout.heads = {layout.content.right() - (layout.touch ? 176.0f : 128.0f) - tabs, 14.0f, tabs, 28.0f};
  }
  if (column) {
    const float rows = static_cast<float>(request.attention_rows + request.feed_forward_rows);
    const float wanted = 71.0f + kMapHeading + 2.0f * kMapGroupHeading + rows * kReadableMapRow + 12.0f;
    const float lowest = bottom - layout.inspector.height - 16.0f;
    layout.inspector.y = std::max(layout.inspector.y, std::min(wanted, lowest));
    const float end = layout.inspector.y - 12.0f;
    layout.map_form = MapForm::column;
    layout.map = {layout.content.right() - map_width, 71.0f, map_width, end - 71.0f};
    layout.map_row_height = std::clamp(
        std::floor((layout.map.height - kMapHeading - 2.0f * kMapGroupHeading) / rows), 9.0f, 20.0f);
  } else {
    layout.map_form = MapForm::button;
    layout.map = {layout.content.x, layout.inspector.bottom() + 8.0f, layout.content.width, 32.0f};
    if (low) {  // beside the inspector's line
      layout.inspector.width -= 180.0f;
      layout.map = {layout.inspector.right() + 12.0f, layout.inspector.y, 168.0f, layout.inspector.height};
    }
  }
}

}  // namespace attn::ui
