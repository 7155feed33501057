#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/inspector_model.h"
#include "ui/names.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr int kLensCells = 3;

enum LensPart : int { kLeft = 100, kRight = 101 };

RegionId lens_id(int part) { return region_id(group_of(Group::inspector), part); }

float label_room(const Context& context) {
  const auto width = [&](Word which) {
    return context.sketch.measure.width(context.say(which), Font::ui400, 12.0f);
  };
  return std::max(width(Word::training), width(Word::inference)) + 24.0f;
}

Rect lens_cell(const Context& context, const Rect& area, int slot, int pass) {
  const float left = area.x + label_room(context);
  const float pitch = (area.right() - 10.0f - left) / static_cast<float>(kLensCells);
  return {left + static_cast<float>(slot) * pitch, area.y + 38.0f + static_cast<float>(pass) * 56.0f,
          pitch - 6.0f, 36.0f};
}

void draw_lens_cell(Context& context, const StageModel& stage, const PaneModel& pane, const Rect& rect,
                    int row, int column) {
  Sketch& sketch = context.sketch;
  if (!pane.live(row, column)) return sketch.dashed(rect, Colour::line2, 5.0f, 2.0f, 3.0f);
  if (!pane.shows_value(row, column)) {
    sketch.box(rect, Colour::hatch_background, 5.0f);
    return sketch.add(HatchItem{.rect = grown(rect, -1.0f), .pitch = 7.0f});
  }
  const float value = pane.values[pane.at(row, column)];
  HeatmapItem item;
  item.cells.rows = item.cells.columns = 1;
  item.cells.x = rect.x;
  item.cells.y = rect.y;
  item.cells.cell_width = rect.width;
  item.cells.cell_height = rect.height;
  item.cells.shape = {0.0f, 5.0f};
  item.cells.range = stage.range;
  item.cells.ramp = stage.ramp;
  item.cells.theme = context.theme;
  item.values = {value};
  item.states = {gfx::CellState::value};
  item.label = stage.focus.tensor;
  item.head = stage.focus.head;
  sketch.add(std::move(item));
  const gfx::Rgb fill = gfx::ramp_colour(value, stage.range, stage.ramp, context.theme);
  const bool dark = gfx::number_colour(fill) == gfx::Rgb{0, 0, 0};
  sketch.text_in(rect, lessons::fixed(value, 5),
                 {.font = Font::mono500,
                  .size = 13.0f,
                  .colour = std::isnan(value) ? Colour::different
                            : dark            ? Colour::black
                                              : Colour::white,
                  .tag = {Mark::lens_number, pane.pane, row, column}});
}

void draw_lens_column(Context& context, const StageModel& stage, const Rect& area, int slot, int row,
                      int column) {
  Sketch& sketch = context.sketch;
  const Rect upper = lens_cell(context, area, slot, 0);
  const Rect lower = lens_cell(context, area, slot, 1);
  draw_lens_cell(context, stage, stage.training, upper, row, column);
  draw_lens_cell(context, stage, stage.inference, lower, row, column);
  const bool a = stage.training.shows_value(row, column);
  const bool b = stage.inference.shows_value(row, column);
  const Point between{upper.centre().x, (upper.bottom() + lower.y) / 2.0f};
  if (a && b) {
    const bool equal = core::bits_of(stage.training.values[stage.training.at(row, column)]) ==
                       core::bits_of(stage.inference.values[stage.inference.at(row, column)]);
    if (equal) {
      draw_equal_mark(sketch, between, 10.0f, Colour::equal);
    } else {
      sketch.box({between.x - 10.0f, between.y - 8.0f, 20.0f, 16.0f}, Colour::different, 3.0f);
      draw_different_mark(sketch, between, 9.0f, Colour::on_different);
    }
  }
  if (column == stage.focus.column)
    for (const Rect& rect : {upper, lower})
      if ((rect.y == upper.y ? stage.training : stage.inference).live(row, column))
        sketch.outline(grown(rect, 2.0f), Colour::ink, 2.0f, 7.0f);
  const Rect whole{upper.x - 3.0f, upper.y, upper.width + 6.0f, lower.bottom() - upper.y};
  sketch.region({.id = lens_id(slot),
                 .group = group_of(Group::inspector),
                 .role = RegionRole::option,
                 .rect = whole,
                 .visual = grown(whole, -1.0f),
                 .radius = 8.0f,
                 .label = phrase(context.say(Word::row), row) + ", " + std::to_string(column),
                 .intent = {.kind = IntentKind::select_cell, .row = row, .column = column},
                 .selected = column == stage.focus.column});
}

