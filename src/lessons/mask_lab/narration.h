// What the steps of `mask-lab` say; every number in them is read off the run.
#pragma once

#include "lessons/mask_lab/experiment.h"

namespace attn::lessons::mask_lab {

inline constexpr int kSteps = 8;

/// `clicked`: the reader has toggled cells of the mask.
std::vector<Step> narrate(const Experiment& experiment, const Settings& settings, bool clicked);

}  // namespace attn::lessons::mask_lab
