// What the steps of `multi-head` say; every number in them is read off the run.
#pragma once

#include "lessons/multi_head/experiment.h"

namespace attn::lessons::multi_head {

inline constexpr int kSteps = 9;
inline constexpr int kQuestionHeads = 2;  // of the question, before the reader does something

std::vector<Step> narrate(const Run& run, const Settings& settings);

}  // namespace attn::lessons::multi_head
