// What the three layouts share. Only for ui/layout*.cpp.
#pragma once

#include "ui/layout.h"

namespace attn::ui {

inline constexpr float kLargestCell = 44.0f;      // the tokens' focus matrix
inline constexpr float kLargestTallCell = 58.0f;  // where a window is higher than a laptop's

struct CellRoom {
  float width;
  float height;
  float largest;
};

/// The largest cells that fit; whole pixels as long as that costs little.
void fit_cells(Layout& layout, const LayoutRequest& request, const CellRoom& room);

float matrix_width(const Layout& layout, const LayoutRequest& request);
float matrix_height(const Layout& layout, const LayoutRequest& request);

/// Height the matrices would like at this width.
float wanted_height(const LayoutRequest& request, float room_width, float largest);

VerdictForm verdict_form_for(float cell_height, float room, float pill_height);
InspectorForm inspector_form_for(float height);

/// Both panes: the training pane's labels begin at the left edge, the inference pane ends at the right.
struct PanePlacing {
  float left, right;   // of the stage part that holds them
  float top;           // of the cells
  float left_labels;   // width
  float right_labels;  // width
  float head_rise;     // from the cells up to the baseline of the pane's name
};
void place_panes(Layout& layout, const LayoutRequest& request, const PanePlacing& placing);

/// After one of the three: the board where the panes, the verdicts and the map would stand.
void place_board(Layout& layout, const LayoutRequest& request);

void lay_out_desktop(Layout& layout, const LayoutRequest& request);
void lay_out_embed(Layout& layout, const LayoutRequest& request);
void lay_out_phone(Layout& layout, const LayoutRequest& request);

}  // namespace attn::ui
