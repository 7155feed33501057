// The activations of kernels/activation.h once more, for any scalar type: see kernels/reference.h. Each has
// its derivative beside it, `f_slope`; the backward of the fast version adds dy * slope to dx. Dropout,
// kernels/dropout.h, too.
#pragma once

#include "kernels/reference.h"

namespace attn::kernels::reference {

/// The constants as the fast version has them: rounded to float for float, exact enough for double.
template <class Scalar>
Scalar constant(double value) {
  if constexpr (std::is_same_v<Scalar, float>) {
    return static_cast<float>(value);
  } else {
    return Scalar(value);
  }
}

inline constexpr double kRootTwoOverPi = 0.79788456080286535588;

template <class Scalar>
Scalar clamp(Scalar x, double limit) {
  if (real_part(x) < -limit) return constant<Scalar>(-limit);
  if (real_part(x) > limit) return constant<Scalar>(limit);
  return x;
}

template <class Scalar>
Scalar relu(Scalar x) {
  return real_part(x) < 0 ? Scalar(0) : x;
}

template <class Scalar>
Scalar relu_slope(Scalar x) {
  return real_part(x) > 0 ? Scalar(1) : Scalar(0);
}

template <class Scalar>
Scalar gelu(Scalar x) {
  const Scalar inverse_root_two = constant<Scalar>(1.0 / std::numbers::sqrt2);
  return Scalar(0.5) * x * (Scalar(1) + error_function(x * inverse_root_two));
}

template <class Scalar>
Scalar gelu_slope(Scalar x) {
  const Scalar c = clamp(x, 16.0);
  const Scalar inverse_root_two = constant<Scalar>(1.0 / std::numbers::sqrt2);
  const Scalar inverse_root_two_pi = constant<Scalar>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  const Scalar cumulative = Scalar(0.5) * (Scalar(1) + error_function(c * inverse_root_two));
  return cumulative + c * (inverse_root_two_pi * exponential(Scalar(-0.5) * (c * c)));
}

template <class Scalar>
Scalar tanh(Scalar x) {
  return hyperbolic_tangent(x);
}

template <class Scalar>
Scalar tanh_slope(Scalar x) {
  const Scalar e = exponential(Scalar(-2) * (real_part(x) < 0 ? -x : x));
  return Scalar(4) * e / ((Scalar(1) + e) * (Scalar(1) + e));
}

template <class Scalar>
Scalar softcap(Scalar x, Scalar cap) {
  return cap * hyperbolic_tangent(x / cap);
}

template <class Scalar>
Scalar softcap_slope(Scalar x, Scalar cap) {
  return tanh_slope(x / cap);
}

template <class Scalar>
Scalar sigmoid(Scalar x) {
  const bool negative = real_part(x) < 0;
  const Scalar e = exponential(negative ? x : -x);
  return (negative ? e : Scalar(1)) / (Scalar(1) + e);
}

template <class Scalar>
Scalar sigmoid_slope(Scalar x) {
  return sigmoid(x) * sigmoid(-x);
}

template <class Scalar>
Scalar silu(Scalar x) {
  return x * sigmoid(x);
}

template <class Scalar>
Scalar silu_slope(Scalar x) {
  return sigmoid(x) + clamp(x, 128.0) * (sigmoid(x) * sigmoid(-x));
}

/// 2u = x (linear + cubic x^2).
template <class Scalar>
Scalar gelu_tanh(Scalar x) {
  const Scalar linear = constant<Scalar>(2.0 * kRootTwoOverPi);
  const Scalar cubic = constant<Scalar>(2.0 * kRootTwoOverPi * 0.044715);
  return x * sigmoid(x * (linear + cubic * (x * x)));
}

template <class Scalar>
Scalar gelu_tanh_slope(Scalar x) {
  const Scalar linear = constant<Scalar>(2.0 * kRootTwoOverPi);
  const Scalar cubic = constant<Scalar>(2.0 * kRootTwoOverPi * 0.044715);
  const Scalar cubic_slope = constant<Scalar>(6.0 * kRootTwoOverPi * 0.044715);
  const Scalar c = clamp(x, 16.0);
  const Scalar inner = c * (linear + cubic * (c * c));
  const Scalar s = sigmoid(inner);
  return s + c * (s * sigmoid(-inner)) * (linear + cubic_slope * (c * c));
}

/// keep is 1 or 0.
template <class Scalar>
Scalar dropout(Scalar x, Scalar keep, Scalar p) {
  return keep == Scalar(1) && p != Scalar(1) ? x * (Scalar(1) / (Scalar(1) - p)) : Scalar(0);
}

}  // namespace attn::kernels::reference
