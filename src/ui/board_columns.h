// What the blocks of a board need, before anything has a size: bands of columns, as multiples of the cell's
// size and in pixels besides. Only for ui/board_places*.cpp.
#pragma once

#include <vector>

#include "ui/board_places.h"

namespace attn::ui {

/// What stands between the cells.
struct Spacing {
  float head;          // from the top of a title to the cells, or to the words over them
  float column_words;  // over a matrix of pairs
  float between;       // blocks of a column, and bands
  float least_gap;     // between columns, for the links
  float turns;         // height of the switch over what takes turns
};
inline constexpr Spacing kRoomy{26.0f, 17.0f, 18.0f, 20.0f, 26.0f};
inline constexpr Spacing kTight{21.0f, 16.0f, 10.0f, 24.0f, 26.0f};
inline constexpr float kFingerTurns = 40.0f;

inline constexpr float kVerdictHeight = 34.0f;  // a pill under a block, with its distance
inline constexpr float kMergeNote = 20.0f;      // a line under cells that may share pixels
inline constexpr int kMostRowsWithWords = 16;

struct Column {
  std::vector<std::size_t> blocks;
  float cells_wide = 0.0f;
  float cells_high = 0.0f;
  float fixed_height = 0.0f;
  float least_width = 0.0f;
  float words = 0.0f;       // width of the row words
  float figures = 0.0f;     // width of the numbers beside the rows
  float most_width = 0.0f;  // that its free blocks can use
  int growing = 0;          // blocks that can use more height
  float squeeze = 1.0f;     // the share of their least height that free blocks get
  bool weights = false;     // each of its blocks stands beside what it makes
  float lower = 0.0f;       // alone: how much lower it begins, for its cells to stand level with the others'

  float width(float cell) const;
  float height(float cell) const { return fixed_height + cells_high * cell; }
};

struct Band {
  std::vector<Column> columns;
  int pairs = 0;                // matrices of pairs: many of them have no room for words
  float narrow = 1.0f;          // width of the cells of narrow blocks, as a share of the others'
  float narrow_weights = 1.0f;  // … of those that are weights

  float height(float cell) const;
  bool grows() const;  // a column can use more height
};

/// Plots, tables, vectors, and matrices too large for cells that anybody reads one by one: they take the room
/// that is left.
bool is_free(const BlockModel& block);
bool grows(const BlockModel& block);  // a table has the height of its rows
float least_height(const BlockModel& block);
float table_height(const BlockModel& block);
float head_height(const BlockModel& block, const Spacing& spacing);
bool has_verdict(const BlockModel& block);
/// Square cells, but a strip of few rows or columns is no thinner than can be seen.
Point squared(Point cell, const lessons::Plane& plane);
bool may_merge(const BlockModel& block);     // so many cells that they may share pixels
float below_cells(const BlockModel& block);  // height of its verdict and of the note on merged cells
float width_factor(const Band& band, const BlockModel& block);
bool has_column_words(const Band& band, const BlockModel& block);
/// Two of the same matrix, of more or of fewer positions: row t of one belongs beside row t of the other.
bool rows_meet(const BlockModel& a, const BlockModel& b);

/// On a phone with falling arcs on its sheet: places them, and under them one more block. False: there are
/// none.
bool place_under_arcs(const BoardModel& board, const Rect& area, std::vector<BlockPlace>& places);

/// Gives narrow blocks, and narrow weights among them, this share of the width of other cells.
void set_narrow(const BoardModel& board, Band& band, float narrow, float narrow_weights);

/// `squeeze` in (0, 1]: the share of their least height that free blocks get where there is too little.
std::vector<Band> bands_of(const BoardModel& board, const Spacing& spacing, float squeeze = 1.0f);

}  // namespace attn::ui
