// What a loss tells the scores through the mask.
#pragma once

#include "tape/tape.h"

namespace attn::lessons::mask_lab {

/// Records the gradient of L = Σ context with respect to the scores, (1, T, T), as `gradient_label()`. Hidden
/// scores have exactly 0, and so has every score of a row that sees nothing. The bits are tape::backward's.
void record_gradient(tape::Tape& tape, tape::Value weights, tape::Value value);

}  // namespace attn::lessons::mask_lab
