// Colours that mean something stay apart for readers who see two kinds of colour only. Simulated by Machado,
// Oliveira & Fernandes 2009 at full severity, in linear sRGB; distances are CIE76 ΔE in CIELAB, where 2.3 is
// just noticeable.
#include <array>
#include <cmath>

#include "support/catch.h"
#include "ui/theme.h"

using namespace attn;
using gfx::Ramp;
using gfx::Rgb;
using gfx::Theme;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

struct Vision {
  const char* name;
  Matrix matrix;
};
constexpr Vision kVisions[] = {
    {"all three cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};
constexpr Theme kThemes[] = {Theme::light, Theme::dark};

// Of the two judgements; the tokens promise 31 for the weakest pair, deuteranopia in the light theme.
constexpr double kJudgements = 30.0;
// Of x and −x at a stop, whose sign is read by hue alone.
constexpr double kSigns = 40.0;
// Of neighbouring stops: a sixth of a ramp is seen.
constexpr double kStops = 10.0;

double linear(std::uint8_t byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple times(const Matrix& matrix, const Triple& v) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * v[j];
  return result;
}

/// L*, a*, b* under D65.
Triple lab(Rgb colour, const Vision& vision) {
  constexpr Matrix kXyz{{{0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047},
                         {0.2126, 0.7152, 0.0722},
                         {0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883}}};
  Triple seen = times(vision.matrix, {linear(colour.r), linear(colour.g), linear(colour.b)});
  for (double& channel : seen) channel = std::fmin(std::fmax(channel, 0.0), 1.0);
  Triple f = times(kXyz, seen);
  for (double& x : f) x = x > 0.008856 ? std::cbrt(x) : 7.787 * x + 16.0 / 116.0;
  return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

double distance(Rgb a, Rgb b, const Vision& vision) {
  const Triple p = lab(a, vision);
  const Triple q = lab(b, vision);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

}  // namespace

TEST_CASE("black and white are 100 apart in every simulation, and grey stays grey") {
  for (const Vision& vision : kVisions) {
    CHECK(distance({0, 0, 0}, {255, 255, 255}, vision) == Approx(100.0).margin(0.1));
    CHECK(std::fabs(lab({128, 128, 128}, vision)[1]) < 0.1);
  }
}

TEST_CASE("equal and different stay apart in every colour vision") {
  for (const Theme theme : kThemes)
    for (const Vision& vision : kVisions) {
      INFO(vision.name << (theme == Theme::light ? ", light" : ", dark"));
      CHECK(distance(ui::colour_of(ui::Colour::equal, theme), ui::colour_of(ui::Colour::different, theme),
                     vision) >= kJudgements);
    }
}

TEST_CASE("on both ramps sign and size are seen in every colour vision") {
  constexpr int kMiddle = gfx::kRampStops / 2;
  for (const Theme theme : kThemes)
    for (const Vision& vision : kVisions) {
      INFO(vision.name << (theme == Theme::light ? ", light" : ", dark"));
      const auto stop = [&](Ramp ramp, int i) {
        return gfx::ramp_stops(ramp, theme)[static_cast<std::size_t>(i)];
      };
      // A larger magnitude is further from the background's lightness.
      const double towards = theme == Theme::light ? -1.0 : 1.0;
      const auto steps = [&](Ramp ramp, int from, int by) {
        CHECK(distance(stop(ramp, from), stop(ramp, from + by), vision) >= kStops);
        CHECK(towards * (lab(stop(ramp, from + by), vision)[0] - lab(stop(ramp, from), vision)[0]) > 0.0);
      };
      for (int i = 0; i + 1 < gfx::kRampStops; ++i) steps(Ramp::weights, i, 1);
      for (int i = 0; i < kMiddle; ++i) {
        steps(Ramp::signed_values, kMiddle + i, 1);
        steps(Ramp::signed_values, kMiddle - i, -1);
        CHECK(distance(stop(Ramp::signed_values, kMiddle - 1 - i), stop(Ramp::signed_values, kMiddle + 1 + i),
                       vision) >= kSigns);
      }
    }
}
