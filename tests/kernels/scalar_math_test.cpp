#include "kernels/scalar_math.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/samples.h"
#include "kernels/vector_math.h"
#include "support/catch.h"

using namespace attn;
using test::bits_of;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kWideInfinity = std::numeric_limits<double>::infinity();

float from_bits(std::uint32_t bits) {
  float value = 0.0f;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Distance in units of the last place of `want` as a double.
double ulps(double value, long double want) {
  if (static_cast<long double>(value) == want) return 0.0;
  int exponent = 0;
  static_cast<void>(std::frexp(static_cast<double>(want), &exponent));
  return static_cast<double>(std::fabs(static_cast<long double>(value) - want) /
                             std::ldexp(1.0L, exponent - 53));
}

// The reference is libm's long double where that is x87's; elsewhere it may be no more than double (musl's
// logl is log), and then its own error comes on top.
constexpr double kUlpBound = std::numeric_limits<long double>::digits == 64 ? 1.0 : 2.0;

}  // namespace

TEST_CASE("exp is within 1e-7 of the exact value wherever the result is a normal float") {
  constexpr double kTolerance = 1e-7;
  double worst = 0.0;
  for (std::uint32_t bits = 0; bits < bits_of(89.0f); bits += 4099) {  // a prime: all low bits occur
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const float x = from_bits(bits | sign);
      if (x < -87.33654f || x >= 88.72283f) continue;
      const double want = std::exp(static_cast<double>(x));
      worst = std::max(worst, std::abs(static_cast<double>(kernels::exp(x)) - want) / want);
    }
  }
  CHECK(worst < kTolerance);
  CHECK(worst > 1e-8);  // half an ulp: a smaller value would mean nothing was compared
}

TEST_CASE("exp is exact at 0 and right at its ends") {
  CHECK(kernels::exp(0.0f) == 1.0f);
  CHECK(kernels::exp(-0.0f) == 1.0f);
  CHECK(kernels::exp(1e-45f) == 1.0f);
  CHECK(bits_of(kernels::exp(-kInfinity)) == 0);
  CHECK(kernels::exp(kInfinity) == kInfinity);
  CHECK(std::isnan(kernels::exp(std::nanf(""))));
  CHECK(std::isnan(kernels::exp(-std::nanf(""))));
  CHECK(std::isnan(kernels::exp(from_bits(0x7fc00001u))));
  CHECK(std::isnan(kernels::exp(from_bits(0x7f800001u))));

  const float first_infinite = 0x1.62e43p+6f;
  CHECK(kernels::exp(first_infinite) == kInfinity);
  CHECK(kernels::exp(100.0f) == kInfinity);
  CHECK(kernels::exp(3e38f) == kInfinity);
  CHECK(std::isfinite(kernels::exp(std::nextafter(first_infinite, 0.0f))));

  const float last_normal = -0x1.5d589ep+6f;
  CHECK(kernels::exp(last_normal) >= std::numeric_limits<float>::min());
  CHECK(bits_of(kernels::exp(std::nextafter(last_normal, -100.0f))) == 0);
  CHECK(bits_of(kernels::exp(-3e38f)) == 0);
}

TEST_CASE("exp never decreases") {
  // Around every point where the exponent n changes, step by step, and coarsely in between.
  for (int n = -125; n <= 127; ++n) {
    float x = static_cast<float>((n + 0.5) * 0.6931471805599453);
    for (int step = 0; step < 40; ++step) x = std::nextafter(x, -1000.0f);
    float before = kernels::exp(x);
    for (int step = 0; step < 80; ++step) {
      x = std::nextafter(x, 1000.0f);
      const float after = kernels::exp(x);
      CAPTURE(n, x);
      REQUIRE(after >= before * (1.0f - 0x1p-23f));
      before = after;
    }
  }
  float before = 0.0f;
  for (int i = -9000; i <= 9000; ++i) {
    const float after = kernels::exp(static_cast<float>(i) * 0.01f);
    REQUIRE(after >= before);
    before = after;
  }
}

TEST_CASE("exp_of_nonpositive has the bits of exp, in every lane") {
  test::Samples samples;
  for (int i = 0; i < 20000; ++i) {
    float inputs[4];
    for (float& x : inputs) x = -std::abs(samples.next()) * (i % 2 == 0 ? 90.0f : 2.0f);
    if (i == 0) inputs[1] = 0.0f;
    if (i == 1) inputs[2] = -kInfinity;
    if (i == 2) inputs[3] = -0x1.5d589ep+6f;
    float fast[4];
    float full[4];
    kernels::store(fast, kernels::exp_of_nonpositive(kernels::load(inputs)));
    kernels::store(full, kernels::exp(kernels::load(inputs)));
    for (int lane = 0; lane < 4; ++lane) {
      REQUIRE(bits_of(fast[lane]) == bits_of(full[lane]));
      REQUIRE(bits_of(full[lane]) == bits_of(kernels::exp(inputs[lane])));
    }
  }
  float lanes[4];
  kernels::store(lanes, kernels::exp_of_nonpositive(kernels::splat(std::nanf(""))));
  CHECK(std::isnan(lanes[0]));
}

