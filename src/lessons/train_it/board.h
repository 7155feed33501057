// The sheets of `train-it`.
#pragma once

#include "lessons/train_it/experiment.h"

namespace attn::lessons::train_it {

enum Sheets : int { kTaskSheet, kStepSheet, kCurveSheet, kAttentionSheet, kGradientSheet, kMistakeSheet };

/// Percent of the held-out examples that were exact when it was last looked; of the honest model or the
/// other.
float exact_percent(const Run& run, bool beside = false);

/// What the model beside does wrong, in a few words.
const Text& name_of(Mistake mistake);

void arrange(Experiment& experiment);

}  // namespace attn::lessons::train_it
