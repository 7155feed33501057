#include "kernels/softmax.h"

#include <limits>

#include "kernels/reference.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> softmax(const std::vector<float>& scores, const std::vector<float>& visible) {
  std::vector<float> weights(scores.size(), kNan);
  kernels::masked_softmax(scores, visible, weights);
  return weights;
}

std::vector<float> expected(const std::vector<float>& scores, const std::vector<float>& visible) {
  std::vector<float> weights(scores.size(), kNan);
  kernels::reference::masked_softmax<float>(scores, visible, weights);
  return weights;
}

}  // namespace

TEST_CASE("masked_softmax gives the reference's bits for every size, with and without a mask") {
  Samples samples;
  for (const int columns : kSizes) {
    for (const float scale : {0.1f, 3.0f, 60.0f, 1000.0f}) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        CAPTURE(columns, scale, repeat);
        const std::vector<float> scores = samples.take(columns, scale);
        const std::vector<float> visible = samples.take_flags(columns);
        REQUIRE(same_bits(softmax(scores, {}), expected(scores, {})));
        REQUIRE(same_bits(softmax(scores, visible), expected(scores, visible)));
      }
    }
  }
}

TEST_CASE("masked_softmax may write over its scores") {
  Samples samples;
  for (const int columns : kSizes) {
    CAPTURE(columns);
    const std::vector<float> scores = samples.take(columns, 5.0f);
    const std::vector<float> visible = samples.take_flags(columns);
    std::vector<float> in_place = scores;
    kernels::masked_softmax(in_place, visible, in_place);
    REQUIRE(same_bits(in_place, softmax(scores, visible)));
    in_place = scores;
    kernels::masked_softmax(in_place, {}, in_place);
    REQUIRE(same_bits(in_place, softmax(scores, {})));
  }
}

TEST_CASE("An all-visible mask gives the same bits as no mask") {
  Samples samples;
  for (const int columns : kSizes) {
    const std::vector<float> scores = samples.take(columns, 4.0f);
    REQUIRE(same_bits(softmax(scores, std::vector<float>(scores.size(), 1.0f)), softmax(scores, {})));
  }
}

TEST_CASE("Trailing masked columns change no bit, whatever their scores are") {
  Samples samples;
  for (int visible_columns = 1; visible_columns <= 33; ++visible_columns) {
    const std::vector<float> prefix = samples.take(visible_columns, 6.0f);
    const std::vector<float> want = softmax(prefix, {});
    for (const int trailing : kSizes) {
      for (const float filler : {0.0f, 1000.0f, kInfinity, -kInfinity, kNan}) {
        CAPTURE(visible_columns, trailing, filler);
        std::vector<float> scores = prefix;
        scores.resize(prefix.size() + static_cast<std::size_t>(trailing), filler);
        std::vector<float> visible(prefix.size(), 1.0f);
        visible.resize(scores.size(), 0.0f);
        const std::vector<float> weights = softmax(scores, visible);
        REQUIRE(same_bits(std::span(weights).first(prefix.size()), want));
        for (std::size_t j = prefix.size(); j < weights.size(); ++j) REQUIRE(test::bits_of(weights[j]) == 0);
      }
    }
  }
}

TEST_CASE("Leading masked columns change no bit, whatever their scores are and however many") {
  Samples samples;
  for (int visible_columns = 1; visible_columns <= 33; ++visible_columns) {
    const std::vector<float> suffix = samples.take(visible_columns, 6.0f);
    std::vector<float> holes = samples.take_flags(visible_columns);
    holes[0] = 1.0f;
    const std::vector<float> want = softmax(suffix, holes);
    for (const int leading : kSizes) {
      for (const float filler : {0.0f, 1000.0f, kInfinity, kNan}) {
        CAPTURE(visible_columns, leading, filler);
        const auto padding = static_cast<std::size_t>(leading);
        std::vector<float> scores(padding, filler);
        scores.insert(scores.end(), suffix.begin(), suffix.end());
        std::vector<float> visible(padding, 0.0f);
        visible.insert(visible.end(), holes.begin(), holes.end());
        const std::vector<float> weights = softmax(scores, visible);
        REQUIRE(same_bits(std::span(weights).subspan(padding), want));
        for (std::size_t j = 0; j < padding; ++j) REQUIRE(test::bits_of(weights[j]) == 0);
      }
    }
  }
}

TEST_CASE("A row without a visible column has weights 0") {
  for (const int columns : kSizes) {
    for (const float score : {1.0f, kNan, kInfinity, -kInfinity}) {
      const std::vector<float> scores(static_cast<std::size_t>(columns), score);
      const std::vector<float> none(scores.size(), 0.0f);
      REQUIRE(same_bits(softmax(scores, none), none));
    }
  }
}

