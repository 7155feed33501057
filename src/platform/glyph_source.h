// Where glyph pictures come from: Canvas2D in a page (web/glyphs.cpp), installed font files on a desktop
// (native/glyphs.cpp), chosen at link time. font_loader.h turns them into Dear ImGui's fonts.
//
// `em_px` is the CSS font size in device pixels: the em square, not the line height. All lengths below are
// device pixels; y points down and is 0 on the baseline.
#pragma once

#include "core/result.h"

namespace attn::platform {

/// One of the six faces of platform::Fonts.
struct Face {
  int weight = 400;  // 400, 500 or 600
  bool mono = false;
};

struct GlyphBox {
  int left = 0;
  int top = 0;
  int width = 0;  // 0: nothing to draw, as for a space
  int height = 0;
  float advance = 0.0f;
};

/// Font files as far as a platform needs any. Lives longer than ImGui's context.
class GlyphSource {
 public:
  /// Natively fails when no font with Chinese or none with the mathematical signs is installed, naming the
  /// package.
  static core::Result<GlyphSource*> create();
  static void destroy(GlyphSource* source);

  bool has_glyph(const Face& face, unsigned codepoint) const;
  GlyphBox measure(const Face& face, unsigned codepoint, float em_px) const;
  /// Writes box.width * box.height coverage bytes, row by row from the top.
  void draw(const Face& face, unsigned codepoint, float em_px, const GlyphBox& box,
            unsigned char* coverage) const;

 private:
  struct Files;
  explicit GlyphSource(Files* files) : files_(files) {}
  [[maybe_unused]] Files* files_;  // null in a page
};

}  // namespace attn::platform
