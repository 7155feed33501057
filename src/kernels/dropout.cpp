#include "kernels/dropout.h"

#include "core/check.h"
#include "kernels/each_element.h"

namespace attn::kernels {

float dropout_factor(float p) {
  ATTN_CHECK(p >= 0.0f && p <= 1.0f);
  return p < 1.0f ? 1.0f / (1.0f - p) : 0.0f;
}

void dropout_mask(const core::RandomStream& stream, std::uint64_t first, float p, std::span<float> keep) {
  ATTN_CHECK(p >= 0.0f && p <= 1.0f);
  stream.fill_uniform(first, keep);
  for (float& value : keep) value = value >= p ? 1.0f : 0.0f;
}

void dropout(std::span<const float> x, std::span<const float> keep, float p, std::span<float> out) {
  ATTN_CHECK(x.size() == out.size() && keep.size() == out.size());
  const F32x4 scale = splat(dropout_factor(p));
  for_each_element(
      out, [scale](F32x4 value, F32x4 stays) { return clear(value * scale, not_equal(splat(1.0f), stays)); },
      x, keep);
}

void dropout_backward(std::span<const float> keep, float p, std::span<const float> dy, std::span<float> dx) {
  ATTN_CHECK(dy.size() == dx.size() && keep.size() == dx.size());
  const F32x4 scale = splat(dropout_factor(p));
  for_each_element(
      dx,
      [scale](F32x4 sum, F32x4 stays, F32x4 gradient) {
        return sum + clear(gradient * scale, not_equal(splat(1.0f), stays));
      },
      dx, keep, dy);
}

}  // namespace attn::kernels