TEST_CASE("The only visible column has weight 1, also among NaN and infinities") {
  for (const int columns : kSizes) {
    for (int only = 0; only < columns; ++only) {
      CAPTURE(columns, only);
      std::vector<float> scores(static_cast<std::size_t>(columns), only % 2 == 0 ? kNan : kInfinity);
      std::vector<float> visible(scores.size(), 0.0f);
      scores[static_cast<std::size_t>(only)] = -123.0f;
      visible[static_cast<std::size_t>(only)] = -1.0f;  // anything but 0 is visible
      std::vector<float> want(scores.size(), 0.0f);
      want[static_cast<std::size_t>(only)] = 1.0f;
      REQUIRE(same_bits(softmax(scores, visible), want));
    }
  }
}

TEST_CASE("A visible NaN makes the visible weights NaN and leaves the masked ones 0") {
  for (const int columns : {2, 5, 8, 17}) {
    for (int at = 0; at < columns; at += 2) {
      CAPTURE(columns, at);
      std::vector<float> scores(static_cast<std::size_t>(columns), 0.5f);
      std::vector<float> visible(scores.size());
      for (std::size_t j = 0; j < visible.size(); ++j) visible[j] = j % 2 == 0 ? 1.0f : 0.0f;
      scores[static_cast<std::size_t>(at)] = kNan;
      const std::vector<float> weights = softmax(scores, visible);
      for (std::size_t j = 0; j < weights.size(); ++j) {
        if (j % 2 == 0) {
          CHECK(std::isnan(weights[j]));
        } else {
          CHECK(test::bits_of(weights[j]) == 0);
        }
      }
    }
  }
}

TEST_CASE("A score of -inf gets weight 0, and only -inf gives NaN as the formula does") {
  const std::vector<float> weights = softmax({1.0f, -kInfinity, 1.0f, -kInfinity, -kInfinity}, {});
  CHECK(same_bits(weights, std::vector<float>{0.5f, 0.0f, 0.5f, 0.0f, 0.0f}));
  for (const float weight : softmax({-kInfinity, -kInfinity}, {})) CHECK(std::isnan(weight));
}

TEST_CASE("Adding a constant that rounds nothing away changes no weight") {
  const std::vector<float> scores{0.0f, 1.5f, -2.25f, 3.0f, 0.125f};
  std::vector<float> moved = scores;
  for (float& score : moved) score += 512.0f;
  CHECK(same_bits(softmax(scores, {}), softmax(moved, {})));
}

TEST_CASE("The many-row form equals the rows one by one, with strides and a repeated mask row") {
  Samples samples;
  const int rows = 5;
  const int stride = 20;
  for (const int columns : {1, 4, 7, 17}) {
    CAPTURE(columns);
    const std::vector<float> scores = samples.take(rows * stride, 3.0f);
    const std::vector<float> flags = samples.take_flags(columns);
    std::vector<float> out(scores.size(), 9.0f);
    kernels::masked_softmax({scores.data(), rows, columns, stride}, {flags.data(), rows, columns, 0},
                            {out.data(), rows, columns, stride});
    std::vector<float> all(scores.size(), 9.0f);
    kernels::masked_softmax({scores.data(), rows, columns, stride}, {}, {all.data(), rows, columns, stride});
    for (int i = 0; i < rows; ++i) {
      const auto first = scores.begin() + i * stride;
      const std::vector<float> row(first, first + columns);
      const std::size_t offset = static_cast<std::size_t>(i * stride);
      const std::size_t width = static_cast<std::size_t>(columns);
      CHECK(same_bits(std::span(out).subspan(offset, width), softmax(row, flags)));
      CHECK(same_bits(std::span(all).subspan(offset, width), softmax(row, {})));
      for (std::size_t j = offset + width; j < offset + stride; ++j) CHECK(out[j] == 9.0f);
    }
  }
}

TEST_CASE("masked_softmax agrees with double precision") {
  // exp 8.3e-8, its argument's rounding 2^-24 * |x| with |x| <= 20 here, the sum and the division: relative.
  constexpr double kTolerance = 2e-6;
  Samples samples;
  for (int columns = 1; columns < 100; ++columns) {
    const std::vector<float> scores = samples.take(columns, 10.0f);
    const std::vector<float> visible = samples.take_flags(columns);
    const std::vector<double> wide_scores(scores.begin(), scores.end());
    const std::vector<double> wide_visible(visible.begin(), visible.end());
    std::vector<double> want(scores.size());
    kernels::reference::masked_softmax<double>(wide_scores, wide_visible, want);
    const std::vector<float> weights = softmax(scores, visible);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      REQUIRE(std::abs(static_cast<double>(weights[j]) - want[j]) <= kTolerance * want[j]);
    }
  }
}
