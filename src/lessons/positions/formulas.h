// The formulas of `positions`, as text and as MathML.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::positions {

Formula output_formula();
Formula sum_formula();
Formula encoding_formula();
Formula wavelength_formula();
Formula distance_formula();

}  // namespace attn::lessons::positions
