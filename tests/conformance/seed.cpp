#include "conformance/seed.h"

#include "conformance/errors.h"

namespace attn::conformance {

std::vector<float> seed_of(LiteralCase& each, const Extents& extents_of_y) {
  if (!each.has_input("upstream_grad")) return std::vector<float>(size_of(extents_of_y), 1.0f);
  FloatArray seed = each.floats("upstream_grad");
  CONFORMANCE_REQUIRE(seed.extents == extents_of_y, "upstream_grad has shape %s, y has %s",
                      to_string(seed.extents).c_str(), to_string(extents_of_y).c_str());
  return std::move(seed.values);
}

}  // namespace attn::conformance