void draw_bits(Context& context, const StageModel& stage, const Rect& area, int row, int column) {
  const InspectorModel model = inspector_model(context.subject.run, stage, row, column);
  if (model.state != InspectorState::sum || !model.in_inference) return;
  Sketch& sketch = context.sketch;
  const TextStyle style{.font = Font::mono400, .size = 11.0f, .colour = Colour::ink3};
  const float baseline = area.bottom() - 12.0f;
  float x =
      sketch.text(area.x + label_room(context), baseline, lessons::bit_pattern(model.training.value), style);
  const Point mark{x + 13.0f, baseline - 4.0f};
  if (model.equal)
    draw_equal_mark(sketch, mark, 9.0f, Colour::equal);
  else
    draw_different_mark(sketch, mark, 9.0f, Colour::different);
  x = sketch.text(x + 26.0f, baseline, lessons::bit_pattern(model.inference.value), style);
  if (model.equal) return;
  const TextStyle loud{.font = Font::mono600, .size = 11.0f, .colour = Colour::different};
  const std::string text = phrase(context.say(Word::ulp_distance), lessons::thousands(model.ulp).c_str());
  if (sketch.width(text, loud) + 10.0f <= area.right() - 10.0f - x)
    sketch.text_right(area.right() - 12.0f, baseline, text, loud);
}

}  // namespace

void view_lens(Context& context, const StageModel& stage) {
  const Rect& area = context.layout.inspector;
  Sketch& sketch = context.sketch;
  sketch.framed(area, Colour::page, Colour::line, 10.0f);
  const int row = stage.valid() && stage.training.live(stage.focus.row, 0) ? stage.focus.row : -1;
  if (row < 0) {
    sketch.text_centred(area.centre().x, area.centre().y - 6.0f, context.say(Word::pick_a_cell_title),
                        {.font = Font::ui600, .size = 14.0f});
    sketch.text_centred(area.centre().x, area.centre().y + 16.0f, context.say(Word::pick_a_cell),
                        {.size = 13.0f, .colour = Colour::ink2});
    return;
  }
  const int columns = stage.training.live_columns;
  const int first = std::clamp(context.view.lens_column, 0, std::max(columns - kLensCells, 0));
  const TextStyle strong{.font = Font::ui600, .size = 13.0f};
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  const float x = sketch.text(area.x + 14.0f, area.y + 25.0f, phrase(context.say(Word::row), row), strong);
  float right = area.right() - 14.0f;
  if (columns > kLensCells) {
    right = area.right() - 92.0f;
    icon_button(context, {area.right() - 88.0f, area.y - 2.0f, 44.0f, 40.0f}, Icon::left, lens_id(kLeft),
                Word::lens_left, {.kind = IntentKind::move_lens, .value = -kLensCells},
                {.enabled = first > 0, .frameless = true});
    icon_button(context, {area.right() - 44.0f, area.y - 2.0f, 44.0f, 40.0f}, Icon::right, lens_id(kRight),
                Word::lens_right, {.kind = IntentKind::move_lens, .value = kLensCells},
                {.enabled = first + kLensCells < columns, .frameless = true});
  }
  const std::string wordings[] = {short_title(stage.focus.tensor, context.language()),
                                  std::string(tape::name_of(stage.focus.tensor.site))};
  sketch.text(x + 14.0f, area.y + 25.0f, sketch.first_fitting(wordings, right - x - 20.0f, body), body);
  const TextStyle label{.size = 12.0f, .colour = Colour::ink2};
  for (int pass = 0; pass < 2; ++pass) {
    const std::string name = context.say(pass == 0 ? Word::training : Word::inference);
    sketch.text(area.x + 12.0f, baseline_at(lens_cell(context, area, 0, pass).centre().y, 12.0f), name,
                label);
  }
  for (int slot = 0; slot < std::min(kLensCells, columns); ++slot)
    draw_lens_column(context, stage, area, slot, row, first + slot);
  const int column = stage.focus.column;
  if (column >= first && column < first + kLensCells) draw_bits(context, stage, area, row, column);
}

}  // namespace attn::ui
