#include "gfx/colour_map.h"

#include <algorithm>
#include <cmath>

namespace attn::gfx {
namespace {

constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex)};
}

constexpr RampStops kSignedLight = {rgb(0x8F3500), rgb(0xC9651F), rgb(0xF0B98E), rgb(0xF5F3EE),
                                    rgb(0xA9CBE8), rgb(0x3F86C4), rgb(0x0E4A86)};
constexpr RampStops kSignedDark = {rgb(0xFFC49B), rgb(0xE08A4A), rgb(0x8A4A1C), rgb(0x262B31),
                                   rgb(0x215A8C), rgb(0x4A97D6), rgb(0xB5DCFF)};
constexpr RampStops kWeightsLight = {rgb(0xF5F3EE), rgb(0xCFE1F1), rgb(0xA9CBE8), rgb(0x73A9D7),
                                     rgb(0x3F86C4), rgb(0x2467A6), rgb(0x0E4A86)};
constexpr RampStops kWeightsDark = {rgb(0x262B31), rgb(0x22415F), rgb(0x215A8C), rgb(0x2F78B3),
                                    rgb(0x4A97D6), rgb(0x80BDEB), rgb(0xB5DCFF)};

std::uint8_t mix_byte(std::uint8_t a, std::uint8_t b, float t) {
  return static_cast<std::uint8_t>(std::lround(static_cast<float>(a) + static_cast<float>(b - a) * t));
}

float linear_light(std::uint8_t byte) {
  const float c = static_cast<float>(byte) / 255.0f;
  return c <= 0.03928f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

float luminance(Rgb colour) {
  return 0.2126f * linear_light(colour.r) + 0.7152f * linear_light(colour.g) +
         0.0722f * linear_light(colour.b);
}

}  // namespace

const RampStops& ramp_stops(Ramp ramp, Theme theme) {
  if (ramp == Ramp::weights) return theme == Theme::dark ? kWeightsDark : kWeightsLight;
  return theme == Theme::dark ? kSignedDark : kSignedLight;
}

float ramp_position(float value, float range, Ramp ramp) {
  float t = range > 0.0f && !std::isnan(value) ? value / range : 0.0f;
  if (std::isnan(t)) t = value > 0.0f ? 1.0f : -1.0f;  // infinity over infinity
  if (ramp == Ramp::weights) return std::clamp(t, 0.0f, 1.0f);
  return 0.5f + 0.5f * std::clamp(t, -1.0f, 1.0f);
}

Rgb ramp_colour(float value, float range, Ramp ramp, Theme theme) {
  const RampStops& stops = ramp_stops(ramp, theme);
  const float along = ramp_position(value, range, ramp) * static_cast<float>(kRampStops - 1);
  const int index = std::min(static_cast<int>(along), kRampStops - 2);
  const float t = along - static_cast<float>(index);
  const Rgb a = stops[static_cast<std::size_t>(index)];
  const Rgb b = stops[static_cast<std::size_t>(index + 1)];
  return {mix_byte(a.r, b.r, t), mix_byte(a.g, b.g, t), mix_byte(a.b, b.b, t)};
}

float contrast_ratio(Rgb a, Rgb b) {
  const float x = luminance(a);
  const float y = luminance(b);
  return (std::max(x, y) + 0.05f) / (std::min(x, y) + 0.05f);
}

Rgb number_colour(Rgb background) {
  constexpr Rgb kBlack{0, 0, 0};
  constexpr Rgb kWhite{255, 255, 255};
  return contrast_ratio(background, kBlack) >= contrast_ratio(background, kWhite) ? kBlack : kWhite;
}

}  // namespace attn::gfx
