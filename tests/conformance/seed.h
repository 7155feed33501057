// dL/dy as the cases state it: "upstream_grad" R for L = sum(y·R), nothing for L = sum(y).
#pragma once

#include <vector>

#include "conformance/literal_case.h"

namespace attn::conformance {

std::vector<float> seed_of(LiteralCase& each, const Extents& extents_of_y);

}  // namespace attn::conformance
