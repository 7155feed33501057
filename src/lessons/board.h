// A board: the computation of a lesson as blocks, in columns from left to right. Each block shows a tensor of
// one tape. How blocks depend on each other is not said here: it is read off the tape.
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
  tape::Label tensor;       // of `arcs`: the weights
  Text title;               // "Q"
  Text short_title = {};    // where the title is too long, or empty
  std::string note = {};    // after the title, small: its formula, or empty for its shape
  Role role = Role::plain;  // its colour, here and in the narration
  bool narrow = false;      // cells too narrow for numbers: features whose single values matter little
  int column = 0;           // from the left; blocks of a column stand in the order of the list
  bool at_bottom = false;   // stands at the bottom of its column, the blocks before it at the top

  const Text& name() const { return short_title.en[0] == '\0' ? title : short_title; }
};

struct Board {
  Text title;  // of the computation, for tables
  tape::Tape tape;
  std::vector<Block> blocks;
};

}  // namespace attn::lessons
