#include "gfx/colour_map.h"

#include <cmath>
#include <limits>

#include "support/catch.h"

using namespace attn::gfx;

namespace {

constexpr Theme kThemes[] = {Theme::light, Theme::dark};
constexpr Ramp kRamps[] = {Ramp::signed_values, Ramp::weights};
// The design tokens promise this contrast for the number in a cell, over the whole ramp.
constexpr float kLeastContrast = 4.5f;

}  // namespace

TEST_CASE("a value at a stop has exactly the stop's colour") {
  for (const Theme theme : kThemes) {
    for (int i = 0; i < kRampStops; ++i) {
      const auto stop = static_cast<std::size_t>(i);
      const float along = static_cast<float>(i) / static_cast<float>(kRampStops - 1);
      CHECK(ramp_colour(along, 1.0f, Ramp::weights, theme) == ramp_stops(Ramp::weights, theme)[stop]);
      CHECK(ramp_colour(2.0f * along - 1.0f, 1.0f, Ramp::signed_values, theme) ==
            ramp_stops(Ramp::signed_values, theme)[stop]);
    }
  }
}

TEST_CASE("a colour between two stops is the rounded mean of their bytes") {
  // Halfway between F5F3EE and A9CBE8.
  const Rgb colour = ramp_colour(1.0f / 6.0f, 1.0f, Ramp::signed_values, Theme::light);
  CHECK(colour == Rgb{0xCF, 0xDF, 0xEB});
}

TEST_CASE("the position follows value / range, and values beyond the range stay at the ends") {
  CHECK(ramp_position(0.0f, 2.0f, Ramp::signed_values) == 0.5f);
  CHECK(ramp_position(1.0f, 2.0f, Ramp::signed_values) == 0.75f);
  CHECK(ramp_position(-9.0f, 2.0f, Ramp::signed_values) == 0.0f);
  CHECK(ramp_position(9.0f, 2.0f, Ramp::signed_values) == 1.0f);
  CHECK(ramp_position(0.25f, 1.0f, Ramp::weights) == 0.25f);
  CHECK(ramp_position(-0.25f, 1.0f, Ramp::weights) == 0.0f);
}

TEST_CASE("a range of zero, infinities and NaN have a position") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(ramp_position(1.0f, 0.0f, Ramp::signed_values) == 0.5f);
  CHECK(ramp_position(infinity, infinity, Ramp::signed_values) == 1.0f);
  CHECK(ramp_position(-infinity, 1.0f, Ramp::signed_values) == 0.0f);
  CHECK(ramp_position(std::numeric_limits<float>::quiet_NaN(), 1.0f, Ramp::weights) == 0.0f);
}

TEST_CASE("the number in a cell is readable on every colour of both ramps") {
  for (const Theme theme : kThemes) {
    for (const Ramp ramp : kRamps) {
      for (int i = -1000; i <= 1000; ++i) {
        const Rgb background = ramp_colour(static_cast<float>(i) / 1000.0f, 1.0f, ramp, theme);
        INFO("value " << i << "/1000");
        REQUIRE(contrast_ratio(background, number_colour(background)) >= kLeastContrast);
      }
    }
  }
}

TEST_CASE("black on white has the contrast 21 and a colour on itself 1") {
  CHECK(contrast_ratio({0, 0, 0}, {255, 255, 255}) == Approx(21.0f));
  CHECK(contrast_ratio({9, 99, 199}, {9, 99, 199}) == 1.0f);
}
