// The backward of softmax and layer normalisation. Whether these formulas are the derivatives is asked in
// tape/gradient_test.cpp.
#include <limits>

#include "kernels/layer_norm.h"
#include "kernels/reference_backward.h"
#include "kernels/samples.h"
#include "kernels/softmax.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("softmax_backward gives the reference's bits for every size and adds to what is there") {
  Samples samples;
  for (const int rows : {0, 1, 3}) {
    for (const int columns : kSizes) {
      CAPTURE(rows, columns);
      const std::vector<float> scores = samples.take(rows * columns, 4.0f);
      const std::vector<float> visible = samples.take_flags(rows * columns);
      std::vector<float> weights(scores.size());
      kernels::masked_softmax(view(scores, rows, columns), view(visible, rows, columns),
                              view(weights, rows, columns));
      const std::vector<float> dweights = samples.take(rows * columns);
      std::vector<float> dscores = samples.take(rows * columns);
      std::vector<float> want = dscores;
      const auto width = static_cast<std::size_t>(columns);
      for (std::size_t first = 0; first + width <= want.size() && width > 0; first += width)
        kernels::reference::softmax_backward<float>(std::span(weights).subspan(first, width),
                                                    std::span(dweights).subspan(first, width),
                                                    std::span(want).subspan(first, width));
      kernels::softmax_backward(view(weights, rows, columns), view(dweights, rows, columns),
                                view(dscores, rows, columns));
      REQUIRE(same_bits(dscores, want));
    }
  }
}

TEST_CASE("softmax_backward adds exactly 0 at masked columns, whatever the gradient is there") {
  Samples samples;
  for (const int columns : kSizes) {
    for (const float poison : {kNan, kInfinity, -kInfinity, 1e30f}) {
      CAPTURE(columns, poison);
      const std::vector<float> scores = samples.take(columns, 4.0f);
      const std::vector<float> visible = samples.take_flags(columns);
      std::vector<float> weights(scores.size());
      kernels::masked_softmax(scores, visible, weights);
      std::vector<float> dweights = samples.take(columns);
      std::vector<float> want(scores.size(), 0.0f);
      kernels::softmax_backward(view(weights, 1, columns), view(dweights, 1, columns),
                                view(want, 1, columns));
      for (std::size_t j = 0; j < weights.size(); ++j)
        if (visible[j] == 0.0f) dweights[j] = poison;
      std::vector<float> dscores(scores.size(), 0.0f);
      kernels::softmax_backward(view(weights, 1, columns), view(dweights, 1, columns),
                                view(dscores, 1, columns));
      REQUIRE(same_bits(dscores, want));
      for (std::size_t j = 0; j < weights.size(); ++j)
        if (visible[j] == 0.0f) REQUIRE(test::bits_of(dscores[j]) == 0);
    }
  }
}

TEST_CASE("layer_norm_backward gives the reference's bits for every size and adds to what is there") {
  constexpr float kEpsilon = 1e-5f;
  Samples samples;
  for (const int rows : kSizes) {
    for (const int columns : kSizes) {
      CAPTURE(rows, columns);
      const std::vector<float> x = samples.take(rows * columns, 3.0f);
      const std::vector<float> scale = samples.take(columns);
      const std::vector<float> dy = samples.take(rows * columns);
      std::vector<float> dx = samples.take(rows * columns);
      std::vector<float> dscale = samples.take(columns);
      std::vector<float> dshift = samples.take(columns);
      std::vector<float> want_dx = dx;
      std::vector<float> want_dscale = dscale;
      std::vector<float> want_dshift = dshift;
      const auto width = static_cast<std::size_t>(columns);
      for (std::size_t first = 0; first + width <= x.size() && width > 0; first += width)
        kernels::reference::layer_norm_backward<float>(
            std::span(x).subspan(first, width), scale, kEpsilon, std::span(dy).subspan(first, width),
            std::span(want_dx).subspan(first, width), want_dscale, want_dshift);
      kernels::layer_norm_backward(view(x, rows, columns), scale, kEpsilon, view(dy, rows, columns),
                                   view(dx, rows, columns), dscale, dshift);
      REQUIRE(same_bits(dx, want_dx));
      REQUIRE(same_bits(dscale, want_dscale));
      REQUIRE(same_bits(dshift, want_dshift));
    }
  }
}
