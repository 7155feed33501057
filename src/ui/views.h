// The parts of the screen. Each draws one thing into the scene, with the regions that react.
#pragma once

#include "ui/board_model.h"
#include "ui/context.h"
#include "ui/controls.h"
#include "ui/map_model.h"
#include "ui/pane_model.h"

namespace attn::ui {

/// What title and head tabs name: the focus tensor, its shape, its heads. None when the run doesn't have it.
struct ShownTensor {
  lessons::Focus focus;
  core::Shape shape;
  int heads = 0;
};

/// Lesson list, and below it the settings when there is room; language and theme at its bottom. Desktop.
void view_rail(Context& context);

/// A lesson of the list, as region `part` of `group`.
void draw_lesson_item(Context& context, int index, const Rect& rect, GroupId group, int part);

/// Lessons, title, settings, language and theme in one bar. Embed and phone.
void view_head_bar(Context& context);

/// Title and the name of the shown tensor, over the stage. Desktop.
void view_title(Context& context, const ShownTensor& shown);

/// One tab a head.
void view_heads(Context& context, const ShownTensor& shown);

/// Choices and switches over a board.
void view_board_controls(Context& context);

/// One of the twin panes: name and mask switch, axes, cells.
void view_pane(Context& context, const StageModel& stage, const PaneModel& pane, const PaneLayout& place);

/// Between the panes: a verdict a row, and over (on a phone under) them the one answer of the screen.
void view_row_verdicts(Context& context, const StageModel& stage);
void view_big_verdict(Context& context, const StageModel& stage);

/// The sum behind the selected or hovered cell, with both values and their bits.
void view_inspector(Context& context, const StageModel& stage);

/// The selected row of both passes, a few cells at a time. Phone.
void view_lens(Context& context, const StageModel& stage);

/// The lesson's computation as connected blocks; in place of panes, verdicts and map.
void view_board(Context& context, const BoardModel& board);

/// The sum behind the chosen or hovered cell of a board.
void view_board_inspector(Context& context, const BoardModel& board);

/// Every compared tensor, by layer.
void view_map(Context& context, const MapModel& map);
/// The tiles alone in `area`; `layer` and `decoder` restrict them to one layer of one stack (-1: all).
void view_map_tiles(Context& context, const MapModel& map, const Rect& area, float row_height, bool stacked);

/// Back, play, forward, speed, tokens, poke.
void view_transport(Context& context);

/// The current step's text; only where the page doesn't set it. Returns the place for the reader's sentence
/// beside or under it, empty where there is none.
Rect view_narration(Context& context);

/// Model parameters, one below the other; returns the bottom. In a card also the choices of the map, which a
/// small screen has no other room for.
float view_settings(Context& context, Point at, float width, bool in_card);

/// What lies over the stage: settings or key help, and of a twin the tensors of a layer.
void view_card(Context& context);
void view_tensors_card(Context& context, const MapModel& map);

/// Instead of the stage, when an intent failed or there is nothing to show.
void view_error(Context& context, const std::string& message);

/// The whole screen.
Scene build_scene(const Subject& subject, const ViewState& view, const lessons::Preferences& preferences,
                  gfx::Theme theme, bool page_narration, double now_s, const Layout& layout,
                  const TextMeasure& measure);

/// What layout needs to know about the subject, and how wide its words are.
LayoutRequest layout_request(const Subject& subject, lessons::Language language, const TextMeasure& measure,
                             float width, float height, bool touch);

/// The chips where one block of the board is shown at a time; none where there is nothing to choose.
std::vector<Option> block_options(const Subject& subject, const BoardModel& board,
                                  lessons::Language language);

/// Words or tokens can be chosen now.
bool has_tokens(const Subject& subject);

/// Parameters by the place of their control.
int parameter_at(const lessons::Lesson& lesson, lessons::ParameterPlace place, int nth = 0);
int parameters_at(const lessons::Lesson& lesson, lessons::ParameterPlace place);

}  // namespace attn::ui
