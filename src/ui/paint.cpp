#include "ui/paint.h"

#include <cfloat>
#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"
#include "ui/dashes.h"

namespace attn::ui {
namespace {

struct Canvas {
  ImDrawList* list;
  const FontSet& fonts;
  gfx::Theme theme;
  gfx::Renderer& renderer;

  ImU32 ink(Colour colour, float opacity = 1.0f) const {
    const gfx::Rgb rgb = colour_of(colour, theme);
    return IM_COL32(rgb.r, rgb.g, rgb.b, static_cast<int>(opacity * 255.0f + 0.5f));
  }
};

ImVec2 at(Point p) { return {p.x, p.y}; }

ImFont* font_of(const FontSet& fonts, Font font) {
  return const_cast<ImFont*>(fonts.fonts[static_cast<std::size_t>(font)]);
}

void rounded_path(ImDrawList* list, const Rect& rect, float radius) {
  list->PathRect({rect.x, rect.y}, {rect.right(), rect.bottom()}, radius);
}

void draw_dashes(const Canvas& canvas, const std::vector<Point>& path, float dash, float gap, ImU32 ink,
                 float width) {
  for (const std::vector<Point>& piece : dashes_along(path, dash, gap)) {
    for (const Point& point : piece) canvas.list->PathLineTo(at(point));
    canvas.list->PathStroke(ink, 0, width);
  }
}

void draw(const Canvas& canvas, BoxItem& item) {
  if (item.fill != Colour::none) {
    rounded_path(canvas.list, item.rect, item.radius);
    canvas.list->PathFillConvex(canvas.ink(item.fill, item.opacity));
  }
  if (item.stroke == Colour::none) return;
  const float half = item.stroke_width / 2.0f;
  const Rect inner = grown(item.rect, -half);
  const ImU32 ink = canvas.ink(item.stroke, item.opacity);
  const float radius = item.radius > half ? item.radius - half : 0.0f;
  if (item.dash > 0.0f) {
    draw_dashes(canvas, rounded_outline(inner, radius), item.dash, item.dash_gap, ink, item.stroke_width);
    return;
  }
  rounded_path(canvas.list, inner, radius);
  canvas.list->PathStroke(ink, ImDrawFlags_Closed, item.stroke_width);
}

void draw(const Canvas& canvas, LineItem& item) {
  const ImU32 ink = canvas.ink(item.colour, item.opacity);
  if (item.dash > 0.0f)
    return draw_dashes(canvas, {item.a, item.b}, item.dash, item.dash_gap, ink, item.width);
  canvas.list->PathLineTo(at(item.a));
  canvas.list->PathLineTo(at(item.b));
  canvas.list->PathStroke(ink, 0, item.width);
  if (!item.round || item.width < 1.2f) return;
  canvas.list->AddCircleFilled(at(item.a), item.width / 2.0f, ink, 12);
  canvas.list->AddCircleFilled(at(item.b), item.width / 2.0f, ink, 12);
}

void draw(const Canvas& canvas, BezierItem& item) {
  const int first = canvas.list->VtxBuffer.Size;
  canvas.list->AddBezierCubic(at(item.a), at(item.b), at(item.c), at(item.d), canvas.ink(item.colour),
                              item.width, 24);
  if (item.end != Colour::none)
    ImGui::ShadeVertsLinearColorGradientKeepAlpha(canvas.list, first, canvas.list->VtxBuffer.Size, at(item.a),
                                                  at(item.d), canvas.ink(item.colour), canvas.ink(item.end));
}

void draw(const Canvas& canvas, TriangleItem& item) {
  // ImGui's anti-aliased fill wants one winding.
  const float area =
      (item.b.x - item.a.x) * (item.c.y - item.a.y) - (item.c.x - item.a.x) * (item.b.y - item.a.y);
  const ImVec2 b = at(area > 0.0f ? item.b : item.c);
  const ImVec2 c = at(area > 0.0f ? item.c : item.b);
  canvas.list->AddTriangleFilled(at(item.a), b, c, canvas.ink(item.fill));
}

void draw(const Canvas& canvas, CircleItem& item) {
  constexpr float kPi = 3.14159265f;
  if (item.fill != Colour::none) {
    if (item.right_half)
      canvas.list->PathArcTo(at(item.centre), item.radius, -kPi / 2.0f, kPi / 2.0f, 24);
    else
      canvas.list->PathArcTo(at(item.centre), item.radius, 0.0f, 2.0f * kPi, 32);
    canvas.list->PathFillConvex(canvas.ink(item.fill));
  }
  if (item.stroke != Colour::none)
    canvas.list->AddCircle(at(item.centre), item.radius - item.stroke_width / 2.0f, canvas.ink(item.stroke),
                           40, item.stroke_width);
}

void draw(const Canvas& canvas, HatchItem& item) {
  const Rect& r = item.rect;
  canvas.list->PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  for (float shift = -r.height; shift < r.width; shift += item.pitch) {
    canvas.list->PathLineTo({r.x + shift, r.bottom()});
    canvas.list->PathLineTo({r.x + shift + r.height, r.y});
    canvas.list->PathStroke(canvas.ink(Colour::hatch), 0, 1.0f);
  }
  canvas.list->PopClipRect();
}

void draw(const Canvas& canvas, TextItem& item) {
  ImFont* font = font_of(canvas.fonts, item.font);
  const float ascent = font->GetFontBaked(item.size)->Ascent;
  const ImVec2 position{item.origin.x, std::round(item.origin.y - ascent)};
  canvas.list->AddText(font, item.size, position, canvas.ink(item.colour, item.opacity), item.text.data(),
                       item.text.data() + item.text.size());
}

void call_renderer(const ImDrawList*, const ImDrawCmd* command) {
  const auto* call = static_cast<const gfx::HeatmapCall*>(command->UserCallbackData);
  const ImVec4& clip = command->ClipRect;
  call->renderer->draw(call->map, {clip.x, clip.y, clip.z, clip.w});
}

void draw(const Canvas& canvas, HeatmapItem& item) {
  const gfx::HeatmapCall call{&canvas.renderer, canvas.renderer.add(item.drawn())};
  canvas.list->AddCallback(call_renderer, const_cast<gfx::HeatmapCall*>(&call), sizeof call);
  canvas.list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

float width_of(const void* user, std::string_view text, Font font, float size) {
  const auto& fonts = *static_cast<const FontSet*>(user);
  return font_of(fonts, font)->CalcTextSizeA(size, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
}

}  // namespace

TextMeasure measure_with(const FontSet& fonts) { return {&fonts, width_of}; }

void paint(Scene& scene, const FontSet& fonts, gfx::Theme theme, gfx::Renderer& renderer, ImDrawList* list) {
  const Canvas canvas{list, fonts, theme, renderer};
  for (int layer = 0; layer <= 1; ++layer)
    for (Item& item : scene.items)
      if (item.layer == layer) std::visit([&](auto& shape) { draw(canvas, shape); }, item.shape);
}

}  // namespace attn::ui
