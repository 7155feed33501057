// A board: the computation of a lesson as blocks, in columns from left to right. Each block shows a tensor of one
// tape. How blocks depend on each other is not said here: it is read off the tape.
#pragma once

#include <string>
#include <vector>

#include "lessons/text.h"
#include "tape/tape.h"

namespace attn::lessons {

enum class BlockKind : std::uint8_t {
  matrix,  // a heat map with its numbers
  arcs,    // weights as arcs from the keys' words to the queries' words, thick as the weight
};

struct Block {
  BlockKind kind = BlockKind::matrix;
  tape::Label tensor;        // of `arcs`: the weights
  Text title;                // "Q"
  std::string note = {};     // after the title, small: its formula, or empty for its shape
  Role role = Role::plain;   // its colour, here and in the narration
  int column = 0;            // from the left; blocks of a column stand in the order of the list
};

struct Board {
  Text title;  // of the computation, for tables
  tape::Tape tape;
  std::vector<Block> blocks;
};

}  // namespace attn::lessons
