// What the lesson `scale-by-sqrt-dk` draws of its run.
#pragma once

#include "lessons/scale_by_sqrt_dk/experiment.h"

namespace attn::lessons::scale_by_sqrt_dk {

enum SheetOf : int {
  kScoresSheet,      // all scores, and their histogram
  kVarianceSheet,    // deviations measured and exact; against d_k
  kDivideSheet,      // before and after; every divisor
  kMeansSheet,       // all scores; the terms of the variance
  kSoftmaxSheet,     // eight rows of weights, undivided and divided
  kSaturationSheet,  // largest weight against d_k
  kGradientSheet,    // Jacobians of row 0; steepest slope against d_k
};

/// Title and sheets of the run's board, from what stands on its tape.
void make_sheets(Run& run, const Settings& settings);

}  // namespace attn::lessons::scale_by_sqrt_dk
