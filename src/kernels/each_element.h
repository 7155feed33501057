// The loops of elementwise kernels: four elements at a time, then what is left of fewer than four.
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

/// Calls part(get, put, column) for every vector of a row of `columns`: get(from) loads and put(to, vector)
/// stores. For the last vector they load +0 beyond the last column and store nothing there.
template <class Part>
inline void for_each_vector(int columns, Part part) {
  const int whole = columns & ~3;
  const int rest = columns - whole;
  for (int j = 0; j < whole; j += 4) {
    part([](const float* from) { return load(from); }, [](float* to, F32x4 value) { store(to, value); }, j);
  }
  if (rest > 0) {
    part([rest](const float* from) { return load_partial(from, rest); },
         [rest](float* to, F32x4 value) { store_partial(to, value, rest); }, whole);
  }
}

}  // namespace attn::kernels
