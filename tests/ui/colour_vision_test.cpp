// What colour alone has to tell stays apart for readers who don't see red, green or blue: distances ΔE*76 in
// CIELAB (D65) after the simulation of Machado, Oliveira and Fernandes 2009, severity 1.0, on linear sRGB.
#include <array>
#include <cmath>

#include "support/catch.h"
#include "ui/theme.h"

using namespace attn;
using gfx::Ramp;
using gfx::Rgb;
using gfx::Theme;
using ui::Colour;

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

struct Vision {
  const char* name;
  Matrix simulation;
};

constexpr Vision kVisions[] = {
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

// The design tokens' figures for equal against different are 61, 31 and 97 (light).
constexpr double kVerdicts = 30.0;
// A tile of the map is a pale one or a solid one.
constexpr double kTiles = 50.0;
// A value and its negative, from a third of the range on.
constexpr double kSigns = 40.0;
// Neighbouring stops of a ramp: 2.3 is just noticeable.
constexpr double kStops = 10.0;
// Roles always carry their letter too: here a hue only helps.
constexpr double kRoles = 7.5;
// Lines of a hatched cell on their ground, so that nobody takes it for a zero.
constexpr double kHatch = 12.0;

Vector times(const Matrix& matrix, const Vector& v) {
  Vector result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * v[j];
  return result;
}

double linear(std::uint8_t byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Vector lab(Rgb colour, const Vision& vision) {
  constexpr Matrix kXyz = {{{0.4124564, 0.3575761, 0.1804375},
                            {0.2126729, 0.7151522, 0.0721750},
                            {0.0193339, 0.1191920, 0.9503041}}};
  constexpr Vector kWhite{0.95047, 1.0, 1.08883};
  Vector seen = times(vision.simulation, {linear(colour.r), linear(colour.g), linear(colour.b)});
  for (double& part : seen) part = std::fmin(std::fmax(part, 0.0), 1.0);
  Vector xyz = times(kXyz, seen);
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / kWhite[i];
    xyz[i] = t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
  }
  return {116.0 * xyz[1] - 16.0, 500.0 * (xyz[0] - xyz[1]), 200.0 * (xyz[1] - xyz[2])};
}

double distance(Rgb a, Rgb b, const Vision& vision) {
  const Vector u = lab(a, vision);
  const Vector v = lab(b, vision);
  return std::sqrt(std::pow(u[0] - v[0], 2) + std::pow(u[1] - v[1], 2) + std::pow(u[2] - v[2], 2));
}

template <class Check>
void in_every_vision(const Check& check) {
  for (const Theme theme : {Theme::light, Theme::dark})
    for (const Vision& vision : kVisions) {
      INFO(vision.name << (theme == Theme::light ? " light" : " dark"));
      check(theme, vision);
    }
}

}  // namespace

TEST_CASE("equal and different are told apart whatever a reader's colour vision") {
  in_every_vision([](Theme theme, const Vision& vision) {
    const auto apart = [&](Colour a, Colour b) {
      return distance(ui::colour_of(a, theme), ui::colour_of(b, theme), vision);
    };
    CHECK(apart(Colour::equal, Colour::different) >= kVerdicts);
    CHECK(apart(Colour::equal_tile, Colour::different) >= kTiles);
  });
  // The simulation is the one the design tokens were chosen with.
  const auto tokens = [](const Vision& vision) {
    return distance(ui::colour_of(Colour::equal, Theme::light),
                    ui::colour_of(Colour::different, Theme::light), vision);
  };
  CHECK(tokens(kVisions[1]) == Approx(61.0).margin(0.5));
  CHECK(tokens(kVisions[2]) == Approx(31.0).margin(0.5));
  CHECK(tokens(kVisions[3]) == Approx(97.0).margin(0.5));
}

TEST_CASE("a positive number is told from its negative whatever a reader's colour vision") {
  in_every_vision([](Theme theme, const Vision& vision) {
    for (int i = 33; i <= 100; ++i) {
      const float value = static_cast<float>(i) / 100.0f;
      INFO("at " << value);
      CHECK(distance(gfx::ramp_colour(value, 1.0f, Ramp::signed_values, theme),
                     gfx::ramp_colour(-value, 1.0f, Ramp::signed_values, theme), vision) >= kSigns);
    }
  });
}

TEST_CASE("a larger number is always further from the ground, by steps that every reader sees") {
  in_every_vision([](Theme theme, const Vision& vision) {
    const auto lightness = [&](float value, Ramp ramp) {
      const double l = lab(gfx::ramp_colour(value, 1.0f, ramp, theme), vision)[0];
      return theme == Theme::light ? -l : l;
    };
    for (const Ramp ramp : {Ramp::weights, Ramp::signed_values}) {
      const gfx::RampStops& stops = gfx::ramp_stops(ramp, theme);
      for (std::size_t i = 0; i + 1 < stops.size(); ++i)
        CHECK(distance(stops[i], stops[i + 1], vision) >= kStops);
    }
    for (int i = 0; i < 20; ++i) {
      const float value = static_cast<float>(i) / 20.0f;
      for (const float sign : {1.0f, -1.0f})
        CHECK(lightness(sign * (value + 0.05f), Ramp::signed_values) >
              lightness(sign * value, Ramp::signed_values));
      CHECK(lightness(value + 0.05f, Ramp::weights) > lightness(value, Ramp::weights));
    }
  });
}

TEST_CASE("the hatching of a hidden cell is seen, and the hues of roles differ for every reader") {
  constexpr Colour kHues[] = {Colour::query, Colour::key, Colour::value, Colour::output, Colour::memory};
  in_every_vision([&](Theme theme, const Vision& vision) {
    const auto apart = [&](Colour a, Colour b) {
      return distance(ui::colour_of(a, theme), ui::colour_of(b, theme), vision);
    };
    CHECK(apart(Colour::hatch, Colour::hatch_background) >= kHatch);
    for (const Colour a : kHues)
      for (const Colour b : kHues)
        if (a != b) CHECK(apart(a, b) >= kRoles);
  });
}
