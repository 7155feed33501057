#include "conformance/judge.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace attn::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Error over allowance of one value.
double ratio_of(double actual, double expected, Tolerance tolerance) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual) ? 0.0 : kInfinity;
  if (actual == expected) return 0.0;
  if (std::isinf(expected) || std::isinf(actual)) return kInfinity;
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  return std::abs(actual - expected) / allowed;  // infinite when nothing is allowed
}

}  // namespace

void Judge::expect(std::string_view what, const FloatArray& actual, const Array& expected,
                   Tolerance tolerance) {
  if (actual.extents == expected.extents) {
    expect(what, actual.values, expected.values, expected.extents, tolerance);
    return;
  }
  ++compared_;
  note(kInfinity,
       std::string(what) + ": shape " + to_string(actual.extents) + " for " + to_string(expected.extents));
}

void Judge::expect(std::string_view what, std::span<const float> actual, std::span<const double> expected,
                   const Extents& extents, Tolerance tolerance) {
  ++compared_;
  if (actual.size() != expected.size()) {
    note(kInfinity, std::string(what) + ": " + std::to_string(actual.size()) + " values for " +
                        std::to_string(expected.size()));
    return;
  }
  double worst = -1.0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double ratio = ratio_of(static_cast<double>(actual[i]), expected[i], tolerance);
    if (ratio <= worst) continue;
    worst = ratio;
    place = i;
  }
  if (worst < 0.0) return;  // an empty tensor
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected[place]);
  char text[200];
  std::snprintf(text, sizeof text, ": %.3g at %s: %.9g for %.9g (allowed %.3g)",
                std::abs(static_cast<double>(actual[place]) - expected[place]),
                place_of(place, extents).c_str(), static_cast<double>(actual[place]), expected[place],
                allowed);
  note(worst, std::string(what) + text);
}

void Judge::expect_where_defined(std::string_view what, const FloatArray& actual, Array expected,
                                 Tolerance tolerance, bool zero) {
  if (actual.extents == expected.extents) {
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      if (!std::isnan(expected.values[i])) continue;
      ++undefined_;
      if (zero) expected.values[i] = 0.0;
      if (!zero && std::isfinite(actual.values[i]))
        expected.values[i] = static_cast<double>(actual.values[i]);
    }
    remark_ =
        std::to_string(undefined_) +
        " figures are NaN there (a row that sees nothing); by contract C3 ours are finite, its weights 0";
  }
  expect(what, actual, expected, tolerance);
}

void Judge::expect_true(bool holds, std::string_view what) {
  ++compared_;
  if (!holds) note(kInfinity, std::string(what));
}

void Judge::note(double ratio, std::string text) {
  if (!worst_.empty() && ratio <= worst_ratio_) return;
  worst_ratio_ = ratio;
  worst_ = std::move(text);
}

}  // namespace attn::conformance
