#include "ui/dashes.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {

std::vector<Point> rounded_outline(const Rect& rect, float radius) {
  constexpr int kSteps = 4;  // per corner; dashes are short, so few are enough
  constexpr float kQuarter = 1.57079633f;
  const float r = std::clamp(radius, 0.0f, std::min(rect.width, rect.height) / 2.0f);
  const Point centres[] = {{rect.right() - r, rect.y + r},
                           {rect.right() - r, rect.bottom() - r},
                           {rect.x + r, rect.bottom() - r},
                           {rect.x + r, rect.y + r}};
  std::vector<Point> path;
  for (int corner = 0; corner < 4; ++corner)
    for (int step = 0; step <= kSteps; ++step) {
      const float angle = kQuarter * (static_cast<float>(corner) - 1.0f + static_cast<float>(step) / kSteps);
      path.push_back({centres[corner].x + r * std::cos(angle), centres[corner].y + r * std::sin(angle)});
      if (r <= 0.0f) break;
    }
  path.push_back(path.front());
  return path;
}

std::vector<std::vector<Point>> dashes_along(const std::vector<Point>& path, float dash, float gap) {
  std::vector<std::vector<Point>> pieces;
  if (path.size() < 2 || dash <= 0.0f) return pieces;
  bool drawing = true;
  float left = dash;  // of the current dash or gap
  std::vector<Point> piece{path.front()};
  for (std::size_t i = 1; i < path.size(); ++i) {
    Point from = path[i - 1];
    const Point to = path[i];
    float length = std::hypot(to.x - from.x, to.y - from.y);
    while (length > left) {
      const float t = left / length;
      from = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
      length -= left;
      if (drawing) {
        piece.push_back(from);
        pieces.push_back(piece);
      }
      drawing = !drawing;
      left = drawing ? dash : std::max(gap, 0.5f);
      piece = {from};
    }
    left -= length;
    if (drawing) piece.push_back(to);
  }
  if (drawing && piece.size() > 1) pieces.push_back(piece);
  return pieces;
}

}  // namespace attn::ui
