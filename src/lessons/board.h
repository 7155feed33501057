// A board: the computation of a lesson as blocks. Each step shows one sheet of it: bands from top to bottom,
// in a band columns from left to right, in a column blocks one under the other. Each block shows a tensor of
// one tape, or what was read off it. How blocks depend on each other is not said here: it is read off the
// tape.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lessons/text.h"
#include "tape/tape.h"

namespace attn::lessons {

enum class BlockKind : std::uint8_t {
  matrix,      // a heat map with its numbers
  arcs,        // weights as arcs from the keys' words to the queries' words, thick as the weight
  plot,        // lines, points or bars over a numeric axis
  table,       // a few rows of text and numbers
  vectors,     // the rows of an (N, 2) tensor as arrows from the origin, the angle between two of them
  falling,     // weights as arcs that fall from the keys' words to chips of the queries'
  candidates,  // the largest numbers of the chosen row of (T, V) probabilities, as bars to choose from
  words,       // the row names, one after the other
};

inline constexpr std::size_t kCandidates = 5;

enum class SeriesForm : std::uint8_t { line, bars, points };

/// Points of a plot in rising order of x; bars are as wide as the distance of the first two.
struct Series {
  Text name = {};  // in the legend, when a plot has more than one
  SeriesForm form = SeriesForm::line;
  Role role = Role::plain;
  std::vector<float> x = {};
  std::vector<float> y = {};
};

struct Plot {
  Text x_name;
  Text y_name;
  std::vector<Series> series;                                // finite values
  bool log_x = false;                                        // x > 0
  bool log_y = false;                                        // y > 0
  float marked_x = std::numeric_limits<float>::quiet_NaN();  // a vertical line at what is set now; NaN: none

  bool has_mark() const { return !std::isnan(marked_x); }
};

struct TableRow {
  RunText name;
  std::vector<RunText> cells;  // one a column
  Role role = Role::plain;
  bool strong = false;  // the row the step speaks of
};

struct Table {
  std::vector<RunText> columns;  // headings; the names of the rows have none
  std::vector<TableRow> rows;
};

/// A short judgement under a block, read off the run: "0 ULP", "leaks 23 %".
struct Verdict {
  RunText text = {};
  Role role = Role::plain;  // equal, different or plain
};

struct Block {
  BlockKind kind = BlockKind::matrix;
  /// Of `arcs`: the weights. Of `plot` and `table`: the tensor the page lists in their place.
  tape::Label tensor;
  Text title;               // "Q"
  Text short_title = {};    // where the title is too long, or empty
  std::string note = {};    // after the title, small: its formula, or empty for its shape
  Role role = Role::plain;  // its colour, here and in the narration
  bool narrow = false;      // cells too narrow for numbers: features whose single values matter little
  int band = 0;             // from the top
  int column = 0;           // from the left; blocks of a column stand in the order of the list
  bool all_heads = false;   // of `arcs`: a strand for every head, beside one another
  bool at_bottom = false;   // stands at the bottom of its column, the blocks before it at the top
  /// Of `matrix`: the mask (1: may be seen) its masked cells are drawn by, where that is not the one its own
  /// softmax used. A masked cell with a value other than 0 is a leak, but for scores.
  tape::Label mask = {};
  tape::Label row_figures = {};  // of `matrix`: a (T) tensor, one number beside each row; unnamed: none
  Text row_figures_title = {};
  /// Where a cell's number comes from, in words, where neither an op of the tape nor the reader gave it.
  Text origin = {};
  /// Of `matrix`: rows that are computed though nothing uses them, a bit a row from the first; drawn pale.
  std::uint32_t unused_rows = 0;
  /// Of scores: as they are before their mask, hidden cells with their numbers.
  bool unmasked = false;
  /// Stands where the block before it stands: one of them shows, and a switch over its cells chooses which.
  bool in_place = false;
  bool as_numbers = false;                  // of a mask: its values stand for themselves, whatever they hide
  bool shows_nan = false;                   // NaN is what this block is about
  std::vector<std::string> row_names = {};  // of `vectors` whose rows are no words; of `words`, all of them
  bool written = false;     // its rows are written one after the other: those after the chosen one not yet
  tape::Label keys = {};    // of `falling`: a row for each key, shown as a strip under its word
  tape::Label choice = {};  // of `candidates`: the (T) tokens, which a click on a bar changes
  Verdict verdict = {};
  Plot plot = {};
  Table table = {};

  const Text& name() const { return short_title.en[0] == '\0' ? title : short_title; }
};

/// What a step shows.
struct Sheet {
  std::vector<Block> blocks;
};

struct Board {
  Text title;  // of the computation, for tables
  tape::Tape tape;
  std::vector<Sheet> sheets;
};

}  // namespace attn::lessons
