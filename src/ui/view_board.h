// The parts of a board. Each draws itself into the scene; ui/view_board.cpp puts them together.
#pragma once

#include "ui/board_places.h"
#include "ui/cell_grid.h"
#include "ui/context.h"
#include "ui/controls.h"
#include "ui/inspector_model.h"

namespace attn::ui {

/// The title of a block with its note, which opens it; over blocks that take turns the switch between them.
void draw_block_head(Context& context, const BoardModel& board, const BlockModel& block, int index,
                     const BlockPlace& place);

/// What can show in the place of a block, one option each.
std::vector<Option> turn_options(const BlockModel& block, lessons::Language language);

/// Curves from block to block: the path of the chosen cell in the colours of its operands, the rest quiet.
void draw_links(Context& context, const BoardModel& board, const std::vector<BlockPlace>& places);

/// A cell on a small screen, in `rect` with its frame: its name and value on one line; under it its summands
/// two a line and what is done with them, or its formula with the numbers under it, in as many lines as it
/// needs; or why it has no number.
void draw_on_phone(Context& context, const Rect& rect, const InspectorModel& model);

/// What a number is that no other tensor of the tape makes.
enum class Given : std::uint8_t {
  fixed,     // an input that stays
  changes,   // an input the reader may change
  toggles,   // 0 or 1, and a click makes it the other
  measured,  // counted or measured by the lesson
};

/// Such a number, with the controls that change it.
void draw_given(Context& context, const Rect& rect, const InspectorModel& model, Given given);

/// A name or a number and a note, in `rect` with its frame: beside it where there is room, else under it.
void draw_noted(Context& context, const Rect& rect, std::span<const Piece> number, const std::string& note);

/// At the right end of the inspector, of a sum that the reader may put a number in place of; returns the
/// width it takes.
float draw_change_button(Context& context, const Rect& rect);

/// Words of keys on the left, of queries on the right, an arc for every weight.
/// A click on a query's side chooses it.
void draw_arcs(Context& context, const BoardModel& board, const BlockModel& block, int index,
               const BlockPlace& place);

/// What block `index` showed until a moment ago, while its colours cross over; nullptr when they have.
const PaneBefore* block_before(const Context& context, int index);
/// Gives a matrix the colours on their way from those that stood in its place.
void cross_over(const Context& context, const BlockModel& block, int index, const BlockPlace& place,
                HeatmapItem& item);

/// The chosen cell's outline on its way from the cell of the block that was chosen before.
Rect selected_cell(const Context& context, const CellGrid& grid, const lessons::Focus& focus);

/// Puts the focused block on its way from where it stands opened to where it stands among the others, or
/// back; `t` in [0, 1].
void grow(const Context& context, const BoardModel& board, float t, std::vector<BlockPlace>& places);

/// What was drawn of the board so far appears from under the colour of the stage; `seen` in [0, 1].
void veil(Context& context, float seen);

}  // namespace attn::ui
