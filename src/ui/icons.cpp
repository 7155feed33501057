#include "ui/icons.h"

#include <algorithm>
#include <cmath>

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

/// `s` below zero turns it round: forward.
void turn_back(Sketch& sketch, Point at, float s, Colour colour) {
  const float h = std::abs(s);
  sketch.add(BezierItem{.a = {at.x - s * 0.4f, at.y - h * 0.1f},
                        .b = {at.x + s * 0.6f, at.y - h * 0.45f},
                        .c = {at.x + s * 0.6f, at.y + h * 0.5f},
                        .d = {at.x - s * 0.2f, at.y + h * 0.42f},
                        .colour = colour,
                        .width = 1.7f});
  triangle(sketch, {at.x - s * 0.52f, at.y - h * 0.1f}, {at.x - s * 0.12f, at.y - h * 0.42f},
           {at.x - s * 0.12f, at.y + h * 0.16f}, colour);
}

/// Most of a circle, round from its arrow's head at the top, which points back.
void circle_arrow(Sketch& sketch, Point at, float s, Colour colour) {
  constexpr int kParts = 14;
  const float radius = s * 0.42f;
  const float y = at.y + s * 0.06f;
  const auto on_circle = [&](int part) {
    const float angle = -1.45f + 4.8f * static_cast<float>(part) / kParts;
    return Point{at.x + radius * std::cos(angle), y + radius * std::sin(angle)};
  };
  for (int part = 0; part < kParts; ++part) sketch.stroke(on_circle(part), on_circle(part + 1), colour, 1.7f);
  triangle(sketch, {at.x - s * 0.28f, y - radius}, {at.x + s * 0.08f, y - radius - s * 0.24f},
           {at.x + s * 0.08f, y - radius + s * 0.24f}, colour);
}

/// A heading and its lines: the lessons.
void list_lines(Sketch& sketch, Point at, float s, Colour colour) {
  for (int i = -1; i <= 1; ++i) {
    const float y = at.y + static_cast<float>(i) * s * 0.36f;
    sketch.add(CircleItem{.centre = {at.x - s * 0.42f, y}, .radius = s * 0.09f, .fill = colour});
    sketch.stroke({at.x - s * 0.14f, y}, {at.x + s * 0.5f, y}, colour, 1.7f);
  }
}

/// Points up (-1) or down.
void fold(Sketch& sketch, Point at, float s, Colour colour, float direction) {
  const float y = at.y - direction * s * 0.22f;
  sketch.stroke({at.x - s * 0.45f, y}, {at.x, y + direction * s * 0.45f}, colour, 2.0f);
  sketch.stroke({at.x, y + direction * s * 0.45f}, {at.x + s * 0.45f, y}, colour, 2.0f);
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
    case Icon::redo:
      return turn_back(sketch, at, -s, colour);
    case Icon::restart:
      return circle_arrow(sketch, at, s, colour);
    case Icon::list:
      return list_lines(sketch, at, s, colour);
    case Icon::keys:
      return sketch.text_centred(at.x, baseline_at(at.y, s), "?",
                                 {.font = Font::ui600, .size = s, .colour = colour});
    case Icon::one_step:
      return sketch.text_centred(at.x, baseline_at(at.y, s * 0.9f), "+1",
                                 {.font = Font::ui600, .size = s * 0.9f, .colour = colour});
    case Icon::more:
    case Icon::less:
      return fold(sketch, at, s * 0.8f, colour, icon == Icon::more ? 1.0f : -1.0f);
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