TEST_CASE("erf is within its bounds and odd to the bit") {
  constexpr double kAbsolute = 1.2e-7;
  constexpr double kRelative = 2e-7;
  double worst_absolute = 0.0;
  double worst_relative = 0.0;
  for (std::uint32_t bits = 0x00800000u; bits < bits_of(6.0f); bits += 4099) {
    const float x = from_bits(bits);
    const float y = kernels::erf(x);
    const double want = std::erf(static_cast<double>(x));
    worst_absolute = std::max(worst_absolute, std::abs(static_cast<double>(y) - want));
    worst_relative = std::max(worst_relative, std::abs(static_cast<double>(y) - want) / want);
    if (bits_of(kernels::erf(-x)) != (bits_of(y) | 0x80000000u)) FAIL("not odd at " << x);
  }
  CHECK(worst_absolute < kAbsolute);
  CHECK(worst_relative < kRelative);
  CHECK(worst_relative > 1e-8);
  CHECK(kernels::erf(4.0f) == 1.0f);
  CHECK(kernels::erf(kInfinity) == 1.0f);
  CHECK(kernels::erf(-kInfinity) == -1.0f);
  CHECK(bits_of(kernels::erf(0.0f)) == bits_of(0.0f));
  CHECK(bits_of(kernels::erf(-0.0f)) == bits_of(-0.0f));
  CHECK(std::isnan(kernels::erf(std::nanf(""))));
}

TEST_CASE("tanh is within its bound, odd to the bit, and 1 from where its header says") {
  constexpr double kTolerance = 1.5e-7;
  double worst = 0.0;
  for (std::uint32_t bits = 0; bits < bits_of(12.0f); bits += 4099) {
    const float x = from_bits(bits);
    const float y = kernels::tanh(x);
    const double want = std::tanh(static_cast<double>(x));
    if (want > 0.0) worst = std::max(worst, std::abs(static_cast<double>(y) - want) / want);
    if (bits_of(kernels::tanh(-x)) != (bits_of(y) | 0x80000000u)) FAIL("not odd at " << x);
  }
  CHECK(worst < kTolerance);
  CHECK(worst > 1e-8);
  CHECK(bits_of(kernels::tanh(0.0f)) == bits_of(0.0f));
  CHECK(kernels::tanh(9.010914f) == 1.0f);
  CHECK(kernels::tanh(9.0109f) < 1.0f);
  CHECK(kernels::tanh(kInfinity) == 1.0f);
  CHECK(kernels::tanh(-kInfinity) == -1.0f);
  CHECK(std::isnan(kernels::tanh(std::nanf(""))));
}

TEST_CASE("tanh never decreases by more than its last bit, the joint of its two methods included") {
  float before = 0.0f;
  for (std::uint32_t bits = bits_of(0.624f); bits < bits_of(0.626f); ++bits) {
    const float after = kernels::tanh(from_bits(bits));
    REQUIRE(after >= before * (1.0f - 0x1p-23f));
    before = after;
  }
}

TEST_CASE("sigmoid is within its bound for large and for small results") {
  constexpr double kTolerance = 1.8e-7;
  double worst = 0.0;
  for (std::uint32_t bits = 0; bits < bits_of(87.33f); bits += 4099) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const float x = from_bits(bits | sign);
      const double want = 1.0 / (1.0 + std::exp(-static_cast<double>(x)));
      worst = std::max(worst, std::abs(static_cast<double>(kernels::sigmoid(x)) - want) / want);
    }
  }
  CHECK(worst < kTolerance);
  CHECK(worst > 1e-8);
  CHECK(kernels::sigmoid(0.0f) == 0.5f);
  CHECK(kernels::sigmoid(-0.0f) == 0.5f);
  CHECK(kernels::sigmoid(16.63554f) == 1.0f);
  CHECK(kernels::sigmoid(16.6355f) < 1.0f);
  CHECK(kernels::sigmoid(kInfinity) == 1.0f);
  CHECK(bits_of(kernels::sigmoid(-87.4f)) == 0);
  CHECK(bits_of(kernels::sigmoid(-kInfinity)) == 0);
  CHECK(std::isnan(kernels::sigmoid(std::nanf(""))));
}

