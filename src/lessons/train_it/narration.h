// What each step of `train-it` says.
#pragma once

#include <vector>

#include "lessons/train_it/experiment.h"

namespace attn::lessons::train_it {

inline constexpr int kSteps = 8;
inline constexpr float kGoal = 99.0f;  // percent, of the question

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings);

}  // namespace attn::lessons::train_it
