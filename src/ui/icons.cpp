#include "ui/icons.h"

#include <algorithm>

namespace attn::ui {
namespace {

void triangle(Sketch& sketch, Point a, Point b, Point c, Colour colour) {
  sketch.add(TriangleItem{.a = a, .b = b, .c = c, .fill = colour});
}

void skip_icon(Sketch& sketch, Point at, float s, Colour colour, float direction) {
  triangle(sketch, {at.x - direction * s * 0.5f, at.y - s * 0.45f},
           {at.x - direction * s * 0.5f, at.y + s * 0.45f}, {at.x + direction * s * 0.25f, at.y}, colour);
  sketch.line({at.x + direction * s * 0.45f, at.y - s * 0.45f},
              {at.x + direction * s * 0.45f, at.y + s * 0.45f}, colour, 2.0f);
}

void chevron(Sketch& sketch, Point at, float s, Colour colour, float direction) {
  const float x = at.x - direction * s * 0.25f;
  sketch.stroke({x, at.y - s * 0.5f}, {x + direction * s * 0.5f, at.y}, colour, 2.0f);
  sketch.stroke({x + direction * s * 0.5f, at.y}, {x, at.y + s * 0.5f}, colour, 2.0f);
}

void sliders(Sketch& sketch, Point at, float s, Colour colour) {
  constexpr float kKnobs[] = {0.22f, -0.2f, 0.08f};
  for (int i = 0; i < 3; ++i) {
    const float y = at.y + (static_cast<float>(i) - 1.0f) * s * 0.36f;
    sketch.stroke({at.x - s * 0.5f, y}, {at.x + s * 0.5f, y}, colour, 1.5f);
    sketch.add(CircleItem{.centre = {at.x + kKnobs[i] * s, y}, .radius = s * 0.14f, .fill = colour});
  }
}

void nudge(Sketch& sketch, Point at, float s, Colour colour) {
  const float w = s * 0.31f;
  triangle(sketch, {at.x - w, at.y - s * 0.125f}, {at.x + w, at.y - s * 0.125f}, {at.x, at.y - s * 0.5f},
           colour);
  triangle(sketch, {at.x - w, at.y + s * 0.125f}, {at.x + w, at.y + s * 0.125f}, {at.x, at.y + s * 0.5f},
           colour);
}

void turn_back(Sketch& sketch, Point at, float s, Colour colour) {
  sketch.add(BezierItem{.a = {at.x - s * 0.4f, at.y - s * 0.1f},
                        .b = {at.x + s * 0.6f, at.y - s * 0.45f},
                        .c = {at.x + s * 0.6f, at.y + s * 0.5f},
                        .d = {at.x - s * 0.2f, at.y + s * 0.42f},
                        .colour = colour,
                        .width = 1.7f});
  triangle(sketch, {at.x - s * 0.52f, at.y - s * 0.1f}, {at.x - s * 0.12f, at.y - s * 0.42f},
           {at.x - s * 0.12f, at.y + s * 0.16f}, colour);
}

/// Of the equal and different marks; below 7 px a thick one would fill the space between the bars.
float mark_stroke(float s) { return s < 7.0f ? 1.0f : std::max(1.5f, s * 0.17f); }

}  // namespace

void draw_icon(Sketch& sketch, Icon icon, Point at, float s, Colour colour) {
  switch (icon) {
    case Icon::back:
      return skip_icon(sketch, at, s, colour, -1.0f);
    case Icon::play:
      return triangle(sketch, {at.x - s * 0.4f, at.y - s * 0.5f}, {at.x - s * 0.4f, at.y + s * 0.5f},
                      {at.x + s * 0.55f, at.y}, colour);
    case Icon::pause:
      for (const float side : {-1.0f, 1.0f})
        sketch.box({at.x + side * s * 0.28f - s * 0.13f, at.y - s * 0.5f, s * 0.26f, s}, colour, 1.0f);
      return;
    case Icon::forward:
      return skip_icon(sketch, at, s, colour, 1.0f);
    case Icon::poke:
      return nudge(sketch, at, s, colour);
    case Icon::left:
      return chevron(sketch, at, s, colour, -1.0f);
    case Icon::right:
      return chevron(sketch, at, s, colour, 1.0f);
    case Icon::settings:
      return sliders(sketch, at, s, colour);
    case Icon::theme:
      sketch.add(CircleItem{.centre = at, .radius = s * 0.5f, .stroke = colour, .stroke_width = 1.5f});
      sketch.add(CircleItem{.centre = at, .radius = s * 0.5f, .fill = colour, .right_half = true});
      return;
    case Icon::close:
      sketch.stroke({at.x - s * 0.4f, at.y - s * 0.4f}, {at.x + s * 0.4f, at.y + s * 0.4f}, colour, 1.7f);
      sketch.stroke({at.x - s * 0.4f, at.y + s * 0.4f}, {at.x + s * 0.4f, at.y - s * 0.4f}, colour, 1.7f);
      return;
    case Icon::undo:
      return turn_back(sketch, at, s, colour);
  }
}

void draw_equal_mark(Sketch& sketch, Point at, float s, Colour colour) {
  const float width = mark_stroke(s);
  for (const float side : {-1.0f, 1.0f})
    sketch.stroke({at.x - s / 2.0f, at.y + side * s * 0.2f}, {at.x + s / 2.0f, at.y + side * s * 0.2f},
                  colour, width);
}

void draw_different_mark(Sketch& sketch, Point at, float s, Colour colour) {
  draw_equal_mark(sketch, at, s, colour);
  sketch.stroke({at.x - s * 0.32f, at.y + s * 0.52f}, {at.x + s * 0.32f, at.y - s * 0.52f}, colour,
                mark_stroke(s));
}

void draw_brand(Sketch& sketch, Point origin) {
  constexpr float kHeights[] = {0.9f, 0.55f, 0.3f};
  constexpr float kWidths[] = {2.5f, 1.5f, 1.0f};
  for (int i = 0; i < 3; ++i) {
    const float top = origin.y - 10.0f * kHeights[i];
    const float reach = static_cast<float>(i);
    sketch.add(BezierItem{.a = {origin.x, origin.y + 8.0f},
                          .b = {origin.x + 4.0f, top},
                          .c = {origin.x + 10.0f + reach * 3.0f, top},
                          .d = {origin.x + 10.0f + reach * 5.0f, origin.y + 8.0f},
                          .colour = Colour::ink,
                          .width = kWidths[i]});
  }
  sketch.add(CircleItem{.centre = {origin.x, origin.y + 8.0f}, .radius = 2.5f, .fill = Colour::ink});
}

}  // namespace attn::ui
