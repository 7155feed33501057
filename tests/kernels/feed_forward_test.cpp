#include "kernels/feed_forward.h"

#include <array>
#include <limits>

#include "kernels/activation.h"
#include "kernels/reference.h"
#include "kernels/reference_activation.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using kernels::HiddenActivation;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

struct Inputs {
  int rows, width, hidden;
  std::vector<float> x, weight1, bias1, weight2, bias2;
};

Inputs random_inputs(Samples& samples, int rows, int width, int hidden) {
  return {rows,
          width,
          hidden,
          samples.take(rows * width),
          samples.take(width * hidden),
          samples.take(hidden),
          samples.take(hidden * width),
          samples.take(width)};
}

std::vector<float> expected(const Inputs& in, HiddenActivation activation) {
  const auto rows = static_cast<std::size_t>(in.rows);
  const auto width = static_cast<std::size_t>(in.width);
  const auto hidden = static_cast<std::size_t>(in.hidden);
  std::vector<float> activated(rows * hidden);
  kernels::reference::linear<float>(in.x, in.weight1, in.bias1, rows, width, hidden, activated);
  for (float& value : activated) {
    value = activation == HiddenActivation::relu ? kernels::reference::relu(value)
                                                 : kernels::reference::gelu(value);
  }
  std::vector<float> out(rows * width);
  kernels::reference::linear<float>(activated, in.weight2, in.bias2, rows, hidden, width, out);
  return out;
}

std::vector<float> feed_forward(const Inputs& in, HiddenActivation activation) {
  kernels::PackedMatrix weight1;
  kernels::PackedMatrix weight2;
  kernels::pack(view(in.weight1, in.width, in.hidden), weight1);
  kernels::pack(view(in.weight2, in.hidden, in.width), weight2);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> scratch(kernels::feed_forward_scratch(in.rows), kNan);
  std::vector<float> out(in.x.size(), kNan);
  kernels::feed_forward(view(in.x, in.rows, in.width), {weight1, in.bias1, weight2, in.bias2}, activation,
                        scratch, view(out, in.rows, in.width));
  return out;
}

}  // namespace

TEST_CASE("feed_forward gives the bits of linear, activation, linear for every combination of sizes") {
  Samples samples;
  for (const int rows : kSizes)
    for (const int width : kSizes)
      for (const int hidden : kSizes) {
        if (hidden == 0) continue;  // a model has no such layer
        CAPTURE(rows, width, hidden);
        const Inputs in = random_inputs(samples, rows, width, hidden);
        for (const HiddenActivation activation : {HiddenActivation::relu, HiddenActivation::gelu})
          REQUIRE(same_bits(feed_forward(in, activation), expected(in, activation)));
      }
}

TEST_CASE("feed_forward gives the same bits where the hidden layer takes several blocks") {
  Samples samples(2);
  for (const auto& [rows, width, hidden] :
       {std::array{1, 8, 2048}, {5, 8, 2048}, {5, 7, 1031}, {16, 64, 1000}, {70, 5, 200}, {200, 3, 130}}) {
    CAPTURE(rows, width, hidden);
    const Inputs in = random_inputs(samples, rows, width, hidden);
    for (const HiddenActivation activation : {HiddenActivation::relu, HiddenActivation::gelu})
      REQUIRE(same_bits(feed_forward(in, activation), expected(in, activation)));
  }
}

TEST_CASE("a row of feed_forward does not depend on how many rows there are") {
  Samples samples(3);
  const Inputs all = random_inputs(samples, 130, 9, 600);
  const std::vector<float> whole = feed_forward(all, HiddenActivation::gelu);
  for (int rows : {1, 2, 3, 4, 5, 6, 7, 33, 64, 129}) {
    CAPTURE(rows);
    Inputs some = all;
    some.rows = rows;
    some.x.resize(static_cast<std::size_t>(rows * 9));
    REQUIRE(same_bits(feed_forward(some, HiddenActivation::gelu),
                      std::span(whole).first(static_cast<std::size_t>(rows * 9))));
  }
}
