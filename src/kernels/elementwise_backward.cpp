#include <cstddef>

#include "core/check.h"
#include "kernels/elementwise.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

/// dx[i] += derivative(x[i], dy[i]), four at a time.
template <class Derivative>
inline void add_each(std::span<const float> x, std::span<const float> dy, std::span<float> dx,
                     Derivative derivative) {
  ATTN_CHECK(x.size() == dx.size() && dy.size() == dx.size());
  const std::size_t whole = dx.size() & ~std::size_t{3};
  const int rest = static_cast<int>(dx.size() - whole);
  for (std::size_t i = 0; i < whole; i += 4) {
    store(dx.data() + i, load(dx.data() + i) + derivative(load(x.data() + i), load(dy.data() + i)));
  }
  if (rest > 0) {
    const F32x4 part =
        derivative(load_partial(x.data() + whole, rest), load_partial(dy.data() + whole, rest));
    store_partial(dx.data() + whole, load_partial(dx.data() + whole, rest) + part, rest);
  }
}

}  // namespace

void relu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  add_each(x, dy, dx, [](F32x4 value, F32x4 slope) { return keep(slope, less(zero(), value)); });
}

void gelu_backward(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
  constexpr float kInverseRootTwoPi = 0.39894228f;
  add_each(x, dy, dx, [](F32x4 value, F32x4 slope) {
    const F32x4 probability = splat(0.5f) * (splat(1.0f) + erf(value * splat(0.70710678f)));
    const F32x4 density = exp_of_nonpositive(splat(-0.5f) * value * value) * splat(kInverseRootTwoPi);
    return slope * (probability + value * density);
  });
}

}  // namespace attn::kernels
