// What the twin panes show: the focused tensor of both passes as two planes of cells with their states, and
// the verdict of each row. Reads tapes, computes no tensor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfx/heatmap.h"
#include "lessons/lesson.h"
#include "lessons/plane.h"
#include "tape/compare.h"
#include "ui/scene.h"

namespace attn::ui {

/// One pane: `rows` x `columns` cells, of which the tensor fills the upper left `live_rows` x `live_columns`.
struct PaneModel {
  Pane pane = Pane::training;
  tape::Value entry;
  int rows = 0;
  int columns = 0;
  int live_rows = 0;
  int live_columns = 0;
  std::vector<float> values;  // (rows, columns); 0 where there is no value, and then the state says so
  std::vector<gfx::CellState> states;  // (rows, columns)
  std::vector<bool> changed;           // (rows, columns): a poke changed its bits; empty without a poke

  bool live(int row, int column) const {
    return row >= 0 && column >= 0 && row < live_rows && column < live_columns;
  }
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  /// A cell with a value a reader may look at: neither hatched nor dashed.
  bool shows_value(int row, int column) const;
};

enum class RowState : std::uint8_t { compared, not_generated, not_compared, no_visible_key };

struct RowVerdict {
  RowState state = RowState::not_generated;
  tape::TensorDifference difference;
};

struct StageModel {
  lessons::Focus focus;
  tape::Axis row_axis = tape::Axis::feature;
  tape::Axis column_axis = tape::Axis::feature;
  bool square = false;
  int heads = 1;
  gfx::Ramp ramp = gfx::Ramp::signed_values;
  float range = 1.0f;  // shared by both panes: their colours can be compared
  PaneModel training;
  PaneModel inference;
  std::vector<RowVerdict> rows;
  /// Of the compared rows of the shown head: the largest |difference| and the ULP distance at that cell.
  tape::TensorDifference worst;

  bool valid() const { return training.entry.valid() && inference.entry.valid(); }
  bool has_cell() const { return valid() && focus.has_cell() && training.live(focus.row, focus.column); }
};

StageModel stage_model(const lessons::Run& run, const lessons::Focus& focus);

}  // namespace attn::ui
