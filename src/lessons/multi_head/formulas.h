// The formulas of `multi-head`, as text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::multi_head {

Formula split_formula();
Formula head_formula();
Formula output_formula();

}  // namespace attn::lessons::multi_head
