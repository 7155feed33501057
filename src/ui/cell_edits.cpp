#include "ui/cell_edits.h"

#include <algorithm>
#include <cmath>

#include "lessons/plane.h"

namespace attn::ui {

using lessons::Session;

void report(const core::Status& status, ViewState& view) {
  view.error = status.ok() ? core::Error{} : status.failure();
}

void nudge_cell(Session& session, ViewState& view, int tenths) {
  const lessons::Focus cell = session.focus();
  const std::optional<float> value = number_in(session, cell);
  if (!value) return;
  const float rounded = std::round(*value * 10.0f) + static_cast<float>(tenths);
  report(session.edit_cell(cell, std::clamp(rounded / 10.0f, -lessons::kLargestEdit, lessons::kLargestEdit)),
         view);
}

void drag_cell(Session& session, ViewState& view, const Intent& intent) {
  lessons::Focus cell = session.focus();
  if (!(cell.tensor == intent.label)) cell.head = 0;
  cell = {intent.label, cell.head, intent.row, intent.column};
  const std::optional<float> value = number_in(session, cell);
  if (!value) return;
  if (!view.drag_edited) view.drag_from = *value;
  const float tenths = std::round(view.drag_from * 10.0f) + static_cast<float>(intent.value);
  const float number = intent.value == 0
                           ? view.drag_from
                           : std::clamp(tenths / 10.0f, -lessons::kLargestEdit, lessons::kLargestEdit);
  const lessons::CellEdit edit{cell.tensor, cell.head, cell.row, cell.column, number};
  report(session.edit_cells({&edit, 1}, view.drag_edited), view);
  view.drag_edited = true;
}

void toggle_cell(Session& session, ViewState& view, const Intent& intent) {
  const lessons::Focus cell{intent.label, 0, intent.row, intent.column};
  const std::optional<float> value = number_in(session, cell);
  if (value) report(session.edit_cell(cell, *value == 0.0f ? 1.0f : 0.0f), view);
}

void move_vector(Session& session, ViewState& view, const Intent& intent) {
  const int reach = intent.value;  // tenths
  const auto tenths = [](int count) { return static_cast<float>(count) / 10.0f; };
  const lessons::CellEdit edits[] = {{intent.label, 0, intent.index, 0, tenths(intent.column - reach)},
                                     {intent.label, 0, intent.index, 1, tenths(reach - intent.row)}};
  const bool dragging = view.pressed.region != 0;
  report(session.edit_cells(edits, dragging && view.drag_edited), view);
  view.drag_edited = dragging;
}

std::optional<float> number_in(const Session& session, const lessons::Focus& cell) {
  const tape::Tape& tape = session.run().tape();
  const tape::Value entry = tape.find(cell.tensor);
  if (!entry.valid()) return {};
  const core::TensorView tensor = tape.tensor(entry);
  const lessons::Plane plane = lessons::plane_of(cell.tensor, tensor.shape);
  if (!plane.has_cell(cell.head, cell.row, cell.column)) return {};
  return tensor.values[plane.offset(cell.head, cell.row, cell.column)];
}

}  // namespace attn::ui
