// What the steps of `loops-to-matrices` say; every number in them is read off the run. Times are not in them:
// a screen says the same whenever it is shown.
#pragma once

#include "lessons/loops_to_matrices/experiment.h"

namespace attn::lessons::loops_to_matrices {

inline constexpr int kSteps = 8;

std::vector<Step> narrate(const Run& run, const Settings& settings);

}  // namespace attn::lessons::loops_to_matrices
