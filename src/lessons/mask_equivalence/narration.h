// The words of the lesson `mask-equivalence`. Every number, and every claim that depends on the switches, is
// taken from the run; when the reader has moved a switch a step speaks about what is on screen, not about
// what it had set.
#pragma once

#include "lessons/mask_equivalence/experiment.h"

namespace attn::lessons::mask_equivalence {

/// One step per entry of the lesson's plan.
std::vector<Step> narrate(const Run& run, const Settings& settings);

}  // namespace attn::lessons::mask_equivalence
