// Where the blocks of a board stand: bands from top to bottom, in them columns from left to right, blocks of
// a column one under the other, cells of one size as large as the space allows; weights beside what they
// make; plots, tables and large matrices take what is left. On a phone, or opened, only the focused block, as
// large as it gets, with its operands (rows to its left, columns above it) or, under it, what else shows the
// same tensor.
#pragma once

#include <vector>

#include "ui/board_model.h"
#include "ui/layout.h"

namespace attn::ui {

struct BlockPlace {
  bool shown = false;
  Rect head;     // title and note; for an operand on a phone, its title alone
  Point origin;  // left top of cell (0, 0), or of the arcs
  float cell_width = 0.0f;
  float cell_height = 0.0f;
  Rect body;                  // cells, or arcs with their words
  float words = 0.0f;         // width of the words left of the rows, or of the arcs' on either side
  bool row_words = false;     // words left of the rows
  bool column_words = false;  // words over the columns
  bool operand = false;       // beside the focused block of a phone: a button that leads to it
  bool transposed = false;    // rows run across
  float compact_size = 0.0f;  // of numbers in narrow cells; 0: none, or those of other cells
};

/// Width of the numbers right of rows with their heading; 0 without any.
float row_figures_width(const BlockModel& block);

/// Only the focused block with its operands: on a phone, and where the reader has opened it.
bool shows_one(const BoardModel& board, const Layout& layout);

/// On a phone the choice between matrix and arcs, at the right end of the title's line; empty where there is
/// none.
Rect view_switch_place(const BoardModel& board, const Layout& layout);

/// One place a block.
std::vector<BlockPlace> board_places(const BoardModel& board, const Layout& layout);

/// Only for ui/board_places*.cpp.

/// A phone has room for all blocks of a sheet without matrices, one under the other.
bool stacks_all(const BoardModel& board, const Layout& layout);
void place_one(const BoardModel& board, const Layout& layout, std::vector<BlockPlace>& places);

}  // namespace attn::ui
