#include "kernels/adam.h"

#include "core/check.h"
#include "kernels/each_element.h"

namespace attn::kernels {

void adam_update(const AdamUpdate& update, std::span<const float> gradient, std::span<float> parameter,
                 std::span<float> first, std::span<float> second, std::span<float> largest) {
  ATTN_CHECK(gradient.size() == parameter.size() && first.size() == parameter.size());
  ATTN_CHECK(second.size() == parameter.size());
  ATTN_CHECK(largest.empty() || largest.size() == parameter.size());
  for_each_vector(static_cast<int>(parameter.size()), [&](auto get, auto put, int i) {
    F32x4 p = get(parameter.data() + i);
    F32x4 g = get(gradient.data() + i);
    if (update.l2 != 0.0f) g = g + splat(update.l2) * p;
    if (update.keep_before != 1.0f) p = p * splat(update.keep_before);
    const F32x4 m = splat(update.beta1) * get(first.data() + i) + splat(update.one_minus_beta1) * g;
    const F32x4 v = splat(update.beta2) * get(second.data() + i) + (splat(update.one_minus_beta2) * g) * g;
    put(first.data() + i, m);
    put(second.data() + i, v);
    F32x4 u = v;
    if (!largest.empty()) {
      u = max(get(largest.data() + i), v);
      put(largest.data() + i, u);
    }
    const F32x4 denominator = sqrt(u) / splat(update.root_divisor) + splat(update.epsilon);
    p = p - (splat(update.step_size) * m) / denominator;
    if (update.keep_after != 1.0f) p = p * splat(update.keep_after);
    put(parameter.data() + i, p);
  });
}

}  // namespace attn::kernels
