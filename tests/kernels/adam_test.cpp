#include "kernels/adam.h"

#include "kernels/reference_adam.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;

TEST_CASE("adam_update gives the reference's bits for every size, with every option") {
  Samples samples;
  const kernels::AdamUpdate updates[] = {
      {},
      {.l2 = 0.1f, .step_size = 0.02f, .root_divisor = 0.3f},
      {.keep_before = 0.99f, .beta1 = 0.5f, .one_minus_beta1 = 0.5f, .epsilon = 1.0f, .keep_after = 0.5f},
  };
  for (const kernels::AdamUpdate& update : updates) {
    for (const bool amsgrad : {false, true}) {
      for (const int size : kSizes) {
        CAPTURE(amsgrad, size);
        std::vector<float> parameter = samples.take(size);
        std::vector<float> first(parameter.size());
        std::vector<float> second(parameter.size());
        std::vector<float> largest(amsgrad ? parameter.size() : 0);
        std::vector<kernels::reference::AdamElement<float>> want;
        for (const float value : parameter) want.push_back({.parameter = value});
        for (int step = 0; step < 4; ++step) {
          const std::vector<float> gradient = samples.take(size, step == 2 ? 0.01f : 2.0f);
          kernels::adam_update(update, gradient, parameter, first, second, largest);
          for (std::size_t i = 0; i < parameter.size(); ++i) {
            kernels::reference::adam_update(update, gradient[i], amsgrad, want[i]);
            REQUIRE(test::bits_of(parameter[i]) == test::bits_of(want[i].parameter));
            REQUIRE(test::bits_of(first[i]) == test::bits_of(want[i].first));
            REQUIRE(test::bits_of(second[i]) == test::bits_of(want[i].second));
            if (amsgrad) REQUIRE(test::bits_of(largest[i]) == test::bits_of(want[i].largest));
          }
        }
      }
    }
  }
}

TEST_CASE("A step may be taken in parts of any size") {
  Samples samples;
  const std::vector<float> gradient = samples.take(33);
  const std::vector<float> start = samples.take(33);
  std::vector<float> whole = start;
  std::vector<float> first(33);
  std::vector<float> second(33);
  kernels::adam_update({}, gradient, whole, first, second, {});
  for (const std::size_t cut : {1u, 5u, 16u, 32u}) {
    std::vector<float> parts = start;
    std::vector<float> m(33);
    std::vector<float> v(33);
    const auto half = [&](std::size_t from, std::size_t count) {
      kernels::adam_update({}, std::span(gradient).subspan(from, count),
                           std::span(parts).subspan(from, count), std::span(m).subspan(from, count),
                           std::span(v).subspan(from, count), {});
    };
    half(0, cut);
    half(cut, 33 - cut);
    CHECK(same_bits(parts, whole));
    CHECK(same_bits(m, first));
    CHECK(same_bits(v, second));
  }
}

TEST_CASE("A gradient of 0 moves nothing and makes no NaN") {
  std::vector<float> parameter{1.0f, -2.0f};
  std::vector<float> first(2);
  std::vector<float> second(2);
  kernels::adam_update({}, std::vector<float>(2, 0.0f), parameter, first, second, {});
  CHECK(same_bits(parameter, std::vector<float>{1.0f, -2.0f}));
}
