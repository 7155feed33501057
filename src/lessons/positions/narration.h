// What the steps of `positions` say; every number in them is read off the run.
#pragma once

#include "lessons/positions/experiment.h"

namespace attn::lessons::positions {

inline constexpr int kSteps = 8;

std::vector<Step> narrate(const Run& run, const Settings& settings);

}  // namespace attn::lessons::positions
