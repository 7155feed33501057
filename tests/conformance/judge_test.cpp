#include "conformance/judge.h"

#include <cmath>

#include "conformance/array.h"
#include "support/catch.h"

using attn::conformance::Array;
using attn::conformance::FloatArray;
using attn::conformance::Judge;
using attn::conformance::Tolerance;

namespace {

constexpr Tolerance kTolerance{0.1, 0.01};

Array expected_of(std::vector<double> values) {
  return {"float64", {static_cast<int>(values.size())}, std::move(values)};
}

}  // namespace

TEST_CASE("The judge reports the largest error relative to what is allowed, and its place") {
  Judge judge;
  judge.expect("a", FloatArray({2, 3}), {"float64", {2, 3}, {0.0, 0.05, 0.0, 0.0, 0.0, 0.0}}, kTolerance);
  CHECK(judge.worst_ratio() == Approx(0.05 / 0.1005));
  judge.expect("b", FloatArray({2, 3}), {"float64", {2, 3}, {0.0, 0.0, 0.0, 0.0, 0.0, -0.5}}, kTolerance);
  CHECK(judge.worst_ratio() == Approx(0.5 / 0.105));
  CHECK(judge.worst() == "b: 0.5 at (1, 2): 0 for -0.5 (allowed 0.105)");
  judge.expect("c", FloatArray({1}), expected_of({0.01}), kTolerance);
  CHECK(judge.worst().starts_with("b: "));
  CHECK(judge.compared() == 3);
}

TEST_CASE("NaN, infinities and shapes must be where they are expected, whatever is allowed") {
  constexpr float kInfinity = HUGE_VALF;
  const Tolerance anything{1e300, 1e300};
  const auto ratio = [&](float actual, double expected) {
    Judge judge;
    judge.expect("x", FloatArray({1}, {actual}), expected_of({expected}), anything);
    return judge.worst_ratio();
  };
  CHECK(ratio(NAN, NAN) == 0.0);
  CHECK(ratio(NAN, 1.0) == HUGE_VAL);
  CHECK(ratio(1.0f, NAN) == HUGE_VAL);
  CHECK(ratio(-kInfinity, -HUGE_VAL) == 0.0);
  CHECK(ratio(kInfinity, -HUGE_VAL) == HUGE_VAL);
  CHECK(ratio(1.0f, HUGE_VAL) == HUGE_VAL);
  CHECK(ratio(kInfinity, 1.0) == HUGE_VAL);
  Judge shape;
  shape.expect("x", FloatArray({2, 1}), expected_of({0.0, 0.0}), anything);
  CHECK(shape.worst_ratio() == HUGE_VAL);
  CHECK(shape.worst() == "x: shape (2, 1) for (2)");
}

TEST_CASE("Where a figure is NaN for want of a definition, ours must be finite, and zero if it is to be") {
  const auto ratio = [](float actual, bool zero) {
    Judge judge;
    judge.expect_where_defined("x", FloatArray({2}, {0.5f, actual}), expected_of({0.5, NAN}), kTolerance,
                               zero);
    CHECK(!judge.remark().empty());
    return judge.worst_ratio();
  };
  CHECK(ratio(3.0f, false) == 0.0);
  CHECK(ratio(NAN, false) == 0.0);  // as the figure: nothing is claimed
  CHECK(ratio(0.0f, true) == 0.0);
  CHECK(ratio(0.3f, true) > 1.0);
}
