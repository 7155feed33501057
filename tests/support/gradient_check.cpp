#include "support/gradient_check.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "support/catch.h"
#include "support/random_model.h"
#include "tape/explain.h"

namespace attn::test {
namespace {

// Relative to |gradient| + 1: what float32 sums of up to 33 products of numbers near 1 lose, with a factor of
// about four to spare. A wrong term is wrong by far more.
constexpr double kTolerance = 1e-5;

constexpr double kStep = 1e-30;
constexpr std::size_t kFew = 40;
constexpr int kDirections = 6;
constexpr int kCells = 12;

template <class Scalar>
Arrays<Scalar> arrays_of(const std::vector<core::Tensor>& tensors) {
  Arrays<Scalar> arrays;
  for (const core::Tensor& tensor : tensors) {
    arrays.emplace_back();
    for (const float value : tensor.flat()) {
      if constexpr (std::is_same_v<Scalar, float>) {
        arrays.back().push_back(value);
      } else {
        arrays.back().emplace_back(static_cast<double>(value), 0.0);
      }
    }
  }
  return arrays;
}

/// The gradients and what they are compared with.
struct Check {
  const OpCase& op;
  std::vector<float> seed;
  Arrays<float> gradients;

  /// One direction in the space of all inputs.
  void along(const std::vector<double>& direction) const {
    Arrays<Complex> moved = arrays_of<Complex>(op.inputs);
    double expected = 0.0;
    double scale = 0.0;
    std::size_t flat = 0;
    for (std::size_t i = 0; i < moved.size(); ++i)
      for (std::size_t j = 0; j < moved[i].size(); ++j, ++flat) {
        const auto gradient = static_cast<double>(gradients[i][j]);
        moved[i][j] += Complex(0.0, kStep * direction[flat]);
        expected += gradient * direction[flat];
        scale += (std::abs(gradient) + 1.0) * std::abs(direction[flat]);
      }
    const std::vector<Complex> result = op.complex_reference(moved);
    REQUIRE(result.size() == seed.size());
    double derivative = 0.0;
    for (std::size_t i = 0; i < seed.size(); ++i)
      derivative += static_cast<double>(seed[i]) * result[i].imag() / kStep;
    CAPTURE(derivative, expected);
    REQUIRE(std::abs(derivative - expected) <= kTolerance * scale);
  }
};

std::array<int, 4> index_of(int flat, const core::Shape& shape) {
  std::array<int, 4> index{};
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[static_cast<std::size_t>(axis)] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

}  // namespace

core::Tensor random_tensor(const core::Shape& shape, std::uint64_t seed, float scale) {
  RandomNumbers numbers(seed);
  core::Tensor tensor(shape);
  for (float& value : tensor.flat()) value = scale * numbers.uniform();
  return tensor;
}

void check_op(const OpCase& op) {
  CAPTURE(op.name);
  tape::Tape tape;
  std::vector<tape::Value> values;
  for (const core::Tensor& input : op.inputs) values.push_back(tape.leaf(input.view(), {}));
  const tape::Value output = op.record(tape, values);
  const core::TensorView result = tape.tensor(output);

  const std::vector<float> reference = op.reference(arrays_of<float>(op.inputs));
  REQUIRE(reference.size() == result.flat().size());
  for (std::size_t i = 0; i < reference.size(); ++i)
    REQUIRE(core::bits_of(reference[i]) == core::bits_of(result.flat()[i]));

  RandomNumbers numbers(17);
  for (int i = 0; i < std::min(result.size(), kCells); ++i) {
    const int flat = result.size() <= kCells ? i : numbers.below(result.size());
    CAPTURE(flat);
    REQUIRE(core::bits_of(tape::recompute(tape::explain(tape, output, index_of(flat, result.shape)))) ==
            core::bits_of(result.flat()[static_cast<std::size_t>(flat)]));
  }

  Check check{op, {}, {}};
  for (int i = 0; i < result.size(); ++i) check.seed.push_back(numbers.uniform());
  tape::Gradients gradients;
  tape::backward(tape, output, check.seed, gradients);
  std::size_t count = 0;
  for (const tape::Value value : values) {
    const core::TensorView gradient = gradients.of(value);
    REQUIRE(gradient.values != nullptr);
    REQUIRE(gradient.shape == tape.tensor(value).shape);
    check.gradients.emplace_back(gradient.flat().begin(), gradient.flat().end());
    count += gradient.flat().size();
  }
  std::vector<double> direction(count, 0.0);
  if (count <= kFew) {
    for (double& component : direction) {
      component = 1.0;
      check.along(direction);
      component = 0.0;
    }
    return;
  }
  // Few components at a time, so that an error in one of them is not lost among the others.
  for (int i = 0; i < kDirections; ++i) {
    for (double& component : direction)
      component = numbers.below(static_cast<int>(count)) < 8 ? static_cast<double>(numbers.uniform()) : 0.0;
    check.along(direction);
  }
}

}  // namespace attn::test
