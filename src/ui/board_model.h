// What a board shows: each block's tensor as a plane of cells with their states, which cells of other blocks
// the chosen one is made of, and which blocks feed which. All of it is read off the tape.
#pragma once

#include <span>
#include <vector>

#include "gfx/heatmap.h"
#include "lessons/lesson.h"
#include "lessons/plane.h"

namespace attn::ui {

/// The cells of a block that take part in the chosen cell: one rectangle, both ends inclusive; or its first
/// and its last row alone, where a tensor meets itself.
struct Lit {
  int first_row = -1;
  int last_row = -1;
  int first_column = -1;
  int last_column = -1;
  int step = 0;  // 1: operands of the chosen cell itself, 2: operands of those, …

  bool gap = false;  // no row between the first and the last takes part

  bool any() const { return step > 0; }
  bool has_row(int row) const {
    return any() && first_row <= row && row <= last_row && (!gap || row == first_row || row == last_row);
  }
};

struct BlockModel {
  const lessons::Block* block = nullptr;
  std::span<const lessons::Block> in_place;  // what can show here, itself among them
  tape::Value entry;
  lessons::Plane plane;
  lessons::PlaneAxes axes;
  int head = 0;
  std::vector<float> values;           // (rows, columns)
  std::vector<gfx::CellState> states;  // (rows, columns)
  gfx::Ramp ramp = gfx::Ramp::signed_values;
  float range = 1.0f;   // the same for all signed tensors of one site and role on a sheet
  tape::Value figures;  // one number a row, or none
  bool editable = false;
  bool names_columns = false;  // its columns are words
  bool whole = false;          // every value is a whole number
  bool toggled = false;        // its cells are 0 or 1
  bool focused = false;        // shows the focus tensor
  bool alone = false;          // of a table: nothing but tables is on the sheet, so it may be larger
  Lit lit;

  bool is_matrix() const { return block->kind == lessons::BlockKind::matrix; }
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(plane.columns) +
           static_cast<std::size_t>(column);
  }
};

/// Which cells of an operand make cell (row, column) of a result.
enum class Operand : std::uint8_t {
  row,                // its row `row`: stands left of the result
  column,             // its column `column`: stands above
  transposed_column,  // its row `column`: stands above, transposed
  apart               // by way of what no block shows
};

/// Block `to` is computed from block `from`: indices into BoardModel::blocks.
struct BoardLink {
  int from = -1;
  int to = -1;
  Operand operand = Operand::row;
};

struct BoardModel {
  lessons::Focus focus;
  int heads = 1;     // of the focus tensor
  int focused = -1;  // the block that shows the focus tensor
  std::vector<BlockModel> blocks;
  std::vector<BoardLink> links;
  float row_words = 36.0f;  // width that the words of the rows need, about
  bool as_arcs = false;     // on a phone: the focus tensor's arcs in place of its matrix, where it has both
  int target_row = -1;      // the position of the target that is looked at; -1: none

  bool valid() const { return !blocks.empty(); }
};

/// The numbers beside a block's rows are what its weights, or scores taken for weights, add up to: they ought
/// to be 1. Other numbers there have nothing to come to.
bool adds_up_rows(const BlockModel& block);

bool counts_positions(tape::Axis axis);
bool pairs_positions(const BlockModel& block);

/// The sheet shows the focus tensor both as a matrix and as arcs.
bool has_both_views(const BoardModel& board);

/// The row of the target that the focus chose, -1 for none.
int target_row(const lessons::Focus& focus);

/// The same block with rows running across.
BlockModel transposed(const BlockModel& block);

/// The sheet of a step, of a run that has a board.
BoardModel board_model(const lessons::Lesson& lesson, const lessons::Run& run, int step,
                       const lessons::Focus& focus);

}  // namespace attn::ui
