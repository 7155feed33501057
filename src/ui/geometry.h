// Points and rectangles in UI pixels, y downwards.
#pragma once

namespace attn::ui {

struct Point {
  float x = 0.0f;
  float y = 0.0f;
  bool operator==(const Point&) const = default;
};

struct Rect {
  float x = 0.0f;
  float y = 0.0f;
  float width = 0.0f;
  float height = 0.0f;

  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Point centre() const { return {x + width / 2.0f, y + height / 2.0f}; }
  bool empty() const { return width <= 0.0f || height <= 0.0f; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  bool operator==(const Rect&) const = default;
};

/// Grown by `by` on each side (shrunk when negative).
inline Rect grown(const Rect& rect, float by) {
  return {rect.x - by, rect.y - by, rect.width + 2.0f * by, rect.height + 2.0f * by};
}

/// At least `width` x `height`, around the same centre: the invisible margin of a small control.
inline Rect at_least(const Rect& rect, float width, float height) {
  const float w = rect.width > width ? rect.width : width;
  const float h = rect.height > height ? rect.height : height;
  return {rect.x - (w - rect.width) / 2.0f, rect.y - (h - rect.height) / 2.0f, w, h};
}

/// True when the interiors share more than `slack` pixels in both directions.
inline bool overlap(const Rect& a, const Rect& b, float slack = 0.0f) {
  return a.x + slack < b.right() && b.x + slack < a.right() && a.y + slack < b.bottom() &&
         b.y + slack < a.bottom();
}

}  // namespace attn::ui
