// Glyphs from Canvas2D with the reader's own system fonts. The drawing is web/glyphs.js, which the page hands
// over as `Module.attn.glyphs`; the functions here only cross the border.
#include <emscripten.h>

#include <cmath>

#include "platform/glyph_source.h"

// clang-format off
EM_JS(void, attn_measure_glyph, (int weight, int mono, int codepoint, double em_px, float* box), {
  HEAPF32.set(Module['attn']['glyphs']['measure'](weight, mono !== 0, codepoint, em_px), box >> 2);
});
EM_JS(void, attn_draw_glyph, (int weight, int mono, int codepoint, double em_px, int left, int top, int width,
                              int height, unsigned char* coverage), {
  Module['attn']['glyphs']['draw'](weight, mono !== 0, codepoint, em_px, left, top, width, height,
                                   HEAPU8.subarray(coverage, coverage + width * height));
});
// clang-format on

namespace attn::platform {

struct GlyphSource::Files {};

core::Result<GlyphSource*> GlyphSource::create() { return new GlyphSource(nullptr); }
void GlyphSource::destroy(GlyphSource* source) { delete source; }

/// A page always draws something, the system's own sign for a missing glyph at worst.
bool GlyphSource::has_glyph(const Face&, unsigned codepoint) const { return codepoint >= 0x20; }

GlyphBox GlyphSource::measure(const Face& face, unsigned codepoint, float em_px) const {
  float box[5] = {};  // left, top, width, height, advance
  attn_measure_glyph(face.weight, face.mono ? 1 : 0, static_cast<int>(codepoint), static_cast<double>(em_px),
                     box);
  return {static_cast<int>(box[0]), static_cast<int>(box[1]), static_cast<int>(box[2]),
          static_cast<int>(box[3]), box[4]};
}

void GlyphSource::draw(const Face& face, unsigned codepoint, float em_px, const GlyphBox& box,
                       unsigned char* coverage) const {
  attn_draw_glyph(face.weight, face.mono ? 1 : 0, static_cast<int>(codepoint), static_cast<double>(em_px),
                  box.left, box.top, box.width, box.height, coverage);
}

}  // namespace attn::platform
