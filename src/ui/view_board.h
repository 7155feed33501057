// The parts of a board. Each draws itself into the scene; ui/view_board.cpp puts them together.
#pragma once

#include "ui/board_places.h"
#include "ui/context.h"
#include "ui/inspector_model.h"

namespace attn::ui {

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

/// Words of keys on the left, of queries on the right, an arc for every weight.
/// A click on a query's side chooses it.
void draw_arcs(Context& context, const BoardModel& board, const BlockModel& block, int index,
               const BlockPlace& place);

}  // namespace attn::ui
