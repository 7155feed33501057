// What the steps of `self-attention` say; every number in them is read off the run.
#pragma once

#include "lessons/self_attention/experiment.h"

namespace attn::lessons::self_attention {

inline constexpr int kSteps = 10;

std::vector<Step> narrate(const Run& run, const Settings& settings);

}  // namespace attn::lessons::self_attention
