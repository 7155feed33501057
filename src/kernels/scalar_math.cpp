#include "kernels/scalar_math.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

constexpr double kWideInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ln 2 in two parts; the first has 42 significant bits, so its product with an exponent is exact.
constexpr double kLn2High = 0x1.62e42fefa38p-1;
constexpr double kLn2Low = 0x1.ef35793c7673p-45;

float first_lane(F32x4 a) {
  float lanes[4];
  store(lanes, a);
  return lanes[0];
}

/// value * 2^exponent with 1 <= value < 2 taken apart; x must be positive, finite and normal.
struct Parts {
  double significand;
  int exponent;
};

Parts take_apart(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
  Parts parts{0.0, exponent};
  std::memcpy(&parts.significand, &bits, sizeof bits);
  return parts;
}

/// 2^exponent for exponents of normal numbers.
double power_of_two(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// x = quarter * pi/2 + angle + tail, |angle| <= pi/4, |tail| below half an ulp of angle.
struct ReducedAngle {
  int quarter;  // modulo 4
  double angle;
  double tail;
};

ReducedAngle reduced_angle(double x) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kRounder = 0x1.8p+52;
  // pi/2 in three parts; the first two have 33 significant bits, so n times them is exact for |n| < 2^20.
  constexpr double kHigh = 0x1.921fb544p+0;
  constexpr double kMiddle = 0x1.0b4611a6p-34;
  constexpr double kLow = 0x1.3198a2e037073p-69;
  const double n = (x * kTwoOverPi + kRounder) - kRounder;
  const double high = x - n * kHigh;
  const double middle = n * kMiddle;
  // high - middle with its rounding error (Knuth's two-sum)
  const double difference = high - middle;
  const double subtracted = high - difference;
  const double error = (high - (difference + subtracted)) + (subtracted - middle);
  const double low = error - n * kLow;
  const double angle = difference + low;
  return {static_cast<int>(n) & 3, angle, (difference - angle) + low};
}

/// sin(r + tail) on |r| <= pi/4: Taylor series to r^17.
double sin_of_reduced(double r, double tail) {
  const double z = r * r;
  double p = 1.0 / 355687428096000.0;
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return r + (r * z * p + tail * (1.0 - 0.5 * z));
}

/// cos(r + tail) on |r| <= pi/4: Taylor series to r^16.
double cos_of_reduced(double r, double tail) {
  const double z = r * r;
  double p = 1.0 / 20922789888000.0;
  p = p * z - 1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  const double half = 0.5 * z;
  const double leading = 1.0 - half;
  return leading + (((1.0 - leading) - half) + (z * z * p - r * tail));
}

bool has_angle(double x) { return x >= -kLargestAngle && x <= kLargestAngle; }

}  // namespace

float exp(float x) { return first_lane(exp(splat(x))); }

float erf(float x) { return first_lane(erf(splat(x))); }

float tanh(float x) { return first_lane(tanh(splat(x))); }

float sigmoid(float x) { return first_lane(sigmoid(splat(x))); }

double exp(double x) {
  if (x != x) return x;
  if (x < -0x1.6232bdd7abcd2p+9) return 0.0;
  if (x > 0x1.62e42fefa39efp+9) return kWideInfinity;
  constexpr double kLog2OfE = 0x1.71547652b82fep+0;
  constexpr double kRounder = 0x1.8p+52;
  const double n = (x * kLog2OfE + kRounder) - kRounder;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  const double fraction = 1.0 + (r + r * r * p);
  // In two steps, because 2^1024 is no double although e^x may still be one.
  const int exponent = static_cast<int>(n);
  const int half = exponent / 2;
  return fraction * power_of_two(half) * power_of_two(exponent - half);
}

double log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -kWideInfinity : kNan;
  if (x == kWideInfinity) return x;
  const bool subnormal = x < std::numeric_limits<double>::min();
  Parts parts = take_apart(subnormal ? x * 0x1p+54 : x);
  if (subnormal) parts.exponent -= 54;
  if (parts.significand > 0x1.6a09e667f3bcdp+0) {  // sqrt(2)
    parts.significand *= 0.5;
    parts.exponent += 1;
  }
  // log(1 + f) = 2 artanh(s), s = f / (2 + f), rearranged to f - f^2/2 + s (f^2/2 + R(s^2)) so that the
  // leading terms are exact or small.
  const double f = parts.significand - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double series = 2.0 / 21.0;
  for (int divisor = 19; divisor >= 3; divisor -= 2) series = series * z + 2.0 / divisor;
  series *= z;
  const double exponent = parts.exponent;
  const double half_square = 0.5 * f * f;
  const double correction = s * (half_square + series) + exponent * kLn2Low;
  return exponent * kLn2High + (f - (half_square - correction));
}

double cos(double x) {
  if (!has_angle(x)) return kNan;
  const ReducedAngle reduced = reduced_angle(x);
  switch (reduced.quarter) {
    case 0:
      return cos_of_reduced(reduced.angle, reduced.tail);
    case 1:
      return -sin_of_reduced(reduced.angle, reduced.tail);
    case 2:
      return -cos_of_reduced(reduced.angle, reduced.tail);
    default:
      return sin_of_reduced(reduced.angle, reduced.tail);
  }
}

double sin(double x) {
  if (!has_angle(x)) return kNan;
  const ReducedAngle reduced = reduced_angle(x);
  switch (reduced.quarter) {
    case 0:
      return sin_of_reduced(reduced.angle, reduced.tail);
    case 1:
      return cos_of_reduced(reduced.angle, reduced.tail);
    case 2:
      return -sin_of_reduced(reduced.angle, reduced.tail);
    default:
      return -cos_of_reduced(reduced.angle, reduced.tail);
  }
}

}  // namespace attn::kernels
