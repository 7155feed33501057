// Attention written to be read; see kernels/reference.h and, for what is promised, kernels/attention.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/reference.h"

namespace attn::kernels::reference {

/// One query of one head: query (d), keys and values (S, d), visible (S) or empty: all, context (d).
template <class Scalar>
void attend(std::span<const Scalar> query, Scalar divisor, std::span<const Scalar> keys,
            std::span<const Scalar> values, std::span<const Scalar> visible, std::span<Scalar> context) {
  const std::size_t width = query.size();
  const std::size_t count = keys.size() / width;
  std::vector<Scalar> weights(count);
  for (std::size_t j = 0; j < count; ++j) {
    Scalar sum = 0;
    for (std::size_t f = 0; f < width; ++f) sum += query[f] * keys[j * width + f];
    weights[j] = sum / divisor;
  }
  masked_softmax<Scalar>(weights, visible, weights);
  for (std::size_t f = 0; f < width; ++f) {
    context[f] = 0;
    for (std::size_t j = 0; j < count; ++j) context[f] += weights[j] * values[j * width + f];
  }
}

}  // namespace attn::kernels::reference
