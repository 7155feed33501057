#include "kernels/softmax_axis.h"

#include <functional>
#include <limits>

#include "kernels/reference_rows.h"
#include "kernels/samples.h"
#include "kernels/softmax.h"
#include "support/catch.h"

using namespace attn;
using core::Shape;
using test::kSizes;
using test::same_bits;
using test::Samples;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

core::TensorView as_tensor(const std::vector<float>& values, Shape shape) { return {values.data(), shape}; }

/// Calls visit(indices) with where the elements of each line along the axis lie.
void for_each_line(Shape shape, int axis, const std::function<void(const std::vector<std::size_t>&)>& visit) {
  int outer = 1;
  int inner = 1;
  for (int i = 0; i < axis; ++i) outer *= shape[i];
  for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  for (int o = 0; o < outer; ++o)
    for (int i = 0; i < inner; ++i) {
      std::vector<std::size_t> indices;
      for (int j = 0; j < shape[axis]; ++j)
        indices.push_back(static_cast<std::size_t>((o * shape[axis] + j) * inner + i));
      visit(indices);
    }
}

std::vector<float> gather(const std::vector<float>& values, const std::vector<std::size_t>& indices) {
  std::vector<float> line;
  for (const std::size_t index : indices) line.push_back(values[index]);
  return line;
}

/// Shapes that put each size on the axis, and odd extents beside it.
const Shape kShapes[] = {{1},    {6},       {3, 5},    {5, 3},     {1, 4},       {4, 1},
                         {8, 9}, {2, 3, 4}, {3, 4, 5}, {2, 17, 3}, {2, 3, 33},   {33, 2, 1},
                         {0, 3}, {3, 0},    {2, 0, 5}, {16, 16},   {2, 3, 4, 5}, {3, 1, 7, 2}};

}  // namespace

TEST_CASE("Softmax over any axis gives the bits of softmax over a row") {
  Samples samples;
  for (const Shape& shape : kShapes) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      CAPTURE(core::to_string(shape), axis);
      const std::vector<float> x = samples.take(shape.size(), 8.0f);
      const std::vector<float> dy = samples.take(shape.size());
      std::vector<float> y(x.size(), kNan);
      std::vector<float> dx = samples.take(shape.size());
      const std::vector<float> before = dx;
      kernels::softmax(as_tensor(x, shape), axis - shape.rank(), y);
      kernels::softmax_backward(as_tensor(y, shape), axis, dy, dx);
      for_each_line(shape, axis, [&](const std::vector<std::size_t>& indices) {
        std::vector<float> want(indices.size());
        kernels::masked_softmax(gather(x, indices), {}, want);
        REQUIRE(same_bits(gather(y, indices), want));
        const std::vector<float> slopes = gather(dy, indices);
        std::vector<float> want_dx = gather(before, indices);
        const int columns = static_cast<int>(indices.size());
        kernels::softmax_backward(test::view(want, 1, columns), test::view(slopes, 1, columns),
                                  test::view(want_dx, 1, columns));
        REQUIRE(same_bits(gather(dx, indices), want_dx));
      });
      std::vector<float> in_place = x;
      kernels::softmax(as_tensor(in_place, shape), axis, in_place);
      REQUIRE(same_bits(in_place, y));
    }
  }
}

TEST_CASE("Log-softmax over any axis, and its backward, give the reference's bits") {
  Samples samples;
  for (const Shape& shape : kShapes) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      CAPTURE(core::to_string(shape), axis);
      const std::vector<float> x = samples.take(shape.size(), 8.0f);
      const std::vector<float> dy = samples.take(shape.size());
      std::vector<float> y(x.size(), kNan);
      std::vector<float> dx = samples.take(shape.size());
      const std::vector<float> before = dx;
      kernels::log_softmax(as_tensor(x, shape), axis - shape.rank(), y);
      kernels::log_softmax_backward(as_tensor(y, shape), axis, dy, dx);
      for_each_line(shape, axis, [&](const std::vector<std::size_t>& indices) {
        std::vector<float> want(indices.size());
        kernels::reference::log_softmax<float>(gather(x, indices), want);
        REQUIRE(same_bits(gather(y, indices), want));
        std::vector<float> want_dx = gather(before, indices);
        kernels::reference::log_softmax_backward<float>(want, gather(dy, indices), want_dx);
        REQUIRE(same_bits(gather(dx, indices), want_dx));
      });
      std::vector<float> in_place = x;
      kernels::log_softmax(as_tensor(in_place, shape), axis, in_place);
      REQUIRE(same_bits(in_place, y));
    }
  }
}

