// Turns of phrase that several steps of the lesson share.
#pragma once

#include <string>

#include "lessons/mask_equivalence/facts.h"

namespace attn::lessons::mask_equivalence {

std::string number(int value);

/// "1 token", "3 tokens".
std::string plural(int count, const std::string& noun);

/// "0–2", or "0" when there is one row.
std::string rows_up_to(int last);

/// What the comparison found: all equal, or the first tensor that differs and by how much.
RunText overall(const Facts& facts);

/// How many of their common cells the two passes' masks have different.
RunText about_masks(const Facts& facts);

/// "In row 2: " when the newest row alone is compared, "In all common rows: " else.
RunText scope(const Facts& facts, const Settings& settings);

}  // namespace attn::lessons::mask_equivalence
