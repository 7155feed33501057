// The formulas of `self-attention`, as text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::self_attention {

Formula query_formula();
Formula key_formula();
Formula value_formula();
Formula score_formula(bool columns = false);
Formula weight_formula(bool causal, bool columns);
Formula output_formula(bool columns);
Formula matrix_formula(bool columns = false);

}  // namespace attn::lessons::self_attention
