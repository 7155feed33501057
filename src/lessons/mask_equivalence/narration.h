// The words of the lesson `mask-equivalence`. Every number, and every claim that depends on the switches, is
// taken from the run; when the reader has moved a switch a step speaks about what is on screen, not about
// what it had set. Positions and rows count from 0 as in code ("row 0"), layers and heads from 1 as readers
// count.
#pragma once

#include "lessons/mask_equivalence/facts.h"

namespace attn::lessons::mask_equivalence {

/// One step per entry of the lesson's plan.
std::vector<Step> narrate(const Run& run, const Settings& settings);

// Steps 1 to 5: why one masked pass equals the passes over prefixes.
Step two_ways(const Facts& facts, const Settings& settings);
Step masked_row(const Facts& facts, const Settings& settings);
Step same_denominator(const Facts& facts, const Settings& settings);
Step layer_by_layer(const Facts& facts, const Settings& settings);
Step every_tensor(const Facts& facts, const Settings& settings);

// Steps 6 to 9: what happens without a mask, and to a poked token.
Step training_unmasked(const Facts& facts, const Settings& settings);
Step inference_unmasked_one_layer(const Facts& facts, const Settings& settings);
Step inference_unmasked_two_layers(const Facts& facts, const Settings& settings);
Step poked_token(const Facts& facts, const Settings& settings);

// Step 10: the question, and what its step sets.
inline constexpr int kQuestionLength = 5;
inline constexpr int kQuestionPrefix = 3;
inline constexpr int kQuestionLayers = 2;
Step question(const Facts& facts, const Settings& settings);

}  // namespace attn::lessons::mask_equivalence
