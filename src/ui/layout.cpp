#include "ui/layout.h"

#include <algorithm>
#include <cmath>

#include "ui/layout_sizes.h"

namespace attn::ui {

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

InspectorForm inspector_form_for(float height) {
  if (height >= 100.0f) return InspectorForm::full;
  return height >= 70.0f ? InspectorForm::compact : InspectorForm::line;
}

float setting_pitch(const Layout& layout, bool is_switch) {
  const bool finger = layout.touch || layout.size == Size::phone;
  if (is_switch) return finger ? 44.0f : 28.0f;
  return finger ? 68.0f : 52.0f;
}

float foot_pitch(const Layout& layout) { return layout.touch ? 44.0f : 32.0f; }

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
  if (request.board) {
    place_board(layout, request);
    return layout;
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
