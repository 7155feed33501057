// What the steps of `teacher-forcing` say; every number in them is read off the run.
#pragma once

#include "lessons/teacher_forcing/experiment.h"

namespace attn::lessons::teacher_forcing {

inline constexpr int kSteps = 9;

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings);

}  // namespace attn::lessons::teacher_forcing
