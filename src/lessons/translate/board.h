// The sheets of `translate`.
#pragma once

#include "lessons/translate/experiment.h"

namespace attn::lessons::translate {

/// Gives the run its sheets, in the order of SheetIndex.
void arrange(Experiment& experiment, const Settings& settings);

}  // namespace attn::lessons::translate