TEST_CASE("sigmoid_pair gives the bits of sigmoid at x and at -x") {
  test::Samples samples;
  for (int i = 0; i < 20000; ++i) {
    const float x = samples.next() * (i % 2 == 0 ? 100.0f : 3.0f);
    const kernels::SigmoidPair pair = kernels::sigmoid_pair(kernels::splat(x));
    float lanes[4];
    kernels::store(lanes, pair.of_x);
    REQUIRE(bits_of(lanes[1]) == bits_of(kernels::sigmoid(x)));
    kernels::store(lanes, pair.of_minus_x);
    REQUIRE(bits_of(lanes[2]) == bits_of(kernels::sigmoid(-x)));
  }
}

TEST_CASE("exp in double is within one ulp and right at its ends") {
  double worst = 0.0;
  for (int i = -708000; i <= 709000; ++i) {
    const double x = i * 1e-3 + 1e-7;
    worst = std::max(worst, ulps(kernels::exp(x), std::exp(static_cast<long double>(x))));
  }
  for (int i = -100000; i <= 100000; ++i) {
    const double x = i * 1e-5;
    worst = std::max(worst, ulps(kernels::exp(x), std::exp(static_cast<long double>(x))));
  }
  CHECK(worst <= kUlpBound);
  CHECK(worst > 0.1);
  CHECK(kernels::exp(0.0) == 1.0);
  CHECK(kernels::exp(709.782712893383973) > 1.797e308);
  CHECK(std::isfinite(kernels::exp(709.782712893383973)));
  CHECK(kernels::exp(709.78271289338409) == kWideInfinity);
  CHECK(kernels::exp(kWideInfinity) == kWideInfinity);
  CHECK(kernels::exp(-708.3964) > 2.2250e-308);
  CHECK(kernels::exp(-708.39642) == 0.0);
  CHECK(kernels::exp(-kWideInfinity) == 0.0);
  CHECK(std::isnan(kernels::exp(std::nan(""))));
}

TEST_CASE("log is within one ulp over all magnitudes") {
  double worst = 0.0;
  for (int i = 1; i < 200000; ++i) {
    for (const double x :
         {i * 1.37e-5, std::ldexp(1.0 + i * 5e-6, i % 2098 - 1074), 1.0 + i * 1e-9, 1.0 - i * 1e-9}) {
      worst = std::max(worst, ulps(kernels::log(x), std::log(static_cast<long double>(x))));
    }
  }
  CHECK(worst < kUlpBound);
  CHECK(worst > 0.1);
  CHECK(kernels::log(1.0) == 0.0);
  CHECK(kernels::log(0.0) == -kWideInfinity);
  CHECK(kernels::log(-0.0) == -kWideInfinity);
  CHECK(kernels::log(kWideInfinity) == kWideInfinity);
  CHECK(std::isnan(kernels::log(-1.0)));
  CHECK(std::isnan(kernels::log(-kWideInfinity)));
  CHECK(std::isnan(kernels::log(std::nan(""))));
}

TEST_CASE("cos and sin are within one ulp up to the largest angle") {
  double worst_cos = 0.0;
  double worst_sin = 0.0;
  for (int i = -200000; i <= 200000; ++i) {
    // Dense near 0, spread over the whole domain, and the floats next to multiples of pi/2.
    for (const double x : {i * 3.3e-5, i * 5.2428791, i * 1.5707963267948966}) {
      if (std::abs(x) > kernels::kLargestAngle) continue;
      worst_cos = std::max(worst_cos, ulps(kernels::cos(x), std::cos(static_cast<long double>(x))));
      worst_sin = std::max(worst_sin, ulps(kernels::sin(x), std::sin(static_cast<long double>(x))));
    }
  }
  CHECK(worst_cos < kUlpBound);
  CHECK(worst_sin < kUlpBound);
  CHECK(worst_cos > 0.1);
  CHECK(worst_sin > 0.1);
  CHECK(kernels::cos(0.0) == 1.0);
  CHECK(kernels::sin(0.0) == 0.0);
}

TEST_CASE("cos and sin refuse angles they cannot reduce") {
  CHECK(std::isfinite(kernels::cos(kernels::kLargestAngle)));
  for (const double x :
       {kernels::kLargestAngle * 1.001, -1e300, kWideInfinity, -kWideInfinity, std::nan("")}) {
    CHECK(std::isnan(kernels::cos(x)));
    CHECK(std::isnan(kernels::sin(x)));
  }
}
