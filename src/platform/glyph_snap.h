// Sharp text at fractional pixel ratios.
//
// ImGui puts text on whole UI pixels. At a ratio of 1.25 or 1.5 those aren't whole device pixels, and every
// glyph, drawn with whole device pixels in mind (font_loader.h), would be smeared over two.
#pragma once

struct ImDrawData;

namespace attn::platform {

/// Moves every glyph of a rendered frame to the nearest device pixel; its size stays. Shapes and lines stay.
/// Does nothing at whole ratios.
void snap_glyphs(ImDrawData& frame, float pixel_ratio);

}  // namespace attn::platform
