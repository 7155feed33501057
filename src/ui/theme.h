// The colour tokens, one row a token, one column a theme. Ink is the interface, hue is data: buttons, chips
// and selection are ink; a hue only says query, key, value, output, memory, equal or different.
#pragma once

#include <cstdint>

#include "gfx/colour_map.h"

namespace attn::ui {

enum class Colour : std::uint8_t {
  none,     // draws nothing
  surface,  // stage
  page,     // rail, narration, inspector
  sunken,   // track of a segmented control
  ink,      // titles, selection, primary button
  ink2,     // body
  ink3,     // labels, indices
  control,  // edge of anything clickable
  line2,    // quiet marks
  line,     // dividers
  query,
  key,
  value,
  output,
  memory,
  equal,
  equal_tile,
  different,
  on_different,
  focus,
  on_ink,
  band,  // behind a lit row
  hatch,
  hatch_background,
  black,  // numbers on heat colours
  white,
  veil,  // behind a card that lies over the stage; drawn at kVeilOpacity
};
inline constexpr int kColourCount = static_cast<int>(Colour::veil) + 1;
inline constexpr float kVeilOpacity = 0.45f;

/// sRGB of a token; black for `none`.
gfx::Rgb colour_of(Colour colour, gfx::Theme theme);

}  // namespace attn::ui
