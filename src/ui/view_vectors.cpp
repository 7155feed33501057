#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

constexpr float kTouch = 44.0f;
constexpr float kMouse = 28.0f;
constexpr float kArrowHead = 10.0f;
constexpr float kArc = 34.0f;  // radius of the angle's arc
constexpr int kArcParts = 24;
constexpr float kNumbers = 20.0f;     // left of the plane and under it
constexpr float kOver = 6.0f;         // the topmost number reaches so far over the plane
constexpr float kLeastPitch = 22.0f;  // of its numbers

/// A square of the plane around the origin, `reach` in each direction.
struct Plane {
  Rect area;
  float reach = 2.0f;

  Point at(float x, float y) const {
    const Point centre = area.centre();
    const float unit = area.width / (2.0f * reach);
    return {centre.x + x * unit, centre.y - y * unit};
  }
};

Plane plane_of(const Context& context, const BlockModel& block, int index, const BlockPlace& place) {
  const float side = std::min(place.body.width, place.body.height) - kNumbers - kOver;
  const Rect area{place.body.x + kNumbers, place.body.y + kOver, side, side};
  const auto group = static_cast<RegionId>(group_of(Group::blocks, index));
  if (context.view.pressed.region >> 16 == group && context.view.held_reach > 0)
    return {area, static_cast<float>(context.view.held_reach) / 10.0f};
  float largest = 0.0f;
  for (const float value : block.values) largest = std::max(largest, std::fabs(value));
  return {area, std::max(2.0f, std::ceil(largest + 0.25f))};
}

void draw_grid(Sketch& sketch, const Plane& plane) {
  const int reach = static_cast<int>(plane.reach);
  const float unit = plane.area.width / (2.0f * plane.reach);
  const int every = std::max(1, static_cast<int>(std::ceil(kLeastPitch / std::max(unit, 1.0f))));
  const TextStyle number{
      .font = Font::mono400, .size = 10.5f, .colour = Colour::ink3, .tag = {.mark = Mark::axis_label}};
  for (int i = -reach; i <= reach; ++i) {
    if (i % every == 0) {
      const Point mark = plane.at(static_cast<float>(i), static_cast<float>(i));
      const std::string text = lessons::fixed(static_cast<float>(i), 0);
      sketch.text_centred(mark.x, plane.area.bottom() + 14.0f, text, number);
      sketch.text_right(plane.area.x - 4.0f, baseline_at(mark.y, 10.5f), text, number);
    }
    const auto at = static_cast<float>(i);
    const Colour colour = i == 0 ? Colour::line2 : Colour::line;
    sketch.line(plane.at(at, -plane.reach), plane.at(at, plane.reach), colour);
    sketch.line(plane.at(-plane.reach, at), plane.at(plane.reach, at), colour);
  }
}

Colour colour_of_row(const BlockModel& block, int row) {
  if (block.block->role != lessons::Role::plain) return colour_of_role(block.block->role);
  return row % 2 == 0 ? Colour::query : Colour::key;
}

void draw_arrow(Sketch& sketch, Point from, Point to, Colour colour, float width) {
  const float dx = to.x - from.x;
  const float dy = to.y - from.y;
  const float length = std::sqrt(dx * dx + dy * dy);
  if (length < 1.0f) {
    sketch.add(CircleItem{.centre = to, .radius = 4.0f, .fill = colour});
    return;
  }
  const float ux = dx / length;
  const float uy = dy / length;
  const float head = std::min(kArrowHead, length);
  const Point base{to.x - ux * head, to.y - uy * head};
  sketch.stroke(from, base, colour, width);
  sketch.add(TriangleItem{.a = to,
                          .b = {base.x - uy * head * 0.45f, base.y + ux * head * 0.45f},
                          .c = {base.x + uy * head * 0.45f, base.y - ux * head * 0.45f},
                          .fill = colour});
}

