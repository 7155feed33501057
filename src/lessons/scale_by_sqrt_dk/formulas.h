// The formulas of `scale-by-sqrt-dk`, as text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::scale_by_sqrt_dk {

Formula score_formula();
Formula variance_formula();
Formula scaled_formula();
Formula general_variance_formula();
Formula slope_formula();

}  // namespace attn::lessons::scale_by_sqrt_dk
