// The loop of every elementwise kernel: four elements at a time, then what is left of fewer than four.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/f32x4.h"

namespace attn::kernels {

/// out[i] = operation(inputs[i]...). All of one size; an input may be `out` itself. The operation sees
/// vectors only, lanes beyond the end are +0 and their results are dropped.
template <class Operation, class... Inputs>
inline void for_each_element(std::span<float> out, Operation operation, Inputs... inputs) {
  const std::size_t whole = out.size() & ~std::size_t{3};
  const int rest = static_cast<int>(out.size() - whole);
  for (std::size_t i = 0; i < whole; i += 4) store(out.data() + i, operation(load(inputs.data() + i)...));
  if (rest > 0) {
    store_partial(out.data() + whole, operation(load_partial(inputs.data() + whole, rest)...), rest);
  }
}

}  // namespace attn::kernels
