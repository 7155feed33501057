#include "kernels/elementwise.h"

#include <cstddef>

#include "core/check.h"
#include "kernels/vector_math.h"

namespace attn::kernels {
namespace {

/// out[i] = operation(inputs[i]...), four at a time.
template <class Operation, class... Inputs>
inline void for_each_element(std::span<float> out, Operation operation, Inputs... inputs) {
  const std::size_t whole = out.size() & ~std::size_t{3};
  const int rest = static_cast<int>(out.size() - whole);
  for (std::size_t i = 0; i < whole; i += 4) store(out.data() + i, operation(load(inputs.data() + i)...));
  if (rest > 0) {
    store_partial(out.data() + whole, operation(load_partial(inputs.data() + whole, rest)...), rest);
  }
}

}  // namespace

void add(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  ATTN_CHECK(a.size() == out.size() && b.size() == out.size());
  for_each_element(
      out, [](F32x4 x, F32x4 y) { return x + y; }, a, b);
}

void relu(std::span<const float> x, std::span<float> out) {
  ATTN_CHECK(x.size() == out.size());
  for_each_element(
      out, [](F32x4 value) { return clear(value, less(value, zero())); }, x);
}

void gelu(std::span<const float> x, std::span<float> out) {
  ATTN_CHECK(x.size() == out.size());
  for_each_element(
      out, [](F32x4 value) { return splat(0.5f) * value * (splat(1.0f) + erf(value * splat(0.70710678f))); },
      x);
}

}  // namespace attn::kernels
