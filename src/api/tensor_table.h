// A tensor as a table of words and numbers: what a screen reader hears and what a page can print, copy and
// search. Shows one head of a tensor of the training pass, the part that fits.
#pragma once

#include <string>
#include <vector>

#include "lessons/lesson.h"

namespace attn::api {

inline constexpr int kTableLimit = 32;  // rows, and columns

struct TableRow {
  std::string head;
  std::vector<std::string> cells;  // one a column
};

/// Positions are headed by their index and their token, other axes by the index alone. A cell that the mask
/// hides is the word "masked"; numbers have up to six significant digits and U+2212 for minus.
struct TensorTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
};

/// The focus must be one the run has. The caption calls a tensor as its block at this step is called,
/// and says where its numbers come from where the block does.
TensorTable table_of(const lessons::Run& run, int step, const lessons::Focus& focus,
                     lessons::Language language);

}  // namespace attn::api
