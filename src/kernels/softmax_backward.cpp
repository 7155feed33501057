#include "core/check.h"
#include "kernels/f32x4.h"
#include "kernels/softmax.h"

namespace attn::kernels {

void softmax_backward(core::ConstMatrix weights, core::ConstMatrix dweights, core::Matrix dscores) {
  ATTN_CHECK(dweights.rows == weights.rows && dweights.columns == weights.columns);
  ATTN_CHECK(dscores.rows == weights.rows && dscores.columns == weights.columns);
  const int whole = weights.columns & ~3;
  const int rest = weights.columns - whole;
  for (int row = 0; row < weights.rows; ++row) {
    const float* w = weights.row(row);
    const float* dw = dweights.row(row);
    float* ds = dscores.row(row);
    const auto product = [](F32x4 weight, F32x4 slope) {
      return keep(weight * slope, not_equal(weight, zero()));
    };
    F32x4 sum = zero();
    for (int j = 0; j < whole; j += 4) sum = sum + product(load(w + j), load(dw + j));
    if (rest > 0) sum = sum + product(load_partial(w + whole, rest), load_partial(dw + whole, rest));
    const F32x4 shift = splat(sum_of_lanes(sum));
    for (int j = 0; j < whole; j += 4) {
      store(ds + j, load(ds + j) + product(load(w + j), load(dw + j) - shift));
    }
    if (rest > 0) {
      const F32x4 part = product(load_partial(w + whole, rest), load_partial(dw + whole, rest) - shift);
      store_partial(ds + whole, load_partial(ds + whole, rest) + part, rest);
    }
  }
}

}  // namespace attn::kernels
