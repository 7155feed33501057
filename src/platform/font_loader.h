// Dear ImGui's fonts from a GlyphSource: every size and pixel ratio on demand.
//
// A font pushed at size s has an em of s UI pixels, as CSS has, in both builds. The baseline lies 0.86 s
// under the top of the line box of height s, so that capitals and digits stand in the middle of the box that
// ImGui::CalcTextSize reports, and Chinese about so. Advances are whole device pixels, so that every glyph
// lands on the pixel grid.
#pragma once

#include "platform/frame.h"
#include "platform/glyph_source.h"

namespace attn::platform {

/// Adds the six fonts to the atlas of the current ImGui context. `source` must outlive that context.
Fonts add_fonts(const GlyphSource& source);

}  // namespace attn::platform
