// What the steps of `why-attention` say; every number in them is read off the run.
#pragma once

#include "lessons/why_attention/experiment.h"

namespace attn::lessons::why_attention {

inline constexpr int kSteps = 8;

std::vector<Step> narrate(const Run& run, const Settings& settings, std::span<const CellEdit> edits);

}  // namespace attn::lessons::why_attention
