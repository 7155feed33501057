// The formulas of `translate`, as text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::translate {

Formula embedding_formula();
Formula softmax_formula();
Formula attention_formula();
Formula temperature_formula();

}  // namespace attn::lessons::translate
