// Numbers the reader puts in place of computed ones. (Those of inputs and weights: apply_edits, lesson.h.)
#pragma once

#include <span>

#include "lessons/lesson.h"

namespace attn::lessons {

/// A tensor that shows the rows of another, (T, D): as it is; by heads, (H, T, d), of which head h has the
/// columns [h·d, (h+1)·d); or turned round, (D, T).
struct ShownAs {
  tape::Label tensor;
  int head_width = 0;
  bool turned = false;
};

/// x (T, D) with the numbers that the reader put into the tensors that show it: tape::replace, so that what
/// follows uses them and each such cell says it is given. Of two for one cell the later one counts. Without
/// any, x itself.
tape::Value with_edits(tape::Tape& tape, tape::Value x, std::span<const CellEdit> edits,
                       std::initializer_list<ShownAs> shown);

}  // namespace attn::lessons
