#include "ui/layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn::ui {
namespace {

constexpr float kLargestCell = 44.0f;      // the tokens' focus matrix
constexpr float kLargestTallCell = 58.0f;  // where a window is higher than a laptop's

struct CellRoom {
  float width;
  float height;
  float largest;
};

/// The largest cells that fit; whole pixels as long as that costs little.
void fit_cells(Layout& layout, const LayoutRequest& request, const CellRoom& room) {
  const auto snapped = [](float side) { return side >= 8.0f ? std::floor(side) : side; };
  const auto columns = static_cast<float>(std::max(request.columns, 1));
  const auto rows = static_cast<float>(std::max(request.rows, 1));
  layout.cell_width = snapped(std::min(room.largest, room.width / columns));
  layout.cell_height = snapped(std::min(room.largest, room.height / rows));
  if (request.square)
    layout.cell_width = layout.cell_height = std::min(layout.cell_width, layout.cell_height);
}

float matrix_width(const Layout& layout, const LayoutRequest& request) {
  return layout.cell_width * static_cast<float>(std::max(request.columns, 1));
}

float matrix_height(const Layout& layout, const LayoutRequest& request) {
  return layout.cell_height * static_cast<float>(std::max(request.rows, 1));
}

/// Height the matrices would like at this width.
float wanted_height(const LayoutRequest& request, float room_width, float largest) {
  const float by_width = room_width / static_cast<float>(std::max(request.columns, 1));
  const float side = request.square ? std::min(largest, by_width) : largest;
  return std::min(side * static_cast<float>(std::max(request.rows, 1)), 5.0f * largest);
}

VerdictForm verdict_form_for(float cell_height, float room, float pill_height) {
  if (cell_height >= pill_height && room >= 96.0f) return VerdictForm::pill;
  if (cell_height >= 18.0f && room >= 26.0f) return VerdictForm::tile;
  return cell_height >= 9.0f ? VerdictForm::mini : VerdictForm::dot;
}

/// Places both panes: the training pane's labels begin at the left edge, the inference pane ends at the
/// right.
struct PanePlacing {
  float left, right;   // of the stage part that holds them
  float top;           // of the cells
  float left_labels;   // width
  float right_labels;  // width
  float head_rise;     // from the cells up to the baseline of the pane's name
};

void place_panes(Layout& layout, const LayoutRequest& request, const PanePlacing& placing) {
  const float width = matrix_width(layout, request);
  const float height = matrix_height(layout, request);
  const float lx = placing.left + placing.left_labels;
  const float rx = placing.right - width;
  // A narrow matrix (one token, a few features) still carries its name and its switch above it.
  const float head_width = std::max(width, 128.0f);
  const float head_y = placing.top - placing.head_rise - 18.0f;
  layout.training = {{lx, head_y, head_width, 28.0f}, {lx, placing.top}, lx};
  layout.inference = {{placing.right - head_width, head_y, head_width, 28.0f}, {rx, placing.top}, rx};
  const float begin = lx + width + 8.0f;
  const float end = rx - placing.right_labels - 8.0f;
  layout.verdicts = {begin, placing.top, std::max(end - begin, 0.0f), height};
}

struct HeightPlan {
  float map_row;    // 0: the map is a button
  float inspector;  // height
};

InspectorForm inspector_form_for(float height) {
  if (height >= 100.0f) return InspectorForm::full;
  return height >= 70.0f ? InspectorForm::compact : InspectorForm::line;
}

/// The rich plan first, then what tokens.md §7 gives up: map rows, inspector lines, the map.
constexpr std::array<HeightPlan, 9> kPlans{
    {{16, 100}, {15, 100}, {14, 100}, {13, 100}, {12, 100}, {12, 78}, {11, 78}, {11, 40}, {0, 40}}};
constexpr std::size_t kComfortable = 2;  // the plan `minimum_height` is about

void place_rail(Layout& layout, const LayoutRequest& request) {
  layout.rail = {0.0f, 0.0f, request.width < 1200.0f ? 168.0f : 184.0f, request.height};
  const float list_end = 92.0f + 38.0f * static_cast<float>(request.lessons) + 20.0f;
  const float needed = 34.0f + 58.0f * static_cast<float>(request.settings);
  const float end = request.height - 72.0f;
  if (request.settings > 0 && list_end + needed <= end)
    layout.settings = {24.0f, list_end, layout.rail.width - 48.0f, needed};
}

void place_under_stage(Layout& layout, const LayoutRequest& request, float bottom, float room_width) {
  const float top = layout.training.origin.y;
  const float rows = static_cast<float>(std::max(request.attention_rows, request.feed_forward_rows));
  const float largest = request.height > 900.0f ? kLargestTallCell : kLargestCell;
  const float wanted = wanted_height(request, room_width, largest);
  const float gap = request.height < 760.0f ? 12.0f : 20.0f;
  const float section = gap + 4.0f;
  const auto map_height = [&](float row) {
    return row > 0 ? kMapHeading + kMapNumberedHeading + rows * row : 36.0f;
  };
  const auto left_for_cells = [&](const HeightPlan& plan) {
    return bottom - top - gap - plan.inspector - section - map_height(plan.map_row) - gap;
  };
  const float acceptable = std::min(wanted * 0.86f, 184.0f);
  HeightPlan plan = kPlans.back();
  for (std::size_t i = kPlans.size(); i-- > 0;)
    if (left_for_cells(kPlans[i]) >= acceptable) plan = kPlans[i];
  fit_cells(layout, request, {room_width, std::min(left_for_cells(plan), wanted), largest});

  const float free = left_for_cells(plan) - matrix_height(layout, request);
  const float row = plan.map_row > 0 ? plan.map_row + std::clamp((free - 24.0f) / rows, 0.0f, 4.0f) : 0.0f;
  const float loose = std::clamp((free - rows * (row - plan.map_row)) / 3.0f, 0.0f, 20.0f);
  layout.map_row_height = std::floor(row);
  layout.map_form = plan.map_row > 0 ? MapForm::wide : MapForm::button;
  layout.inspector_form = inspector_form_for(plan.inspector);
  layout.inspector = {layout.content.x, top + matrix_height(layout, request) + gap + loose,
                      layout.content.width, plan.inspector};
  layout.map = {layout.content.x, layout.inspector.bottom() + section + loose, layout.content.width,
                map_height(layout.map_row_height)};
  layout.minimum_height = request.height - bottom + top + 20.0f + kPlans[kComfortable].inspector + 24.0f +
                          map_height(kPlans[kComfortable].map_row) + 20.0f +
                          wanted_height(request, room_width, kLargestCell);
}

void lay_out_desktop(Layout& layout, const LayoutRequest& request) {
  const bool narrow = request.width < 1200.0f;
  const float panel = narrow ? 272.0f : 304.0f;
  const float padding = narrow ? 24.0f : 32.0f;
  place_rail(layout, request);
  layout.narration_layout = NarrationLayout::panel;
  layout.narration = {request.width - panel, 0.0f, panel, request.height};
  const float stage = request.width - layout.rail.width - panel - 2.0f * padding;
  const float width = std::min(stage, 900.0f);
  layout.content = {layout.rail.width + padding + std::floor((stage - width) / 2.0f), 0.0f, width,
                    request.height};
  layout.title_baseline = 50.0f;
  layout.subtitle_baseline = 74.0f;
  if (request.heads > 1) layout.heads = {layout.content.right() - 280.0f, 56.0f, 280.0f, 28.0f};
  const float bar = target_side(layout);
  layout.transport = {layout.content.x, request.height - 22.0f - bar, width, bar};

  const float labels = 46.0f;
  const float right_labels = narrow ? 30.0f : 46.0f;
  layout.right_row_index = !narrow;
  const float room = (width - labels - right_labels - 16.0f - (narrow ? 100.0f : 124.0f)) / 2.0f;
  layout.training.origin.y = 168.0f;
  place_under_stage(layout, request, layout.transport.y, room);
  place_panes(layout, request,
              {layout.content.x, layout.content.right(), 168.0f, labels, right_labels, 58.0f});
  layout.verdict_form = verdict_form_for(layout.cell_height, layout.verdicts.width, 30.0f);
  layout.verdict_size = narrow ? 22.0f : 26.0f;
}

void place_embed_rows(Layout& layout, const LayoutRequest& request, float room, float bottom) {
  const float top = 136.0f;
  const float wanted = wanted_height(request, room, 38.0f);
  float inspector = 100.0f;
  for (const float height : {78.0f, 40.0f})
    if (bottom - top - 20.0f - inspector - 16.0f < std::min(wanted, 186.0f)) inspector = height;
  const float left = bottom - top - 20.0f - inspector - 16.0f;
  fit_cells(layout, request, {room, std::min(left, wanted), 38.0f});
  layout.inspector_form = inspector_form_for(inspector);
  const float under = top + matrix_height(layout, request) + 20.0f;
  const float spare = std::max(bottom - under - inspector - 16.0f, 0.0f);
  layout.inspector = {layout.content.x, under + std::min(spare, 30.0f), layout.content.width, inspector};
  layout.minimum_height = request.height - bottom + top + wanted + 20.0f + 100.0f + 16.0f;
}

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
  place_embed_rows(layout, request, room, bottom);
  place_panes(layout, request, {24.0f, right, 136.0f, labels, right_labels, 52.0f});
  layout.verdict_form = verdict_form_for(layout.cell_height, layout.verdicts.width, 26.0f);
  layout.verdict_size = 20.0f;
  if (request.heads > 1) {
    const float tabs = column ? 250.0f : 124.0f;
    layout.heads = {layout.content.right() - 128.0f - tabs, 14.0f, tabs, 28.0f};
  }
  if (column) {
    const float rows = static_cast<float>(request.attention_rows + request.feed_forward_rows);
    const float end = layout.inspector.y - 12.0f;
    layout.map_form = MapForm::column;
    layout.map = {layout.content.right() - map_width, 71.0f, map_width, end - 71.0f};
    layout.map_row_height =
        std::clamp((layout.map.height - kMapHeading - 2.0f * kMapGroupHeading) / rows, 9.0f, 20.0f);
  } else {
    layout.map_form = MapForm::button;
    layout.map = {layout.content.right() - 220.0f, layout.inspector.bottom() + 4.0f, 220.0f, 28.0f};
    if (layout.map.bottom() > bottom) layout.map = {};
  }
}

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

}  // namespace

float target_side(const Layout& layout) { return layout.size == Size::phone || layout.touch ? 44.0f : 36.0f; }

Layout layout_of(const LayoutRequest& request) {
  Layout layout;
  layout.width = request.width;
  layout.height = request.height;
  layout.touch = request.touch;
  layout.size = request.width >= 1100.0f  ? Size::desktop
                : request.width >= 640.0f ? Size::embed
                                          : Size::phone;
  switch (layout.size) {
    case Size::desktop:
      lay_out_desktop(layout, request);
      break;
    case Size::embed:
      lay_out_embed(layout, request);
      break;
    case Size::phone:
      lay_out_phone(layout, request);
      break;
  }
  if (layout.size != Size::phone) {
    const float middle = layout.verdicts.x + layout.verdicts.width / 2.0f;
    const float begin = layout.training.head.right() + 6.0f;
    const float end = layout.inference.head.x - 6.0f;
    const float half = std::min(middle - begin, end - middle);
    layout.big_verdict = {middle - half, layout.training.head.y - 4.0f, 2.0f * half, 56.0f};
  }
  return layout;
}

}  // namespace attn::ui
