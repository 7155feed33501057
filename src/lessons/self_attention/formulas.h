// The formulas of `self-attention`, as text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::self_attention {

Formula query_formula();
Formula key_formula();
Formula value_formula();
Formula score_formula();
Formula weight_formula(bool causal);
Formula output_formula();
Formula matrix_formula();

}  // namespace attn::lessons::self_attention