TEST_CASE("Log-softmax gives the reference's bits for every size of a row") {
  Samples samples;
  for (const int columns : kSizes) {
    for (const float scale : {0.1f, 3.0f, 60.0f, 1000.0f}) {
      const std::vector<float> x = samples.take(columns, scale);
      std::vector<float> y(x.size());
      std::vector<float> want(x.size());
      kernels::log_softmax(as_tensor(x, {columns}), 0, y);
      kernels::reference::log_softmax<float>(x, want);
      REQUIRE(same_bits(y, want));
    }
  }
}

TEST_CASE("The derivative of log-softmax agrees with a complex step") {
  constexpr double kStep = 1e-30;
  constexpr double kTolerance = 1e-14;
  using Complex = std::complex<double>;
  Samples samples;
  for (const int columns : kSizes) {
    std::vector<double> x;
    std::vector<double> dy;
    for (const float value : samples.take(columns, 4.0f)) x.push_back(static_cast<double>(value));
    for (const float value : samples.take(columns)) dy.push_back(static_cast<double>(value));
    std::vector<double> y(x.size());
    std::vector<double> dx(x.size(), 0.0);
    kernels::reference::log_softmax<double>(x, y);
    kernels::reference::log_softmax_backward<double>(y, dy, dx);
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<Complex> stepped(x.begin(), x.end());
      stepped[i] += Complex(0.0, kStep);
      std::vector<Complex> out(x.size());
      kernels::reference::log_softmax<Complex>(stepped, out);
      double derivative = 0.0;
      for (std::size_t j = 0; j < x.size(); ++j) derivative += dy[j] * out[j].imag() / kStep;
      CHECK(std::abs(dx[i] - derivative) <= kTolerance);
    }
  }
}

TEST_CASE("Log-softmax agrees with double precision") {
  constexpr double kTolerance = 3e-7;  // of the sum's relative error and two roundings, times max(1, |y|)
  Samples samples;
  for (const int columns : {1, 2, 7, 64, 1000}) {
    for (const float scale : {0.1f, 5.0f, 50.0f}) {
      const std::vector<float> x = samples.take(columns, scale);
      std::vector<float> y(x.size());
      kernels::log_softmax(as_tensor(x, {columns}), -1, y);
      const std::vector<double> wide(x.begin(), x.end());
      std::vector<double> want(x.size());
      kernels::reference::log_softmax<double>(wide, want);
      for (std::size_t j = 0; j < x.size(); ++j)
        REQUIRE(std::abs(static_cast<double>(y[j]) - want[j]) <=
                kTolerance * std::max(1.0, std::abs(want[j])));
    }
  }
}

TEST_CASE("Log-softmax keeps its head with huge numbers, and -inf among finite ones is -inf") {
  const std::vector<float> x{1e20f, 1e20f, -kInfinity, -1e38f};
  for (const Shape& shape : {Shape{4}, Shape{4, 1}}) {
    std::vector<float> y(4);
    kernels::log_softmax(as_tensor(x, shape), 0, y);
    CHECK(std::abs(y[0] + 0.69314718f) <= 1e-7f);
    CHECK(y[1] == y[0]);
    CHECK(y[2] == -kInfinity);
    CHECK(y[3] == -1e38f);
    std::vector<float> dx(4, 0.0f);
    kernels::log_softmax_backward(as_tensor(y, shape), 0, std::vector<float>{1.0f, 0.0f, 0.0f, 0.0f}, dx);
    CHECK(same_bits(dx, std::vector<float>{0.5f, -0.5f, 0.0f, 0.0f}));
  }
}

TEST_CASE("A NaN, a +inf or nothing but -inf makes a whole line NaN, and no other line") {
  const float poisons[] = {kNan, kInfinity};
  for (const float poison : poisons) {
    const std::vector<float> x{1.0f, 0.0f, poison, 2.0f, 3.0f, 4.0f};  // (3, 2): column 0 is poisoned
    std::vector<float> y(6);
    kernels::log_softmax(as_tensor(x, {3, 2}), 0, y);
    for (const std::size_t i : {0u, 2u, 4u}) CHECK(std::isnan(y[i]));
    for (const std::size_t i : {1u, 3u, 5u}) CHECK(std::isfinite(y[i]));
    kernels::softmax(as_tensor(x, {3, 2}), 0, y);
    for (const std::size_t i : {0u, 2u, 4u}) CHECK(std::isnan(y[i]));
    for (const std::size_t i : {1u, 3u, 5u}) CHECK(std::isfinite(y[i]));
  }
  const std::vector<float> nothing(3, -kInfinity);
  std::vector<float> y(3, 0.0f);
  kernels::log_softmax(as_tensor(nothing, {3}), 0, y);
  for (const float value : y) CHECK(std::isnan(value));
}
