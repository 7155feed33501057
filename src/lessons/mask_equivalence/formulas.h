// The two formulas of the lesson, as a line of text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::mask_equivalence {

/// scores[i,j] = q_i·k_j / √d_k (Vaswani et al. 2017, eq. 1).
Formula score_formula();

/// weights[i,j] = exp(scores[i,j]) / Σ exp(scores[i,l]), over l ≤ i under a causal mask, else over every l.
Formula softmax_formula(bool causal_mask);

}  // namespace attn::lessons::mask_equivalence
