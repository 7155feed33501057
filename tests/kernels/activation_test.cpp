#include "kernels/activation.h"

#include <limits>
#include <string>

#include "kernels/reference_activation.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
namespace reference = kernels::reference;
using test::kSizes;
using test::same_bits;
using test::Samples;

namespace {

using Complex = std::complex<double>;
using Forward = void (*)(std::span<const float>, std::span<float>);
using Backward = void (*)(std::span<const float>, std::span<const float>, std::span<float>);

constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr float kCap = 3.0f;

/// An activation in all its versions, and the bounds its header promises (absolute, times max(1, |value|)).
struct Activation {
  const char* name;
  Forward forward;
  Backward backward;
  float (*value)(float);
  float (*slope)(float);
  double (*wide_value)(double);
  double (*wide_slope)(double);
  Complex (*complex_value)(Complex);
  double value_bound;
  double slope_bound;
};

const Activation kActivations[] = {
    {"relu", kernels::relu, kernels::relu_backward, reference::relu<float>, reference::relu_slope<float>,
     reference::relu<double>, reference::relu_slope<double>, reference::relu<Complex>, 0.0, 0.0},
    {"gelu", kernels::gelu, kernels::gelu_backward, reference::gelu<float>, reference::gelu_slope<float>,
     reference::gelu<double>, reference::gelu_slope<double>, reference::gelu<Complex>, 2.5e-7, 2e-7},
    {"gelu_tanh", kernels::gelu_tanh, kernels::gelu_tanh_backward, reference::gelu_tanh<float>,
     reference::gelu_tanh_slope<float>, reference::gelu_tanh<double>, reference::gelu_tanh_slope<double>,
     reference::gelu_tanh<Complex>, 2e-7, 2e-7},
    {"silu", kernels::silu, kernels::silu_backward, reference::silu<float>, reference::silu_slope<float>,
     reference::silu<double>, reference::silu_slope<double>, reference::silu<Complex>, 2e-7, 2e-7},
    {"tanh", kernels::tanh, kernels::tanh_backward, reference::tanh<float>, reference::tanh_slope<float>,
     reference::tanh<double>, reference::tanh_slope<double>, reference::tanh<Complex>, 1e-7, 2e-7},
    {"sigmoid", kernels::sigmoid, kernels::sigmoid_backward, reference::sigmoid<float>,
     reference::sigmoid_slope<float>, reference::sigmoid<double>, reference::sigmoid_slope<double>,
     reference::sigmoid<Complex>, 1e-7, 1e-7},
    {"softcap", [](std::span<const float> x, std::span<float> out) { kernels::softcap(x, kCap, out); },
     [](std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
       kernels::softcap_backward(x, kCap, dy, dx);
     },
     [](float x) { return reference::softcap<float>(x, kCap); },
     [](float x) { return reference::softcap_slope<float>(x, kCap); },
     [](double x) { return reference::softcap<double>(x, kCap); },
     [](double x) { return reference::softcap_slope<double>(x, kCap); },
     [](Complex x) { return reference::softcap<Complex>(x, kCap); }, 3e-7, 3e-7},
};

float value_at(const Activation& activation, float x) {
  float out = 9.0f;
  activation.forward(std::span(&x, 1), std::span(&out, 1));
  return out;
}

float slope_at(const Activation& activation, float x) {
  const float dy = 1.0f;
  float dx = 0.0f;
  activation.backward(std::span(&x, 1), std::span(&dy, 1), std::span(&dx, 1));
  return dx;
}

/// Around 0, across the joints of exp, erf and tanh, and far out.
template <class Visit>
void for_each_sample(Visit&& visit) {
  for (int i = -40000; i <= 40000; ++i) visit(static_cast<float>(i) * 2.5e-4f);
  for (const float far :
       {1e-30f, 1e-6f, 12.0f, 13.3f, 17.0f, 44.0f, 87.4f, 100.0f, 1e4f, 1e15f, 1e20f, 3e38f}) {
    visit(far);
    visit(-far);
  }
}

}  // namespace

TEST_CASE("Activations give the reference's bits for every size, in place too") {
  Samples samples;
  for (const Activation& activation : kActivations) {
    for (const int size : kSizes) {
      CAPTURE(activation.name, size);
      const std::vector<float> x = samples.take(size, 6.0f);
      std::vector<float> want;
      for (const float value : x) want.push_back(activation.value(value));
      std::vector<float> out(x.size(), 9.0f);
      activation.forward(x, out);
      CHECK(same_bits(out, want));
      std::vector<float> in_place = x;
      activation.forward(in_place, in_place);
      CHECK(same_bits(in_place, want));
    }
    for_each_sample([&](float x) {
      CAPTURE(activation.name, x);
      REQUIRE(test::bits_of(value_at(activation, x)) == test::bits_of(activation.value(x)));
    });
  }
}

