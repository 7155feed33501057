// exp, erf, tanh and sigmoid of four floats: what softmax and the activations are made of, inlined into their
// loops.
//
// Own implementations, because libm gives different bits on different platforms. All arithmetic is F32x4, so
// a value has the same bits in any lane, on any path and through the scalar functions of scalar_math.h.
#pragma once

#include "kernels/f32x4.h"

namespace attn::kernels {

namespace exp_constants {
/// ln(2^-126): below it exp is flushed to +0, so that no subnormal number ever reaches a matmul (they cost
/// about a hundred cycles each on x86, and some platforms flush them anyway).
inline constexpr float kLowest = -0x1.5d589ep+6f;  // -87.33654
/// The smallest float whose exp is infinite.
inline constexpr float kFirstInfinite = 0x1.62e43p+6f;  // 88.72284
inline constexpr float kLog2OfE = 0x1.715476p+0f;
/// ln 2 in two parts; the first has 10 significant bits, so n * kLn2High is exact.
inline constexpr float kLn2High = 0x1.63p-1f;
inline constexpr float kLn2Low = -0x1.bd0106p-13f;
/// 1.5 * 2^23 + 127: adding it rounds to an integer n and leaves n + 127 in the lowest bits.
inline constexpr float kRounder = 12582912.0f + 127.0f;
/// (e^r - 1 - r) / r^2 on |r| <= ln(2)/2: minimax, relative error of e^r 3.1e-9 before rounding.
inline constexpr float kP0 = 0x1.fffffcp-2f;
inline constexpr float kP1 = 0x1.55549p-3f;
inline constexpr float kP2 = 0x1.5558f4p-5f;
inline constexpr float kP3 = 0x1.123a4p-7f;
inline constexpr float kP4 = 0x1.6a239cp-10f;
}  // namespace exp_constants

/// x = n ln 2 + r: e^r, and n + 127 in the lowest bits of the second.
struct ReducedExp {
  F32x4 fraction;
  I32x4 biased_exponent;
};

/// Of kCount vectors, step by step side by side: one vector alone is a chain in which each operation waits
/// for the one before, and a browser's compiler does not interleave such chains by itself.
template <int kCount>
inline void reduce_exp(const F32x4 (&x)[kCount], ReducedExp (&result)[kCount]) {
  using namespace exp_constants;
  F32x4 rounded[kCount];
  F32x4 r[kCount];
  F32x4 square[kCount];
  F32x4 low[kCount];
  F32x4 high[kCount];
  for (int i = 0; i < kCount; ++i) rounded[i] = x[i] * splat(kLog2OfE) + splat(kRounder);
  for (int i = 0; i < kCount; ++i) {
    const F32x4 n = rounded[i] - splat(kRounder);
    r[i] = (x[i] - n * splat(kLn2High)) - n * splat(kLn2Low);
  }
  for (int i = 0; i < kCount; ++i) square[i] = r[i] * r[i];
  for (int i = 0; i < kCount; ++i) low[i] = splat(kP1) * r[i] + splat(kP0);
  for (int i = 0; i < kCount; ++i) high[i] = splat(kP4) * square[i] + (splat(kP3) * r[i] + splat(kP2));
  for (int i = 0; i < kCount; ++i) {
    const F32x4 p = high[i] * square[i] + low[i];
    result[i] = {(p * square[i] + r[i]) + splat(1.0f), bits_of(rounded[i])};
  }
}

/// x = exp(x) for x <= 0 or NaN: the same bits as exp() there, with fewer operations.
template <int kCount>
inline void replace_by_exp_of_nonpositive(F32x4 (&x)[kCount]) {
  ReducedExp e[kCount];
  reduce_exp(x, e);
  for (int i = 0; i < kCount; ++i) {
    const F32x4 power_of_two = from_bits(shift_left<23>(e[i].biased_exponent));
    x[i] = clear(e[i].fraction * power_of_two, less(x[i], splat(exp_constants::kLowest)));
  }
}

inline F32x4 exp_of_nonpositive(F32x4 x) {
  F32x4 values[1] = {x};
  replace_by_exp_of_nonpositive(values);
  return values[0];
}

/// exp(x), relative error below 1e-7 (kernels/scalar_math.h has the full contract).
inline F32x4 exp(F32x4 x) {
  using namespace exp_constants;
  // 2^128 is no float, so the exponent is added to the fraction's instead of multiplying by a power of two.
  // Out of range this gives garbage, which the last two lines replace.
  const F32x4 values[1] = {x};
  ReducedExp e[1];
  reduce_exp(values, e);
  const I32x4 exponent = shift_left<23>(e[0].biased_exponent + splat_bits(-127));
  const F32x4 scaled = from_bits(bits_of(e[0].fraction) + exponent);
  const F32x4 above = x * splat(0x1.fffffep+127f);  // +inf from kFirstInfinite on, NaN for NaN
  const I32x4 in_range = less(x, splat(kFirstInfinite));
  return clear(select(in_range, scaled, above), less(x, splat(kLowest)));
}

namespace erf_constants {
/// erf(x)/x - 1 as a polynomial in x^2 on |x| <= 1: minimax, relative error of erf 1.2e-9 before rounding.
inline constexpr float kSmall[7] = {0.128379166f,   -0.37612626f,     0.112835839f,   -0.0268537663f,
                                    0.00518823136f, -0.000800926471f, 7.85052252e-05f};
/// ln(1 - erf(x)) on 1 <= x <= 4: minimax, error of erf 1.0e-9 before rounding.
inline constexpr float kLarge[7] = {-0.00035162142f, -1.12704825f,    -0.638212562f,  -0.103048295f,
                                    0.0218103416f,   -0.00294081261f, 0.000185691868f};
}  // namespace erf_constants

/// The sign bit alone, |x|, -|x|. Of NaN too.
inline I32x4 sign_of(F32x4 x) { return bits_of(x) & splat_bits(static_cast<std::int32_t>(0x80000000u)); }
inline F32x4 absolute(F32x4 x) { return from_bits(bits_of(x) & splat_bits(0x7fffffff)); }
inline F32x4 negative_absolute(F32x4 x) {
  return from_bits(bits_of(x) | splat_bits(static_cast<std::int32_t>(0x80000000u)));
}

/// x where it lies in [-limit, limit], the nearer end elsewhere; NaN stays NaN.
inline F32x4 clamp(F32x4 x, float limit) { return min(max(x, splat(-limit)), splat(limit)); }

/// The polynomial of degree 4 or 6 in x, in an order that keeps the chain of dependent operations short.
inline F32x4 polynomial(const float (&c)[5], F32x4 x) {
  const F32x4 low = splat(c[1]) * x + splat(c[0]);
  const F32x4 high = splat(c[3]) * x + splat(c[2]);
  const F32x4 square = x * x;
  return (splat(c[4]) * square + high) * square + low;
}

inline F32x4 polynomial(const float (&c)[7], F32x4 x) {
  const F32x4 square = x * x;
  const F32x4 low = splat(c[1]) * x + splat(c[0]);
  const F32x4 middle = splat(c[3]) * x + splat(c[2]);
  const F32x4 high = splat(c[6]) * square + (splat(c[5]) * x + splat(c[4]));
  return (high * square + middle) * square + low;
}

/// erf(x), error below 1.2e-7 (kernels/scalar_math.h has the full contract).
inline F32x4 erf(F32x4 x) {
  using namespace erf_constants;
  const I32x4 sign = sign_of(x);
  const F32x4 magnitude = absolute(x);
  const F32x4 square = magnitude * magnitude;
  const F32x4 small = magnitude + magnitude * polynomial(kSmall, square);
  const F32x4 exponent = polynomial(kLarge, min(magnitude, splat(4.0f)));
  const F32x4 large = splat(1.0f) - exp_of_nonpositive(min(exponent, zero()));

  const F32x4 result = select(less(magnitude, splat(1.0f)), small, large);
  return from_bits(bits_of(result) | sign);
}

namespace tanh_constants {
/// Up to here the polynomial, beyond it the exponential.
inline constexpr float kJoint = 0.625f;
/// (tanh(x)/x - 1)/x^2 as a polynomial in x^2 on |x| <= 0.625: minimax, relative error of tanh 4.6e-9 before
/// rounding.
inline constexpr float kSmall[5] = {-0x1.555532p-2f, 0x1.1106f6p-3f, -0x1.b835a4p-5f, 0x1.51f8cep-6f,
                                    -0x1.750ce4p-8f};
}  // namespace tanh_constants

/// tanh(x), relative error below 1.5e-7 (kernels/scalar_math.h has the full contract).
inline F32x4 tanh(F32x4 x) {
  using namespace tanh_constants;
  const F32x4 magnitude = absolute(x);
  const F32x4 square = magnitude * magnitude;
  const F32x4 small = magnitude + magnitude * (square * polynomial(kSmall, square));
  const F32x4 e = exp_of_nonpositive(splat(-2.0f) * magnitude);
  const F32x4 large = splat(1.0f) - (e + e) / (splat(1.0f) + e);
  return from_bits(bits_of(select(less(magnitude, splat(kJoint)), small, large)) | sign_of(x));
}

/// sigmoid(x) and sigmoid(-x), which is 1 - sigmoid(x) without its cancellation.
struct SigmoidPair {
  F32x4 of_x;
  F32x4 of_minus_x;
};

inline SigmoidPair sigmoid_pair(F32x4 x) {
  const F32x4 e = exp_of_nonpositive(negative_absolute(x));
  const F32x4 sum = splat(1.0f) + e;
  const F32x4 above_half = splat(1.0f) / sum;
  const F32x4 below_half = e / sum;
  const I32x4 negative = less(x, zero());
  return {select(negative, below_half, above_half), select(negative, above_half, below_half)};
}

/// 1 / (1 + e^-x), relative error below 1.8e-7 (kernels/scalar_math.h has the full contract).
inline F32x4 sigmoid(F32x4 x) {
  const F32x4 e = exp_of_nonpositive(negative_absolute(x));
  return select(less(x, zero()), e, splat(1.0f)) / (splat(1.0f) + e);
}

}  // namespace attn::kernels
