#include "kernels/elementwise.h"

#include "core/check.h"
#include "kernels/each_element.h"

namespace attn::kernels {

void add(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  ATTN_CHECK(a.size() == out.size() && b.size() == out.size());
  for_each_element(
      out, [](F32x4 x, F32x4 y) { return x + y; }, a, b);
}

}  // namespace attn::kernels
