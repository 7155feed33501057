// Where everything stands: a pure function from the size of the canvas (and of what it shows) to rectangles.
//
//   desktop  >= 1100 wide   lesson rail | stage with the tensor map under it | narration panel
//   embed     640 to 1099   stage with the tensor map in its right column; narration strip over the transport
//   phone       < 640       narration, stage, row lens, layer buttons, tokens, transport, from top to bottom
//
// Too little height: the inspector loses lines, then (embed) the strip goes, then the map becomes one button.
// `minimum_height` is the height at which no part has to go, so that a page can make the element taller.
#pragma once

#include <cstdint>

#include "ui/geometry.h"

namespace attn::ui {

enum class Size : std::uint8_t { desktop, embed, phone };

enum class NarrationLayout : std::uint8_t { hidden, panel, strip, brief };

struct LayoutRequest {
  float width = 0.0f;
  float height = 0.0f;
  bool touch = false;
  int rows = 0;  // of the shown matrices, not yet generated ones included
  int columns = 0;
  bool square = false;      // rows and columns count the same thing: square cells
  int heads = 1;            // tabs when there is more than one
  int attention_rows = 10;  // rows of the two parts of the tensor map
  int feed_forward_rows = 7;
  int settings = 0;       // model parameters the rail may hold
  int most_settings = 0;  // of any lesson
  int lessons = 1;
  int control_rows = 0;  // over the board
  int chip_rows = 0;     // names of the blocks where they are shown one at a time
  bool words = true;     // words or tokens to choose
  bool cells = true;     // the board has cells to choose; else it needs no inspector
  bool board = false;    // a board stands in place of the panes, the verdicts and the map
};

/// One of the twin matrices.
struct PaneLayout {
  Rect head;             // name, note and switch
  Point origin;          // left top of cell (0, 0)
  float label_x = 0.0f;  // right end of the row labels
};

/// How a row's verdict is drawn.
enum class VerdictForm : std::uint8_t { pill, tile, mini, dot };

enum class InspectorForm : std::uint8_t { full, compact, line, lens };

inline constexpr float kMapHeading = 30.0f;          // of the whole map: name, choices, count
inline constexpr float kMapGroupHeading = 20.0f;     // of a part: the names of its groups
inline constexpr float kMapNumberedHeading = 28.0f;  // … with the layers' numbers under them

enum class MapForm : std::uint8_t {
  wide,    // both parts side by side, under the stage
  column,  // one part over the other, beside the matrices
  layers,  // one button a layer
  button,  // only the count; opens a card
};

struct Layout {
  Size size = Size::desktop;
  float width = 0.0f;
  float height = 0.0f;
  bool touch = false;
  float pixel_ratio = 1.0f;  // device pixels a UI pixel; nothing stands elsewhere for it
  float minimum_height = 0.0f;

  Rect rail;                 // empty without one
  float rail_pitch = 38.0f;  // of its lessons: the same for all of them where their settings allow it
  Rect settings;             // where the rail shows the model parameters; empty: a button opens a card
  Rect head;                 // bar with title, language and theme (embed, phone)
  Rect content;              // the stage without its padding
  float title_baseline = 0.0f;
  float subtitle_baseline = 0.0f;  // 0: no subtitle
  Rect heads;                      // head tabs; empty when there is one head

  PaneLayout training;
  PaneLayout inference;
  float cell_width = 0.0f;
  float cell_height = 0.0f;
  bool row_index = true;        // left of the training pane's chips
  bool right_row_index = true;  // left of the inference pane's chips
  bool column_index = true;
  Rect verdicts;  // between the panes, one baseline with the rows
  VerdictForm verdict_form = VerdictForm::pill;
  Rect big_verdict;
  float verdict_size = 26.0f;

  Rect board;        // empty for a twin
  Rect controls;     // over the board; empty when there are none
  Rect block_chips;  // one chip a block, where only one is shown at a time

  InspectorForm inspector_form = InspectorForm::full;
  Rect inspector;
  MapForm map_form = MapForm::wide;
  Rect map;
  float map_row_height = 16.0f;

  NarrationLayout narration_layout = NarrationLayout::hidden;
  Rect narration;
  Rect tokens;     // chips
  Rect transport;  // the bar
};

Layout layout_of(const LayoutRequest& request);

/// Height of one of the settings.
float setting_pitch(const Layout& layout, bool is_switch);

/// Between the two rows of controls at the rail's bottom.
float foot_pitch(const Layout& layout);

/// Side of a button and of other targets: 36 px with a mouse, 44 px on a phone or with a finger.
float target_side(const Layout& layout);

}  // namespace attn::ui
