// The heat-map colours: one map, two halves (blue is positive, orange is negative; weights use the positive
// half of the same blues). The CPU twin of what shaders/heatmap.frag draws, for number colours, legends and
// tests.
//
// A value maps to t = value / range, clamped to [-1, 1] (signed) or [0, 1] (weights); range <= 0 gives t = 0.
// Between the seven equally spaced stops each sRGB byte is interpolated linearly, as in the design tokens.
#pragma once

#include <array>
#include <cstdint>

namespace attn::gfx {

enum class Theme : std::uint8_t { light, dark };

enum class Ramp : std::uint8_t {
  signed_values,  // -range … 0 … +range: q, k, v, scores, context, logits
  weights,        // 0 … range: attention weights, always with range 1
};

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

inline constexpr int kRampStops = 7;
using RampStops = std::array<Rgb, kRampStops>;

/// The stops from -1 to +1 (signed) or from 0 to 1 (weights).
const RampStops& ramp_stops(Ramp ramp, Theme theme);

/// Position on the ramp in [0, 1] (signed values: 0.5 is zero). NaN gives the position of zero.
float ramp_position(float value, float range, Ramp ramp);

/// Colour of a value; each byte is within 1 of the pixel the shader draws.
Rgb ramp_colour(float value, float range, Ramp ramp, Theme theme);

/// Black or white, whichever contrasts more with `background` (WCAG relative luminance). At least 4.58:1 on
/// the whole of both ramps.
Rgb number_colour(Rgb background);

/// WCAG 2 contrast ratio, 1 to 21.
float contrast_ratio(Rgb a, Rgb b);

}  // namespace attn::gfx
