#include "core/bits.h"

#include <cmath>
#include <string_view>

#include "support/catch.h"

using attn::core::bits_of;
using attn::core::ulp_distance;

TEST_CASE("The ULP distance is 0 exactly for equal bits") {
  CHECK(bits_of(1.0f) == 0x3F800000u);
  CHECK(ulp_distance(1.5f, 1.5f) == 0);
  CHECK(ulp_distance(0.0f, -0.0f) == 1);
  CHECK(ulp_distance(NAN, NAN) == 0);
  CHECK(ulp_distance(INFINITY, INFINITY) == 0);
}

TEST_CASE("The ULP distance counts the floats between two values") {
  CHECK(ulp_distance(1.0f, std::nextafter(1.0f, 2.0f)) == 1);
  CHECK(ulp_distance(1.0f, 2.0f) == 1u << 23);
  CHECK(ulp_distance(-1.0f, -2.0f) == 1u << 23);
  CHECK(ulp_distance(0x1p-149f, -0x1p-149f) == 3);  // -0 and +0 lie between
  CHECK(ulp_distance(3.0f, 5.0f) == ulp_distance(5.0f, 3.0f));
  CHECK(ulp_distance(INFINITY, std::nextafter(INFINITY, 0.0f)) == 1);
  CHECK(ulp_distance(-INFINITY, INFINITY) == 2 * 0x7F800000u + 1);
}

TEST_CASE("NaN is as far as possible from everything with other bits") {
  CHECK(ulp_distance(NAN, 1.0f) == UINT32_MAX);
  CHECK(ulp_distance(INFINITY, NAN) == UINT32_MAX);
  CHECK(ulp_distance(NAN, -NAN) == UINT32_MAX);
}

TEST_CASE("The hash is FNV-1a and can be continued") {
  const auto hash = [](std::string_view text) { return attn::core::fnv1a(text.data(), text.size()); };
  // Vectors of draft-eastlake-fnv.
  CHECK(hash("") == 0xcbf29ce484222325ull);
  CHECK(hash("a") == 0xaf63dc4c8601ec8cull);
  CHECK(hash("foobar") == 0x85944171f73967e8ull);
  CHECK(attn::core::fnv1a("bar", 3, hash("foo")) == hash("foobar"));
}
