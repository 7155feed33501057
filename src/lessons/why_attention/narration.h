// What the steps of `why-attention` say; every number in them is read off the run.
#pragma once

#include "lessons/why_attention/experiment.h"

namespace attn::lessons::why_attention {

inline constexpr int kSteps = 8;

/// `moved`: the reader has changed u or w.
std::vector<Step> narrate(const Run& run, const Settings& settings, bool moved);

}  // namespace attn::lessons::why_attention
