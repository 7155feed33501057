// The axes of a pane: index and token of each row and column; indices thin out where cells are too small.
#pragma once

#include <vector>

#include "ui/context.h"
#include "ui/pane_model.h"

namespace attn::ui {

void draw_column_labels(Context& context, const StageModel& stage, const PaneModel& pane,
                        const PaneLayout& place);
void draw_row_labels(Context& context, const StageModel& stage, const PaneModel& pane,
                     const PaneLayout& place);

/// Which of `count` indices get a label when each needs `needed` pixels and stands `pitch` from the next:
/// all, or every 2nd, 4th, 5th, 8th, 10th, …; always `selected`, whose neighbours make room.
std::vector<int> labelled_positions(int count, float pitch, float needed, int selected);

}  // namespace attn::ui
