#include "ui/pane_model.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"

namespace attn::ui {
namespace {

using gfx::CellState;
using lessons::Plane;

bool is_masked_site(tape::Site site) { return site == tape::Site::scores || site == tape::Site::weights; }

void fill_values(PaneModel& pane, const tape::Tape& tape, const Plane& plane, int head) {
  const core::TensorView tensor = tape.tensor(pane.entry);
  const auto count = static_cast<std::size_t>(pane.rows) * static_cast<std::size_t>(pane.columns);
  pane.values.assign(count, 0.0f);
  pane.states.assign(count, CellState::not_yet);
  for (int row = 0; row < pane.live_rows; ++row)
    for (int column = 0; column < pane.live_columns; ++column) {
      pane.values[pane.at(row, column)] = tensor.values[plane.offset(head, row, column)];
      pane.states[pane.at(row, column)] = CellState::value;
    }
}

/// Hatches what a row may not see, outlines what it sees and the same row of the other pass doesn't.
void mark_masks(PaneModel& pane, const tape::Tape& tape, const PaneModel& other, const tape::Tape& other_tape,
                const tape::Label& label) {
  if (!is_masked_site(label.site)) return;
  for (int row = 0; row < pane.live_rows; ++row)
    for (int column = 0; column < pane.live_columns; ++column) {
      CellState& state = pane.states[pane.at(row, column)];
      if (!tape::is_visible(tape, label, row, column))
        state = CellState::masked;
      else if (row < other.live_rows &&
               (column >= other.live_columns || !tape::is_visible(other_tape, label, row, column)))
        state = CellState::leak;
    }
}

void mark_changes(PaneModel& pane, const tape::Tape& tape, const std::optional<tape::Tape>& before,
                  const tape::Label& label, const Plane& plane, int head) {
  if (!before) return;
  const tape::Value entry = before->find(label);
  if (!entry.valid() || !(before->tensor(entry).shape == tape.tensor(pane.entry).shape)) return;
  const float* old_values = before->tensor(entry).values;
  pane.changed.assign(pane.values.size(), false);
  for (int row = 0; row < pane.live_rows; ++row)
    for (int column = 0; column < pane.live_columns; ++column)
      pane.changed[pane.at(row, column)] = core::bits_of(old_values[plane.offset(head, row, column)]) !=
                                           core::bits_of(pane.values[pane.at(row, column)]);
}

float largest_magnitude(const core::TensorView& tensor) {
  float largest = 0.0f;
  for (const float value : tensor.flat())
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  return largest;
}

RowState row_state(const StageModel& model, const lessons::Run& run, int row) {
  if (row >= model.inference.live_rows || row >= model.training.live_rows) return RowState::not_generated;
  const bool target_rows = model.row_axis == tape::Axis::target;
  if (run.twin->newest_row_only && target_rows && row != run.twin->inference.target_length - 1)
    return RowState::not_compared;
  return RowState::compared;
}

bool sees_nothing(const PaneModel& pane, const tape::Label& label, int row) {
  if (!is_masked_site(label.site)) return false;
  for (int column = 0; column < pane.live_columns; ++column)
    if (pane.states[pane.at(row, column)] != CellState::masked) return false;
  return true;
}

void judge_rows(StageModel& model, const lessons::Run& run) {
  const tape::Label& label = model.focus.tensor;
  for (int row = 0; row < model.training.rows; ++row) {
    RowVerdict verdict{.state = row_state(model, run, row), .difference = {}};
    if (verdict.state == RowState::compared) {
      verdict.difference = tape::compare_tensor(run.twin->training.tape, run.twin->inference.tape, label, row,
                                                model.focus.head);
      if (sees_nothing(model.training, label, row) && sees_nothing(model.inference, label, row))
        verdict.state = RowState::no_visible_key;
    }
    const tape::TensorDifference& d = verdict.difference;
    const bool first = d.different > 0 && model.worst.different == 0;
    model.worst.compared += d.compared;
    model.worst.different += d.different;
    if (first || d.largest_difference > model.worst.largest_difference) {
      model.worst.largest_difference = d.largest_difference;
      model.worst.largest_index = d.largest_index;
      model.worst.ulp_at_largest = d.ulp_at_largest;
    }
    model.rows.push_back(verdict);
  }
}

}  // namespace

bool PaneModel::shows_value(int row, int column) const {
  if (!live(row, column)) return false;
  const CellState state = states[at(row, column)];
  return state == CellState::value || state == CellState::leak;
}

StageModel stage_model(const lessons::Run& run, const lessons::Focus& focus) {
  StageModel model;
  model.focus = focus;
  const tape::Label& label = focus.tensor;
  model.training.entry = run.twin->training.tape.find(label);
  model.inference.entry = run.twin->inference.tape.find(label);
  model.inference.pane = Pane::inference;
  if (!model.valid()) return model;

  const core::TensorView training = run.twin->training.tape.tensor(model.training.entry);
  const core::TensorView inference = run.twin->inference.tape.tensor(model.inference.entry);
  const Plane plane = lessons::plane_of(label, training.shape);
  const Plane shorter = lessons::plane_of(label, inference.shape);
  const lessons::PlaneAxes axes = lessons::plane_axes(label);
  model.row_axis = axes.rows;
  model.column_axis = axes.columns;
  model.square = axes.columns != tape::Axis::feature;
  model.heads = plane.heads;
  model.focus.head = std::clamp(focus.head, 0, plane.heads - 1);
  if (label.site == tape::Site::weights) model.ramp = gfx::Ramp::weights;
  model.range = model.ramp == gfx::Ramp::weights
                    ? 1.0f
                    : std::max(largest_magnitude(training), largest_magnitude(inference));

  for (PaneModel* pane : {&model.training, &model.inference}) {
    const Plane& live = pane == &model.training ? plane : shorter;
    pane->rows = std::max(plane.rows, shorter.rows);
    pane->columns = std::max(plane.columns, shorter.columns);
    pane->live_rows = live.rows;
    pane->live_columns = live.columns;
  }
  const int head = model.focus.head;
  fill_values(model.training, run.twin->training.tape, plane, head);
  fill_values(model.inference, run.twin->inference.tape, shorter, head);
  mark_masks(model.training, run.twin->training.tape, model.inference, run.twin->inference.tape, label);
  mark_masks(model.inference, run.twin->inference.tape, model.training, run.twin->training.tape, label);
  mark_changes(model.training, run.twin->training.tape, run.twin->training_before_poke, label, plane, head);
  mark_changes(model.inference, run.twin->inference.tape, run.twin->inference_before_poke, label, shorter,
               head);
  judge_rows(model, run);
  return model;
}

}  // namespace attn::ui
