// Where the controls over a board stand: one after the other, each with its name before it, in as many rows
// as they need. A choice whose options don't fit side by side becomes one with the chosen option alone.
#pragma once

#include <vector>

#include "ui/context.h"

namespace attn::ui {

struct ControlPlace {
  int parameter = -1;
  Rect name = {};       // where its name stands
  Rect body = {};       // the control
  bool picker = false;  // of a choice: shows the chosen option alone
};

struct ControlPlan {
  std::vector<ControlPlace> places;  // from the left top of the first row
  int rows = 0;
};

float control_row_height(bool finger);

/// The parameters over the board that change something at this step.
ControlPlan plan_controls(const Subject& subject, lessons::Language language, const TextMeasure& measure,
                          float width, bool finger);

}  // namespace attn::ui
