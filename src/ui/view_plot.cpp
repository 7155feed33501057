#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "ui/plot_scale.h"
#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

using lessons::Plot;
using lessons::Series;
using lessons::SeriesForm;

constexpr float kLeft = 44.0f;    // numbers of the y axis
constexpr float kBottom = 36.0f;  // numbers and name of the x axis
constexpr float kBottomUnnamed = 20.0f;
constexpr float kLowBody = 90.0f;  // has no room for the name
constexpr float kTop = 18.0f;      // name of the y axis, legend
constexpr float kTickSize = 11.0f;
constexpr float kPoint = 3.0f;  // radius

/// The rectangle of the numbers, and how they lie in it.
struct Frame {
  Rect area;
  PlotAxis x;
  PlotAxis y;
  bool named = true;  // the x axis has its name under it

  Point at(float a, float b) const {
    return {area.x + x.position(a) * area.width, area.bottom() - y.position(b) * area.height};
  }
};

Colour colour_of(const Plot& plot, std::size_t index) {
  const lessons::Role role = plot.series[index].role;
  if (role != lessons::Role::plain) return colour_of_role(role);
  const bool bars = plot.series[index].form == SeriesForm::bars;
  return index == 0 && !bars ? Colour::ink : Colour::ink3;
}

void draw_axes(Context& context, const Plot& plot, const Frame& frame) {
  Sketch& sketch = context.sketch;
  const Rect& area = frame.area;
  const TextStyle number{.font = Font::mono400, .size = kTickSize, .colour = Colour::ink3};
  const TextStyle name{.size = 12.0f, .colour = Colour::ink3};
  float last_y = area.bottom() + kTickSize + 4.0f;
  for (const Tick& tick : ticks_of(frame.y)) {
    const float y = frame.at(frame.x.low, tick.value).y;
    if (last_y - y < kTickSize + 4.0f) continue;
    last_y = y;
    sketch.line({area.x, y}, {area.right(), y}, Colour::line);
    sketch.text_right(area.x - 6.0f, baseline_at(y, kTickSize), tick.text, number);
  }
  float last_end = area.x - kLeft;
  for (const Tick& tick : ticks_of(frame.x)) {
    const float x = frame.at(tick.value, frame.y.low).x;
    const float half = sketch.width(tick.text, number) / 2.0f;
    if (x - half < last_end + 6.0f || x + half > context.layout.width) continue;
    sketch.line({x, area.bottom()}, {x, area.bottom() + 4.0f}, Colour::line2);
    sketch.text_centred(x, area.bottom() + 15.0f, tick.text, number);
    last_end = x + half;
  }
  sketch.line({area.x, area.bottom()}, {area.right(), area.bottom()}, Colour::line2);
  if (!frame.named) return;
  const std::string along = plot.x_name.in(context.language());
  sketch.text_right(area.right(), area.bottom() + 31.0f, sketch.fitted(along, area.width, name), name);
}

/// The name of the y axis at the left, names of several series at the right.
void draw_names(Context& context, const Plot& plot, const Rect& body) {
  Sketch& sketch = context.sketch;
  const TextStyle style{.size = 12.0f, .colour = Colour::ink3};
  const float baseline = body.y + 10.0f;
  const std::string up = plot.y_name.in(context.language());
  float left = body.x + sketch.width(up, style) + 16.0f;
  sketch.text(body.x, baseline, sketch.fitted(up, body.width, style), style);
  if (plot.series.size() < 2) return;
  float width = 0.0f;
  for (const Series& series : plot.series)
    width += sketch.width(series.name.in(context.language()), style) + 32.0f;
  float x = std::max(body.right() - width + 12.0f, left);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Colour colour = colour_of(plot, i);
    if (x + 20.0f > body.right()) return;
    sketch.stroke({x, baseline - 4.0f}, {x + 12.0f, baseline - 4.0f}, colour,
                  plot.series[i].form == SeriesForm::line ? 2.0f : 6.0f);
    const std::string name =
        sketch.fitted(plot.series[i].name.in(context.language()), body.right() - x - 16.0f, style);
    x = sketch.text(x + 16.0f, baseline, name,
                    {.size = 12.0f, .colour = Colour::ink2, .tag = {.mark = Mark::axis_label}}) +
        16.0f;
  }
}

