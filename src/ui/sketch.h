// The pen views draw with: adds items and regions to a Scene.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lessons/text.h"
#include "ui/scene.h"

namespace attn::ui {

struct TextStyle {
  Font font = Font::ui400;
  float size = 13.0f;
  Colour colour = Colour::ink;
  float opacity = 1.0f;
  Tag tag = {};
};

/// A stretch of a line in its own style.
struct Piece {
  std::string text;
  Font font = Font::ui400;
  Colour colour = Colour::ink;
  lessons::Topic topic = {};  // what it lights
  const lessons::Term* term = nullptr;
};

struct Sketch {
  Scene& scene;
  TextMeasure measure;

  void add(Shape shape) { scene.items.push_back({scene.layer, std::move(shape)}); }

  void box(const Rect& rect, Colour fill, float radius = 0.0f) {
    add(BoxItem{.rect = rect, .radius = radius, .fill = fill});
  }
  void outline(const Rect& rect, Colour stroke, float width, float radius, Tag tag = {}) {
    add(BoxItem{.rect = rect, .radius = radius, .stroke = stroke, .stroke_width = width, .tag = tag});
  }
  void framed(const Rect& rect, Colour fill, Colour stroke, float radius) {
    add(BoxItem{.rect = rect, .radius = radius, .fill = fill, .stroke = stroke});
  }
  void dashed(const Rect& rect, Colour stroke, float radius, float dash, float gap) {
    add(BoxItem{.rect = rect, .radius = radius, .stroke = stroke, .dash = dash, .dash_gap = gap});
  }
  void line(Point a, Point b, Colour colour, float width = 1.0f) {
    add(LineItem{.a = a, .b = b, .colour = colour, .width = width});
  }
  void stroke(Point a, Point b, Colour colour, float width) {  // round caps
    add(LineItem{.a = a, .b = b, .colour = colour, .width = width, .round = true});
  }

  float width(std::string_view text, const TextStyle& style) const {
    return measure.width(text, style.font, style.size);
  }

  /// Text by its baseline; each returns the x where the text ends (left, runs) or begins (right).
  float text(float x, float baseline, std::string_view text, const TextStyle& style);
  float text_right(float right, float baseline, std::string_view text, const TextStyle& style);
  void text_centred(float centre_x, float baseline, std::string_view text, const TextStyle& style);
  /// Centred in a rectangle, by the height of capitals.
  void text_in(const Rect& rect, std::string_view text, const TextStyle& style);
  float runs(float x, float baseline, std::span<const Piece> line, float size);
  float runs_width(std::span<const Piece> line, float size) const;

  /// The text, cut with "…" where it would pass `room`.
  std::string fitted(std::string_view text, float room, const TextStyle& style) const;
  /// The first of several wordings that fits; the last one cut if none does.
  std::string first_fitting(std::span<const std::string> wordings, float room, const TextStyle& style) const;

  /// The largest size, from the style's down to `smallest`, at which the text is no wider than `room`.
  float size_that_fits(std::string_view text, float room, const TextStyle& style, float smallest) const;

  Region& region(Region region);
};

/// Baseline of a line of this size that is centred around `centre_y`.
float baseline_at(float centre_y, float size);

/// Length in bytes of the UTF-8 sequence that starts at `text[at]`.
std::size_t sequence_length(std::string_view text, std::size_t at);

}  // namespace attn::ui
