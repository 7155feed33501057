// Layer normalisation over the last axis, with its gradients.
#include <algorithm>
#include <cmath>

#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/seed.h"
#include "conformance/tolerances.h"
#include "kernels/layer_norm.h"
#include "tape/backward.h"
#include "tape/ops.h"

namespace attn::conformance {
namespace {

/// "ones", "zeros" or a list as a parameter, or an input of the same name.
FloatArray scale_or_shift(LiteralCase& each, const char* name, int width) {
  if (each.has_input(name)) return each.floats(name);
  if (!each.has_param(name)) malformed("'%s' is missing", name);
  FloatArray array(Extents{width});
  try {
    const std::string word = each.text(name);
    CONFORMANCE_REQUIRE(word == "ones" || word == "zeros", "'%s': %s is not known", name, word.c_str());
    std::fill(array.values.begin(), array.values.end(), word == "ones" ? 1.0f : 0.0f);
  } catch (const Malformed&) {
    array = floats_of(each.list(name), name);
  }
  return array;
}

/// What the mean's rounding adds: every deviation x - mean is off by it, and is then divided.
double rounding_of_mean(const FloatArray& x, int width, float epsilon) {
  double worst = 0.0;
  for (std::size_t first = 0; first < x.values.size(); first += static_cast<std::size_t>(width)) {
    const std::span<const float> row(x.values.data() + first, static_cast<std::size_t>(width));
    double largest = 0.0;
    for (const float value : row) largest = std::max(largest, std::abs(static_cast<double>(value)));
    const double deviation = static_cast<double>(kernels::row_statistics(row, epsilon).deviation);
    worst = std::max(worst, kRoundingsOfMean * kFloat32Rounding * largest / deviation);
  }
  return worst;
}

}  // namespace

void kind_layer_norm(LiteralCase& each) {
  each.prose({"note"});
  const FloatArray x = each.floats("x");
  CONFORMANCE_REQUIRE(!x.extents.empty() && x.extents.back() > 0, "x has no rows");
  const int width = x.extents.back();
  const float epsilon = static_cast<float>(each.number("eps"));
  const FloatArray gamma = scale_or_shift(each, "gamma", width);
  const FloatArray beta = scale_or_shift(each, "beta", width);
  for (const FloatArray* array : {&gamma, &beta})
    CONFORMANCE_REQUIRE(array->extents == Extents{width}, "scale and shift must have the width of x");

  tape::Tape tape;
  const tape::Value input =
      tape.leaf(x.view_as(core::Shape{static_cast<int>(x.values.size()) / width, width}), {});
  const tape::Value scale = tape.leaf(gamma.view(), {});
  const tape::Value shift = tape.leaf(beta.view(), {});
  const tape::Value y = tape::layer_norm(tape, input, scale, shift, epsilon, {});
  const auto shaped = [&](core::TensorView tensor, const Extents& extents) {
    return FloatArray(extents, {tensor.flat().begin(), tensor.flat().end()});
  };
  Tolerance tolerance = kFloat32Operator;
  tolerance.absolute += rounding_of_mean(x, width, epsilon);
  each.expect_if_given("y", shaped(tape.tensor(y), x.extents), tolerance);
  if (!each.expects("grad_x")) return;
  tape::Gradients gradients;
  tape::backward(tape, y, seed_of(each, x.extents), gradients);
  each.expect("grad_x", shaped(gradients.of(input), x.extents), tolerance);
  each.expect_if_given("grad_gamma", shaped(gradients.of(scale), gamma.extents), tolerance);
  each.expect_if_given("grad_beta", shaped(gradients.of(shift), beta.extents), tolerance);
}

}  // namespace attn::conformance
