// Is the backward of an op the derivative of its forward? Asked of the readable version of the op with
// std::complex<double>: f(x + ih·v) = f(x) + ih·f'(x)·v + O(h²), without cancellation (complex step;
// Squire & Trapp 1998).
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "tape/backward.h"
#include "tape/tape.h"

namespace attn::test {

using Complex = std::complex<double>;

/// The inputs of an op, or its result, as flat arrays.
template <class Scalar>
using Arrays = std::vector<std::vector<Scalar>>;

/// One op at one size: how it is recorded, and what it computes.
struct OpCase {
  std::string name;
  std::vector<core::Tensor> inputs;  // those that it is differentiated by
  std::function<tape::Value(tape::Tape&, const std::vector<tape::Value>&)> record;
  std::function<std::vector<float>(const Arrays<float>&)> reference;
  std::function<std::vector<Complex>(const Arrays<Complex>&)> complex_reference;
};

/// `function` is generic: it takes Arrays<Scalar> and returns std::vector<Scalar>.
template <class Record, class Function>
OpCase op_case(std::string name, std::vector<core::Tensor> inputs, Record record, Function function) {
  return {std::move(name), std::move(inputs), record,
          [function](const Arrays<float>& arrays) { return function(arrays); },
          [function](const Arrays<Complex>& arrays) { return function(arrays); }};
}

/// Requires that the op gives the reference's bits, that its cells recompute from their explanations to the
/// same bits, and that the gradients of L = Σ seed·output, for a random
/// seed, agree with the complex step: in every single input when there are few of them, else along several
/// random directions.
void check_op(const OpCase& op);

/// A tensor of numbers in [−scale, scale).
core::Tensor random_tensor(const core::Shape& shape, std::uint64_t seed, float scale = 1.0f);

}  // namespace attn::test