TEST_CASE("Backward of activations adds dy times the reference's derivative, to the bit, for every size") {
  Samples samples;
  for (const Activation& activation : kActivations) {
    for (const int size : kSizes) {
      CAPTURE(activation.name, size);
      const std::vector<float> x = samples.take(size, 6.0f);
      const std::vector<float> dy = samples.take(size);
      const std::vector<float> before = samples.take(size);
      std::vector<float> want;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float product = dy[i] * activation.slope(x[i]);
        want.push_back(before[i] + product);
      }
      std::vector<float> dx = before;
      activation.backward(x, dy, dx);
      CHECK(same_bits(dx, want));
    }
    for_each_sample([&](float x) {
      CAPTURE(activation.name, x);
      REQUIRE(slope_at(activation, x) == activation.slope(x));
    });
  }
}

TEST_CASE("Activations and their derivatives agree with double precision") {
  for (const Activation& activation : kActivations) {
    for_each_sample([&](float x) {
      CAPTURE(activation.name, x);
      const double wide = static_cast<double>(x);
      const double value = activation.wide_value(wide);
      const double slope = activation.wide_slope(wide);
      REQUIRE(std::abs(static_cast<double>(value_at(activation, x)) - value) <=
              activation.value_bound * std::max(1.0, std::abs(value)));
      REQUIRE(std::abs(static_cast<double>(slope_at(activation, x)) - slope) <= activation.slope_bound);
    });
  }
}

TEST_CASE("Derivatives of activations agree with a complex step") {
  constexpr double kStep = 1e-30;
  constexpr double kTolerance = 1e-14;  // a few roundings of double on values up to 1.13
  for (const Activation& activation : kActivations) {
    for (int i = -400; i <= 400; ++i) {
      const double x = i * 0.03 + 0.001;
      CAPTURE(activation.name, x);
      const double derivative = activation.complex_value({x, kStep}).imag() / kStep;
      REQUIRE(std::abs(activation.wide_slope(x) - derivative) <= kTolerance);
    }
  }
}

TEST_CASE("relu keeps NaN and both zeros and clears negative numbers to +0") {
  std::vector<float> out(6);
  kernels::relu(std::vector<float>{-kInfinity, -1e-45f, -0.0f, 0.0f, kInfinity, std::nanf("")}, out);
  CHECK(same_bits(std::span(out).first(5), std::vector<float>{0.0f, 0.0f, -0.0f, 0.0f, kInfinity}));
  CHECK(std::isnan(out[5]));
}

TEST_CASE("The gradient of relu at 0 is 0, and what is cut off stays 0 whatever comes from above") {
  const std::vector<float> x{-1.0f, -0.0f, 0.0f, 1e-45f, 2.0f};
  std::vector<float> dx(x.size(), 0.0f);
  kernels::relu_backward(x, std::vector<float>{kInfinity, std::nanf(""), 3.0f, 3.0f, 4.0f}, dx);
  CHECK(same_bits(dx, std::vector<float>{0.0f, 0.0f, 0.0f, 3.0f, 4.0f}));
}

TEST_CASE("Derivatives of activations have their limits at infinity") {
  for (const Activation& activation : kActivations) {
    CAPTURE(activation.name);
    const std::string name = activation.name;
    const bool levels_off = name == "tanh" || name == "sigmoid" || name == "softcap";
    const float above = levels_off ? 0.0f : 1.0f;
    CHECK(slope_at(activation, kInfinity) == above);
    CHECK(slope_at(activation, -kInfinity) == 0.0f);
  }
}

TEST_CASE("NaN goes through every activation, and through the derivatives of the smooth ones") {
  for (const Activation& activation : kActivations) {
    CAPTURE(activation.name);
    CHECK(std::isnan(value_at(activation, std::nanf(""))));
    if (std::string(activation.name) != "relu") CHECK(std::isnan(slope_at(activation, std::nanf(""))));
  }
}

TEST_CASE("gelu in its tanh form keeps its digits where 1 + tanh cancels") {
  constexpr double kRelative = 8e-6;  // e^2u carries the relative error of u times |2u|, at most 70 here
  for (int i = 0; i <= 5000; ++i) {
    const float x = -8.0f + static_cast<float>(i) * 1e-3f;
    float out = 0.0f;
    kernels::gelu_tanh(std::span(&x, 1), std::span(&out, 1));
    const double want = reference::gelu_tanh(static_cast<double>(x));
    REQUIRE(std::abs(static_cast<double>(out) / want - 1.0) <= kRelative);
  }
}
