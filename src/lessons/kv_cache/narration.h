// What the steps of `kv-cache` say; every number in them is read off the run. Times are not in them: a screen
// says the same whenever it is shown.
#pragma once

#include "lessons/kv_cache/experiment.h"

namespace attn::lessons::kv_cache {

inline constexpr int kSteps = 7;

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings);

}  // namespace attn::lessons::kv_cache