/// The shorter way from the first vector to the second.
void draw_angle(Sketch& sketch, const BlockModel& block, const Plane& plane) {
  if (block.plane.rows != 2) return;
  const float first = std::atan2(block.values[1], block.values[0]);
  float turn = std::atan2(block.values[3], block.values[2]) - first;
  constexpr float kHalf = 3.14159265f;
  if (turn > kHalf) turn -= 2.0f * kHalf;
  if (turn < -kHalf) turn += 2.0f * kHalf;
  const Point origin = plane.at(0.0f, 0.0f);
  const float shorter =
      plane.area.width / (2.0f * plane.reach) *
      std::min(std::hypot(block.values[0], block.values[1]), std::hypot(block.values[2], block.values[3]));
  const float radius = std::min(kArc, shorter / 2.0f);
  const auto on_arc = [&](int part) {
    const float angle = first + turn * static_cast<float>(part) / static_cast<float>(kArcParts);
    return Point{origin.x + radius * std::cos(angle), origin.y - radius * std::sin(angle)};
  };
  for (int part = 0; part < kArcParts; ++part)
    sketch.stroke(on_arc(part), on_arc(part + 1), Colour::ink3, 1.5f);
  if (radius < kArc) return;  // the letter would stand among the tips
  const float middle = first + turn / 2.0f;
  sketch.text_centred(origin.x + (kArc + 14.0f) * std::cos(middle),
                      baseline_at(origin.y - (kArc + 14.0f) * std::sin(middle), 13.0f), "θ",
                      {.font = Font::mono500, .size = 13.0f, .colour = Colour::ink2});
}

std::string name_of_row(const Context& context, const BlockModel& block, int row) {
  const auto index = static_cast<std::size_t>(row);
  const std::vector<std::string>& names = block.block->row_names;
  return index < names.size() ? names[index] : context.subject.run.word_at(block.axes.rows, row);
}

/// The tip follows the pointer over the whole square, by tenths.
void add_tip_region(Context& context, const BlockModel& block, int index, int row, const Plane& plane,
                    Point tip) {
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float side = finger ? kTouch : kMouse;
  const int cells = static_cast<int>(2.0f * plane.reach * 10.0f) + 1;
  const float cell = plane.area.width / static_cast<float>(cells - 1);
  const auto nearest = [&](float value) {
    return static_cast<int>(std::round((value + plane.reach) * 10.0f));
  };
  const std::size_t at = block.at(row, 0);
  const Rect hit{tip.x - side / 2.0f, tip.y - side / 2.0f, side, side};
  context.sketch.region({.id = region_id(group_of(Group::blocks, index), row + 1),
                         .group = group_of(Group::blocks, index),
                         .role = RegionRole::grid,
                         .rect = hit,
                         .visual = {tip.x - 9.0f, tip.y - 9.0f, 18.0f, 18.0f},
                         .radius = 9.0f,
                         .label = std::string(block.block->title.in(context.language())) + " " +
                                  name_of_row(context, block, row),
                         .intent = {.kind = IntentKind::move_vector,
                                    .index = row,
                                    .value = static_cast<int>(plane.reach * 10.0f),
                                    .label = block.block->tensor},
                         .drag = true,
                         .grid = {.rows = cells,
                                  .columns = cells,
                                  .origin = {plane.area.x - cell / 2.0f, plane.area.y - cell / 2.0f},
                                  .cell_width = cell,
                                  .cell_height = cell,
                                  .selected_row = cells - 1 - nearest(block.values[at + 1]),
                                  .selected_column = nearest(block.values[at])}});
}

}  // namespace

void draw_vectors(Context& context, const BlockModel& block, int index, const BlockPlace& place) {
  Sketch& sketch = context.sketch;
  const Plane plane = plane_of(context, block, index, place);
  draw_grid(sketch, plane);
  draw_angle(sketch, block, plane);
  const Point origin = plane.at(0.0f, 0.0f);
  for (int row = 0; row < block.plane.rows; ++row) {
    const float x = block.values[block.at(row, 0)];
    const float y = block.values[block.at(row, 1)];
    const Point tip = plane.at(x, y);
    const Colour colour = colour_of_row(block, row);
    const RegionId id = region_id(group_of(Group::blocks, index), row + 1);
    const bool held = context.view.hover.region == id || context.view.pressed.region == id;
    draw_arrow(sketch, origin, tip, colour, held ? 3.5f : 2.5f);
    if (block.editable)
      sketch.add(CircleItem{.centre = tip,
                            .radius = held ? 9.0f : 7.0f,
                            .fill = Colour::surface,
                            .stroke = colour,
                            .stroke_width = 2.0f});
    const std::string word = name_of_row(context, block, row);
    const float side = x >= 0.0f ? 14.0f : -14.0f;
    const TextStyle style{
        .font = Font::ui600, .size = 14.0f, .colour = colour, .tag = {.mark = Mark::axis_label}};
    const float above = tip.y - (y >= 0.0f ? 10.0f : -20.0f);
    if (side > 0.0f && tip.x + side + sketch.width(word, style) < plane.area.right())
      sketch.text(tip.x + side, above, word, style);
    else
      sketch.text_right(tip.x - 14.0f, above, word, style);
    if (block.editable) add_tip_region(context, block, index, row, plane, tip);
  }
}

}  // namespace attn::ui
