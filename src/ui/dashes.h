// Dashed outlines, which ImGui doesn't have: the outline as a path, the path cut into dashes.
#pragma once

#include <vector>

#include "ui/geometry.h"

namespace attn::ui {

/// The outline of a rounded rectangle, clockwise, closed (the last point is the first).
std::vector<Point> rounded_outline(const Rect& rect, float radius);

/// The dashes of a path, each as a path of its own; the first dash begins where the path does.
std::vector<std::vector<Point>> dashes_along(const std::vector<Point>& path, float dash, float gap);

}  // namespace attn::ui
