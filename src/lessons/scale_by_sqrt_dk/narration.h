// What the steps of `scale-by-sqrt-dk` say; every number in them is read off the run.
#pragma once

#include "lessons/scale_by_sqrt_dk/experiment.h"

namespace attn::lessons::scale_by_sqrt_dk {

inline constexpr int kSteps = 8;

std::vector<Step> narrate(const Run& run, const Settings& settings);

}  // namespace attn::lessons::scale_by_sqrt_dk
