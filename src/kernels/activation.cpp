#include "kernels/activation.h"

#include "core/check.h"
#include "kernels/each_element.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

constexpr float kInverseRootTwo = 0.70710678f;
constexpr float kInverseRootTwoPi = 0.39894228f;
// 2u = x (kTanhLinear + kTanhCubic x^2) in the tanh form of GELU.
constexpr float kTanhLinear = 1.59576912f;       // 2 sqrt(2 / pi)
constexpr float kTanhCubic = 0.0713548163f;      // that times 0.044715
constexpr float kTanhCubicSlope = 0.214064449f;  // three times that

// Beyond these |x| every exponential in the derivative is flushed to 0, so that clamping changes no bit.
constexpr float kGeluClamp = 16.0f;
constexpr float kSiluClamp = 128.0f;

template <class Function>
void apply(std::span<const float> x, std::span<float> out, Function function) {
  ATTN_CHECK(x.size() == out.size());
  for_each_element(out, function, x);
}

/// dx += dy * slope(x).
template <class Slope>
void add_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx, Slope slope) {
  ATTN_CHECK(x.size() == dx.size() && dy.size() == dx.size());
  for_each_element(
      dx, [slope](F32x4 sum, F32x4 value, F32x4 gradient) { return sum + gradient * slope(value); }, dx, x,
      dy);
}

/// 1 - tanh(x)^2.
F32x4 tanh_slope(F32x4 x) {
  const F32x4 e = exp_of_nonpositive(splat(-2.0f) * absolute(x));
  const F32x4 sum = splat(1.0f) + e;
  return splat(4.0f) * e / (sum * sum);
}

}  // namespace

void relu(std::span<const float> x, std::span<float> out) {
  apply(x, out, [](F32x4 value) { return clear(value, less(value, zero())); });
}

void relu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  ATTN_CHECK(x.size() == dx.size() && dy.size() == dx.size());
  for_each_element(
      dx, [](F32x4 sum, F32x4 value, F32x4 gradient) { return sum + keep(gradient, less(zero(), value)); },
      dx, x, dy);
}

void gelu(std::span<const float> x, std::span<float> out) {
  apply(x, out, [](F32x4 value) {
    return splat(0.5f) * value * (splat(1.0f) + erf(value * splat(kInverseRootTwo)));
  });
}

void gelu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  add_backward(x, dy, dx, [](F32x4 value) {
    const F32x4 clamped = clamp(value, kGeluClamp);
    const F32x4 cumulative = splat(0.5f) * (splat(1.0f) + erf(clamped * splat(kInverseRootTwo)));
    const F32x4 density = splat(kInverseRootTwoPi) * exp_of_nonpositive(splat(-0.5f) * (clamped * clamped));
    return cumulative + clamped * density;
  });
}

void gelu_tanh(std::span<const float> x, std::span<float> out) {
  apply(x, out, [](F32x4 value) {
    return value * sigmoid(value * (splat(kTanhLinear) + splat(kTanhCubic) * (value * value)));
  });
}

void gelu_tanh_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  add_backward(x, dy, dx, [](F32x4 value) {
    const F32x4 clamped = clamp(value, kGeluClamp);
    const F32x4 square = clamped * clamped;
    const SigmoidPair s = sigmoid_pair(clamped * (splat(kTanhLinear) + splat(kTanhCubic) * square));
    const F32x4 inner_slope = splat(kTanhLinear) + splat(kTanhCubicSlope) * square;
    return s.of_x + clamped * (s.of_x * s.of_minus_x) * inner_slope;
  });
}

void silu(std::span<const float> x, std::span<float> out) {
  apply(x, out, [](F32x4 value) { return value * sigmoid(value); });
}

void silu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  add_backward(x, dy, dx, [](F32x4 value) {
    const SigmoidPair s = sigmoid_pair(value);
    return s.of_x + clamp(value, kSiluClamp) * (s.of_x * s.of_minus_x);
  });
}

void tanh(std::span<const float> x, std::span<float> out) {
  apply(x, out, [](F32x4 value) { return tanh(value); });
}

void tanh_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  add_backward(x, dy, dx, tanh_slope);
}

void softcap(std::span<const float> x, float cap, std::span<float> out) {
  const F32x4 limit = splat(cap);
  apply(x, out, [limit](F32x4 value) { return limit * tanh(value / limit); });
}

void softcap_backward(std::span<const float> x, float cap, std::span<const float> dy, std::span<float> dx) {
  const F32x4 limit = splat(cap);
  add_backward(x, dy, dx, [limit](F32x4 value) { return tanh_slope(value / limit); });
}

void sigmoid(std::span<const float> x, std::span<float> out) {
  apply(x, out, [](F32x4 value) { return sigmoid(value); });
}

void sigmoid_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  add_backward(x, dy, dx, [](F32x4 value) {
    const SigmoidPair s = sigmoid_pair(value);
    return s.of_x * s.of_minus_x;
  });
}

}  // namespace attn::kernels
