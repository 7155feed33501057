#include "tape/compare.h"

#include <cmath>
#include <limits>

#include "core/bits.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::tape;

namespace {

constexpr Label kNorm{Stack::decoder, 0, Block::self_attention, Site::norm};
constexpr Label kWeights{Stack::decoder, 0, Block::self_attention, Site::weights};
constexpr Label kMask{Stack::decoder, 0, Block::self_attention, Site::mask};

/// Appends a computed entry with given values; what computed it doesn't matter here.
void put(Tape& tape, const Label& label, core::Shape shape, const std::vector<float>& values) {
  float* memory = tape.allocate(values.size());
  std::copy(values.begin(), values.end(), memory);
  tape.append(Op::add, {}, {memory, shape}, label);
}

}  // namespace

TEST_CASE("ULP distance counts representable numbers between two floats") {
  CHECK(core::ulp_distance(1.0f, 1.0f) == 0);
  CHECK(core::ulp_distance(1.0f, std::nextafter(1.0f, 2.0f)) == 1);
  CHECK(core::ulp_distance(-1.0f, std::nextafter(-1.0f, 0.0f)) == 1);
  CHECK(core::ulp_distance(0.0f, -0.0f) == 1);
  CHECK(core::ulp_distance(std::numeric_limits<float>::denorm_min(),
                           -std::numeric_limits<float>::denorm_min()) == 3);
  CHECK(core::ulp_distance(1.0f, 2.0f) == 1u << 23);
  CHECK(core::ulp_distance(1.0f, NAN) == UINT32_MAX);
}

TEST_CASE("the largest difference and the ULP distance are those of the same cell") {
  Tape a;
  Tape b;
  put(a, kNorm, {2, 2}, {1.0f, 1e-20f, 3.0f, 4.0f});
  put(b, kNorm, {2, 2}, {1.5f, -1e-20f, 3.0f, 4.0f});
  const auto differences = compare(a, b);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].compared == 4);
  CHECK(differences[0].different == 2);
  CHECK(differences[0].largest_difference == 0.5f);
  CHECK(differences[0].ulp_at_largest == core::ulp_distance(1.0f, 1.5f));
  CHECK(differences[0].largest_index == std::array<int, 4>{0, 0, 0, 0});
  CHECK(differences[0].largest_ulp == core::ulp_distance(1e-20f, -1e-20f));
  CHECK(first_different(differences) == 0);
}

TEST_CASE("only rows both runs have are compared, and one row when asked") {
  Tape a;
  Tape b;
  put(a, kNorm, {3, 2}, {1, 2, 3, 4, 5, 6});
  put(b, kNorm, {2, 2}, {1, 2, 3, 9});
  CHECK(compare(a, b)[0].compared == 4);
  CHECK(compare(a, b, 0)[0].equal());
  CHECK(compare(a, b, 0)[0].compared == 2);
  CHECK_FALSE(compare(a, b, 1)[0].equal());
  CHECK(compare(a, b, 2)[0].compared == 0);
  CHECK(compare_tensor(a, b, kNorm, 1).largest_difference == 5.0f);
}

TEST_CASE("weights are compared where both runs may look") {
  Tape a;
  Tape b;
  a.leaf(core::TensorView{std::vector<float>{1, 0, 1, 1}.data(), {2, 2}}, kMask);
  b.leaf(core::TensorView{std::vector<float>{1, 1, 1, 1}.data(), {2, 2}}, kMask);
  put(a, kWeights, {1, 2, 2}, {1, 0, 0.5f, 0.5f});
  put(b, kWeights, {1, 2, 2}, {1, 0.25f, 0.5f, 0.5f});
  CHECK(compare(a, b)[0].compared == 3);
  CHECK(compare(a, b)[0].equal());
  CHECK(is_visible(b, kWeights, 0, 1));
  CHECK_FALSE(is_visible(a, kWeights, 0, 1));
}

TEST_CASE("NaN on one side is an infinite difference, the same NaN on both sides is none") {
  Tape a;
  Tape b;
  put(a, kNorm, {1, 2}, {NAN, 1});
  put(b, kNorm, {1, 2}, {NAN, NAN});
  const TensorDifference difference = compare(a, b)[0];
  CHECK(difference.different == 1);
  CHECK(std::isinf(difference.largest_difference));
  CHECK(difference.largest_ulp == UINT32_MAX);
}

TEST_CASE("a tensor only one run has is not compared") {
  Tape a;
  Tape b;
  put(a, kNorm, {1, 1}, {1});
  CHECK(compare(a, b).empty());
  CHECK(first_different({}) == -1);
}
