// What intents do to the numbers of cells: on the session, which validates; what it refuses is reported.
#pragma once

#include <optional>

#include "lessons/session.h"
#include "ui/intent.h"
#include "ui/view_state.h"

namespace attn::ui {

/// What was refused, for the reader to see; nothing when it wasn't.
void report(const core::Status& status, ViewState& view);

/// The number in a cell; nothing where there is no such cell.
std::optional<float> number_in(const lessons::Session& session, const lessons::Focus& cell);

/// The chosen cell to the tenth above or below, so that the number stays short.
void nudge_cell(lessons::Session& session, ViewState& view, int tenths);

/// The cell under a drag; what one drag does is undone at once.
void drag_cell(lessons::Session& session, ViewState& view, const Intent& intent);

/// A cell of 0 or 1 becomes the other.
void toggle_cell(lessons::Session& session, ViewState& view, const Intent& intent);

/// The vector's tip goes to a cell of the square; what one drag does is undone at once.
void move_vector(lessons::Session& session, ViewState& view, const Intent& intent);

}  // namespace attn::ui
