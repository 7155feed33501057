#include "kernels/elementwise.h"

#include "core/check.h"
#include "kernels/each_element.h"

namespace attn::kernels {

void add(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  ATTN_CHECK(a.size() == out.size() && b.size() == out.size());
  for_each_element(
      out, [](F32x4 x, F32x4 y) { return x + y; }, a, b);
}

void subtract(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  ATTN_CHECK(a.size() == out.size() && b.size() == out.size());
  for_each_element(
      out, [](F32x4 x, F32x4 y) { return x - y; }, a, b);
}

void scale(std::span<const float> x, float factor, std::span<float> out) {
  ATTN_CHECK(x.size() == out.size());
  for_each_element(
      out, [factor](F32x4 value) { return value * splat(factor); }, x);
}

void scale_backward(float factor, std::span<const float> dy, std::span<float> dx) {
  ATTN_CHECK(dy.size() == dx.size());
  for_each_element(
      dx, [factor](F32x4 sum, F32x4 slope) { return sum + slope * splat(factor); }, dx, dy);
}

}  // namespace attn::kernels
