// The sheets of `multi-head`.
#pragma once

#include "lessons/multi_head/measure.h"

namespace attn::lessons::multi_head {

/// Adds the sheets, in the order of SheetIndex, to a board whose tape has everything recorded.
void arrange(Board& board, const Settings& settings, const ArrowShapes& shapes, const ArrowShapes& document,
             const Counts& counts);

/// How far two tensors of one size are apart.
struct Distance {
  float largest = 0.0f;   // |a − b|
  std::uint32_t ulp = 0;  // largest distance in representable numbers; 0: equal to the bit
};
Distance distance_between(const tape::Tape& tape, const tape::Label& a, const tape::Label& b);

/// "2.81"; smaller distances with one digit and an exponent.
std::string distance_text(float distance);

/// Columns of the output that the head which is off would have changed.
int changed_columns(const tape::Tape& tape);

}  // namespace attn::lessons::multi_head
