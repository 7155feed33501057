#include "platform/glyph_snap.h"

#include <cmath>

#include "imgui.h"

namespace attn::platform {
namespace {

/// ImGui writes a glyph as four corners, clockwise from the top left, and six indices 0 1 2 0 2 3. Filled
/// rectangles look the same but for their texture coordinate, which is one white pixel.
bool is_glyph(const ImDrawIdx* indices, const ImDrawVert* corners) {
  const ImDrawIdx first = indices[0];
  const bool is_quad = indices[1] == first + 1 && indices[2] == first + 2 && indices[3] == first &&
                       indices[4] == first + 2 && indices[5] == first + 3;
  if (!is_quad) return false;
  const ImDrawVert& top_left = corners[0];
  const ImDrawVert& bottom_right = corners[2];
  const bool is_upright = corners[1].pos.y == top_left.pos.y && corners[1].pos.x == bottom_right.pos.x &&
                          corners[3].pos.x == top_left.pos.x && corners[3].pos.y == bottom_right.pos.y;
  return is_upright && top_left.uv.x != bottom_right.uv.x && top_left.uv.y != bottom_right.uv.y;
}

void snap_list(ImDrawList& list, float pixel_ratio) {
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    unsigned i = 0;
    while (i + 3 <= command.ElemCount) {
      ImDrawVert* corners = list.VtxBuffer.Data + command.VtxOffset + indices[i];
      if (i + 6 > command.ElemCount || !is_glyph(indices + i, corners)) {
        i += 3;
        continue;
      }
      const auto offset = [pixel_ratio](float at) { return std::round(at * pixel_ratio) / pixel_ratio - at; };
      const float dx = offset(corners[0].pos.x);
      const float dy = offset(corners[0].pos.y);
      for (int corner = 0; corner < 4; ++corner) {
        corners[corner].pos.x += dx;
        corners[corner].pos.y += dy;
      }
      i += 6;
    }
  }
}

}  // namespace

void snap_glyphs(ImDrawData& frame, float pixel_ratio) {
  if (pixel_ratio == std::round(pixel_ratio)) return;
  for (ImDrawList* list : frame.CmdLists) snap_list(*list, pixel_ratio);
}

}  // namespace attn::platform
