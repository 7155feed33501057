#include "nn/optimizer.h"

#include <cmath>
#include <cstring>

#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using nn::AdamForm;
using nn::AdamOptions;

namespace {

/// The formulas of the header in double, for one number, with std::pow.
struct WideAdam {
  double p = 0.0;
  double m = 0.0;
  double v = 0.0;
  double u = 0.0;
  int t = 0;

  void step(const AdamOptions& options, double gradient) {
    ++t;
    const double g = gradient + options.l2_penalty * p;
    p *= 1.0 - options.learning_rate * options.weight_decay;
    m = options.beta1 * m + (1.0 - options.beta1) * g;
    v = options.beta2 * v + (1.0 - options.beta2) * g * g;
    u = options.amsgrad ? std::max(u, v) : v;
    const int count = options.form == AdamForm::onnx ? t - 1 : t;
    const double correction1 = count == 0 ? 1.0 : 1.0 - std::pow(options.beta1, count);
    const double root2 = count == 0 ? 1.0 : std::sqrt(1.0 - std::pow(options.beta2, count));
    if (options.form == AdamForm::pytorch)
      p -= options.learning_rate / correction1 * m / (std::sqrt(u) / root2 + options.epsilon);
    else
      p -= options.learning_rate * root2 / correction1 * m / (std::sqrt(u) + options.epsilon);
    p *= 1.0 - options.post_decay;
  }
};

float step_once(const AdamOptions& options, float parameter, float gradient) {
  nn::AdamState state;
  const nn::ParameterGradient list[] = {{std::span(&parameter, 1), std::span(&gradient, 1)}};
  nn::adam_step(options, list, state);
  return parameter;
}

}  // namespace

TEST_CASE("Every form of Adam follows its formulas in double over fifty steps") {
  constexpr double kTolerance = 2e-6;  // fifty steps of a few roundings on numbers below 3
  const AdamOptions variants[] = {
      {},
      {.learning_rate = 0.01, .beta2 = 0.98, .epsilon = 1e-9},
      {.learning_rate = 0.01, .l2_penalty = 0.1},
      {.learning_rate = 0.01, .weight_decay = 0.1},
      {.learning_rate = 0.05, .beta1 = 0.5, .beta2 = 0.6, .amsgrad = true},
      {.learning_rate = 0.1, .epsilon = 1.0},
      {.learning_rate = 0.01, .epsilon = 1e-3, .form = AdamForm::keras},
      {.learning_rate = 0.01, .epsilon = 1e-2, .weight_decay = 0.1, .amsgrad = true, .form = AdamForm::keras},
      {.learning_rate = 0.01,
       .beta1 = 0.95,
       .beta2 = 0.85,
       .epsilon = 0.01,
       .l2_penalty = 1e-3,
       .post_decay = 1e-3,
       .form = AdamForm::onnx},
  };
  test::Samples samples;
  for (const AdamOptions& options : variants) {
    std::vector<float> parameter = samples.take(5);
    std::vector<WideAdam> want(5);
    for (std::size_t i = 0; i < 5; ++i) want[i].p = static_cast<double>(parameter[i]);
    nn::AdamState state;
    for (int step = 0; step < 50; ++step) {
      const std::vector<float> gradient = samples.take(5, step % 7 == 3 ? 0.0f : 1.5f);
      const nn::ParameterGradient list[] = {{parameter, gradient}};
      nn::adam_step(options, list, state);
      for (std::size_t i = 0; i < 5; ++i) {
        want[i].step(options, static_cast<double>(gradient[i]));
        CAPTURE(step, i);
        REQUIRE(std::abs(static_cast<double>(parameter[i]) - want[i].p) <= kTolerance);
      }
    }
    CHECK(state.steps == 50);
  }
}

TEST_CASE("The first step of Adam is the learning rate, whatever the size of the gradient") {
  for (const float gradient : {1e-3f, 1.0f, -50.0f}) {
    const float moved = step_once({.learning_rate = 0.5}, 2.0f, gradient);
    CHECK(std::abs(moved - (2.0f - std::copysign(0.5f, gradient))) <= 1e-5f);
  }
}

TEST_CASE("The same epsilon is larger in the forms that do not correct the root") {
  const AdamOptions options{.learning_rate = 1.0, .epsilon = 2.0};
  AdamOptions hat = options;
  hat.form = AdamForm::keras;
  // g = 1: m = 0.1, v = 0.001. PyTorch: 1 / (1 + 2). Keras: sqrt(0.001) / 0.1 * 0.1 / (sqrt(0.001) + 2).
  CHECK(std::abs(step_once(options, 0.0f, 1.0f) + 1.0f / 3.0f) <= 1e-6f);
  CHECK(std::abs(step_once(hat, 0.0f, 1.0f) + 0.0155652f) <= 1e-6f);
}

TEST_CASE("ONNX's first step knows no bias correction") {
  // m = 0.1, v = 0.001: 0.1 / (sqrt(0.001) + 0.01)
  const float moved = step_once({.learning_rate = 1.0, .epsilon = 0.01, .form = AdamForm::onnx}, 0.0f, 1.0f);
  CHECK(std::abs(moved + 0.1f / (std::sqrt(0.001f) + 0.01f)) <= 1e-6f);
}

TEST_CASE("A step has the same bits whether parameters are one tensor or several") {
  test::Samples samples;
  const AdamOptions options{.learning_rate = 0.01, .weight_decay = 0.05, .amsgrad = true};
  std::vector<float> whole = samples.take(21);
  std::vector<float> parts = whole;
  nn::AdamState of_whole;
  nn::AdamState of_parts;
  for (int step = 0; step < 5; ++step) {
    const std::vector<float> gradient = samples.take(21);
    const nn::ParameterGradient one[] = {{whole, gradient}};
    const std::span<float> p = parts;
    const std::span<const float> g = gradient;
    const nn::ParameterGradient three[] = {
        {p.first(3), g.first(3)}, {p.subspan(3, 11), g.subspan(3, 11)}, {p.last(7), g.last(7)}};
    nn::adam_step(options, one, of_whole);
    nn::adam_step(options, three, of_parts);
    REQUIRE(test::same_bits(parts, whole));
  }
}

TEST_CASE("Options of Adam that make no sense are named") {
  CHECK(nn::validate(AdamOptions{}).ok());
  CHECK(nn::validate(AdamOptions{.beta1 = 1.0}).error() == "beta1 is 1; it must lie in [0, 1)");
  CHECK(!nn::validate(AdamOptions{.beta2 = -0.1}).ok());
  CHECK(!nn::validate(AdamOptions{.epsilon = 0.0}).ok());
  CHECK(!nn::validate(AdamOptions{.learning_rate = std::nan("")}).ok());
  CHECK(!nn::validate(AdamOptions{.weight_decay = -1.0}).ok());
}
