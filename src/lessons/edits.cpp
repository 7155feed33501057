#include "lessons/edits.h"

#include <algorithm>

#include "lessons/plane.h"
#include "tape/ops.h"

namespace attn::lessons {

tape::Value with_edits(tape::Tape& tape, tape::Value x, std::span<const CellEdit> edits,
                       std::initializer_list<ShownAs> shown) {
  const core::TensorView from = tape.tensor(x);
  const Plane plane{1, from.shape[0], from.shape[1]};
  core::Tensor given(from.shape), marks(from.shape);
  bool any = false;
  for (const CellEdit& edit : edits)
    for (const ShownAs& as : shown) {
      const int row = as.turned ? edit.column : edit.row;
      const int column = as.turned ? edit.row : edit.head * as.head_width + edit.column;
      const bool in_head = as.head_width == 0 || edit.column < as.head_width;
      if (!(edit.tensor == as.tensor) || !in_head || !plane.has_cell(0, row, column)) continue;
      given.values()[plane.offset(0, row, column)] = edit.value;
      marks.values()[plane.offset(0, row, column)] = 1.0f;
      any = true;
    }
  if (!any) return x;
  return tape::replace(tape, x, tape.leaf(given.view(), {}), tape.leaf(marks.view(), {}), {});
}

}  // namespace attn::lessons
