// Elementary functions whose bits are the same on every platform (libm's are not).
//
// The float functions are the SIMD ones of vector_math.h for one value: same bits as in softmax and the
// activations. The double functions serve the initialisation of parameters, position tables and bias
// corrections, where speed does not matter.
#pragma once

namespace attn::kernels {

/// e^x. Relative error below 1e-7. exp(0) = 1 exactly, exp(-inf) = +0, exp(+inf) = +inf, NaN for NaN. Where
/// the result would be below 2^-126 (x < -87.33654) it is flushed to +0; +inf from 88.72284 on. Method: x = n
/// ln 2 + r, ln 2 in two parts, polynomial of degree 6 in r.
float exp(float x);

/// 2/sqrt(pi) * integral of e^(-t^2) from 0 to x. Absolute error below 1.2e-7, relative below 2e-7. Odd to
/// the bit; erf(+-0) = +-0, +-1 exactly from |x| = 4 on, NaN for NaN. Method: polynomial in x^2 up to 1,
/// above it 1 - exp of a polynomial.
float erf(float x);

/// Hyperbolic tangent. Relative error below 1.5e-7. Odd to the bit; tanh(+-0) = +-0, +-1 exactly from
/// |x| = 9.010914 on, NaN for NaN. Method: odd polynomial up to 0.625, above it 1 - 2e/(1 + e) with e =
/// e^(-2|x|).
float tanh(float x);

/// The logistic function 1 / (1 + e^-x). Relative error below 1.8e-7. 0.5 exactly at +-0, +0 where the result
/// would be below 2^-126, 1 exactly from 16.63554 on, NaN for NaN. Method: e = e^-|x|; 1 / (1 + e) for x >= 0
/// and e / (1 + e) for x < 0, so that small results keep all their digits.
float sigmoid(float x);

/// e^x in double, error below 1 ulp. exp(0) = 1, exp(+inf) = +inf, NaN for NaN; +0 where the result would be
/// below 2^-1022 (x < -708.39641853226410), +inf above 709.78271289338397. Method: x = n ln 2 + r, Taylor
/// series to r^13 on |r| <= ln(2)/2.
double exp(double x);

/// Natural logarithm, error below 1 ulp. log(1) = +0, log(0) = -inf, log(+inf) = +inf, NaN for x < 0 and for
/// NaN; subnormal x too. Method: x = 2^k (1 + f), series of artanh(f / (2 + f)).
double log(double x);

/// Cosine and sine of x radians, error below 1 ulp for |x| <= kLargestAngle. Beyond it, and for infinities
/// and NaN, the result is NaN: the reduction by pi/2 would no longer be accurate. Method: x - n pi/2 with
/// pi/2 in three parts, Taylor polynomials to degree 16 and 17 on |r| <= pi/4.
double cos(double x);
double sin(double x);

/// 2^20.
inline constexpr double kLargestAngle = 1048576.0;

}  // namespace attn::kernels