void draw_series(Context& context, const Plot& plot, std::size_t index, const Frame& frame) {
  Sketch& sketch = context.sketch;
  const Series& series = plot.series[index];
  const Colour colour = colour_of(plot, index);
  const float zero = std::clamp(frame.y.log ? frame.y.low : 0.0f, frame.y.low, frame.y.high);
  const float bar = series.x.size() > 1 ? series.x[1] - series.x[0] : 1.0f;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Point point = frame.at(series.x[i], series.y[i]);
    const Tag tag{Mark::plot_point, Pane::none, static_cast<int>(index), static_cast<int>(i)};
    switch (series.form) {
      case SeriesForm::line:
        if (i > 0) sketch.stroke(frame.at(series.x[i - 1], series.y[i - 1]), point, colour, 2.0f);
        break;
      case SeriesForm::points:
        sketch.add(CircleItem{.centre = point, .radius = kPoint, .fill = colour});
        break;
      case SeriesForm::bars: {
        const float base = frame.at(series.x[i], zero).y;
        const float left = frame.at(series.x[i] - bar / 2.0f, zero).x;
        const float right = frame.at(series.x[i] + bar / 2.0f, zero).x;
        const float gap = right - left > 6.0f ? 1.0f : 0.0f;
        sketch.add(BoxItem{.rect = {left, std::min(base, point.y), std::max(right - left - gap, 0.5f),
                                    std::fabs(base - point.y)},
                           .fill = colour,
                           .opacity = 0.8f,
                           .tag = tag});
        break;
      }
    }
  }
  if (series.form == SeriesForm::line && series.x.size() <= 16)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      sketch.add(CircleItem{.centre = frame.at(series.x[i], series.y[i]), .radius = kPoint, .fill = colour});
}

void draw_mark(Context& context, const Plot& plot, const Frame& frame) {
  const float place = frame.x.position(plot.marked_x);
  if (!(place >= 0.0f && place <= 1.0f)) return;
  const float x = frame.at(plot.marked_x, frame.y.low).x;
  context.sketch.add(LineItem{.a = {x, frame.area.y},
                              .b = {x, frame.area.bottom()},
                              .colour = Colour::ink,
                              .width = 1.5f,
                              .dash = 4.0f,
                              .dash_gap = 3.0f});
}

/// The point of each series nearest to the pointer, and their numbers in one line over the plot.
void draw_hover(Context& context, const Plot& plot, const Frame& frame, int column, int columns) {
  Sketch& sketch = context.sketch;
  const float x =
      frame.area.x + (static_cast<float>(column) + 0.5f) / static_cast<float>(columns) * frame.area.width;
  std::string text;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < series.x.size(); ++i)
      if (std::fabs(frame.at(series.x[i], frame.y.low).x - x) <
          std::fabs(frame.at(series.x[nearest], frame.y.low).x - x))
        nearest = i;
    if (s == 0) text = lessons::six_digits(series.x[nearest]) + ": ";
    text += (s == 0 ? "" : " · ") + lessons::six_digits(series.y[nearest]);
    sketch.add(CircleItem{.centre = frame.at(series.x[nearest], series.y[nearest]),
                          .radius = kPoint + 2.0f,
                          .stroke = Colour::ink,
                          .stroke_width = 1.5f});
  }
  const TextStyle style{.font = Font::mono500, .size = 12.0f};
  const float width = std::min(sketch.width(text, style), frame.area.width - 16.0f);
  const Rect label{std::clamp(x - width / 2.0f - 8.0f, frame.area.x, frame.area.right() - width - 16.0f),
                   frame.area.y + 2.0f, width + 16.0f, 22.0f};
  sketch.framed(label, Colour::surface, Colour::line2, 6.0f);
  sketch.text_in(label, sketch.fitted(text, width, style), style);
}

}  // namespace

void draw_plot(Context& context, const BlockModel& block, int index, const BlockPlace& place) {
  constexpr int kHoverColumns = 200;
  const Plot& plot = block.block->plot;
  const Rect& body = place.body;
  const bool named = body.height >= kLowBody;
  const float bottom = named ? kBottom : kBottomUnnamed;
  const Frame frame{{body.x + kLeft, body.y + kTop, std::max(body.width - kLeft - 4.0f, 20.0f),
                     std::max(body.height - kTop - bottom, 20.0f)},
                    x_axis_of(plot),
                    y_axis_of(plot),
                    named};
  draw_axes(context, plot, frame);
  draw_names(context, plot, body);
  for (std::size_t i = 0; i < plot.series.size(); ++i) draw_series(context, plot, i, frame);
  if (plot.has_mark()) draw_mark(context, plot, frame);
  const RegionId id = region_id(group_of(Group::blocks, index));
  const Spot& hover = context.view.hover;
  if (hover.region == id && hover.column >= 0) draw_hover(context, plot, frame, hover.column, kHoverColumns);
  context.sketch.region({.id = id,
                         .group = group_of(Group::blocks, index),
                         .role = RegionRole::grid,
                         .rect = frame.area,
                         .visual = frame.area,
                         .label = block.block->title.in(context.language()),
                         .intent = {.kind = IntentKind::focus_tensor, .label = block.block->tensor},
                         .pointer_only = true,
                         .grid = {.rows = 1,
                                  .columns = kHoverColumns,
                                  .origin = {frame.area.x, frame.area.y},
                                  .cell_width = frame.area.width / static_cast<float>(kHoverColumns),
                                  .cell_height = frame.area.height}});
}

}  // namespace attn::ui
