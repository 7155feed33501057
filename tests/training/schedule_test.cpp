#include "training/schedule.h"

#include <cmath>

#include "support/catch.h"

using namespace attn::training;

TEST_CASE("the learning rate rises in a straight line to its peak, then does as its decay says") {
  const Schedule constant{.peak = 0.5, .warm_up = 4};
  CHECK(learning_rate(constant, 1, 10) == 0.125);
  CHECK(learning_rate(constant, 3, 10) == 0.375);
  CHECK(learning_rate(constant, 4, 10) == 0.5);
  CHECK(learning_rate(constant, 10, 10) == 0.5);

  const Schedule linear{.peak = 0.5, .warm_up = 4, .decay = Decay::linear};
  CHECK(learning_rate(linear, 4, 13) == 0.5);
  CHECK(learning_rate(linear, 9, 13) == 0.25);
  CHECK(learning_rate(linear, 13, 13) == 0.05);  // a step of 0 would teach nothing
  CHECK(learning_rate({.peak = 1.0, .decay = Decay::linear}, 1, 1) == 1.0);

  const Schedule root{.peak = 0.5, .warm_up = 4, .decay = Decay::inverse_square_root};
  CHECK(learning_rate(root, 4, 100) == 0.5);
  CHECK(learning_rate(root, 16, 100) == 0.25);
}

TEST_CASE("the paper's schedule is the inverse square root with its peak") {
  constexpr double d_model = 512.0;
  constexpr int warm_up = 4000;
  const Schedule schedule{
      .peak = 1.0 / std::sqrt(d_model * warm_up), .warm_up = warm_up, .decay = Decay::inverse_square_root};
  for (const int t : {1, 100, 3999, 4000, 4001, 20000}) {
    const double paper =
        std::min(1.0 / std::sqrt(static_cast<double>(t)), t * std::pow(warm_up, -1.5)) / std::sqrt(d_model);
    CHECK(learning_rate(schedule, t, 100000) == Approx(paper).epsilon(1e-12));
  }
}
