#include <algorithm>
#include <cmath>

#include "ui/axis_labels.h"
#include "ui/cell_grid.h"
#include "ui/controls.h"
#include "ui/topic_light.h"
#include "ui/view_blocks.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kSmallestDashed = 10.0f;
constexpr float kSmallestNote = 10.0f;
constexpr float kSmallestCorner = 8.0f;  // cells below this carry no corner of their own

bool is_training(const PaneModel& pane) { return pane.pane == Pane::training; }

CellGrid grid_of(const Layout& layout, const StageModel& stage, const PaneModel& pane,
                 const PaneLayout& place) {
  return {.origin = place.origin,
          .cell_width = layout.cell_width,
          .cell_height = layout.cell_height,
          .rows = pane.rows,
          .columns = pane.columns,
          .values = pane.values,
          .states = pane.states,
          .ramp = stage.ramp,
          .range = stage.range,
          .selected_row = stage.focus.row,
          .selected_column = stage.focus.column,
          .pane = pane.pane};
}

void draw_head(Context& context, const PaneModel& pane, const Rect& rect) {
  Sketch& sketch = context.sketch;
  const bool training = is_training(pane);
  const auto place = training ? lessons::ParameterPlace::training : lessons::ParameterPlace::inference;
  const int parameter = parameter_at(context.subject.lesson, place);
  const float baseline = rect.y + 18.0f;
  float right = rect.right();
  const TextStyle name{.font = Font::ui600, .size = 15.0f};
  const std::string title = context.say(training ? Word::training : Word::inference);
  const float left = sketch.text(rect.x, baseline, title, name);
  if (parameter >= 0) {
    const auto& description = context.subject.lesson.parameters[static_cast<std::size_t>(parameter)];
    const bool on = context.subject.values[static_cast<std::size_t>(parameter)] != 0;
    toggle_switch(context, {right - 32.0f, baseline - 14.0f}, on,
                  region_id(group_of(training ? Group::training_switch : Group::inference_switch)),
                  description.title.in(context.language()),
                  {.kind = IntentKind::set_parameter, .index = parameter, .value = on ? 0 : 1});
    right -= 40.0f;
    const TextStyle label{.size = 13.0f, .colour = Colour::ink2};
    const std::string mask = context.say(Word::mask);
    if (left + 10.0f + sketch.width(mask, label) <= right)
      right = sketch.text_right(right, baseline, mask, label);
  }
  const int tokens = training ? context.subject.run.twin->training.target_length
                              : context.subject.run.twin->inference.target_length;
  const std::string note =
      training && tokens == 1
          ? context.say(Word::one_token)
          : phrase(context.say(training ? Word::token_count : Word::inference_step), tokens);
  const TextStyle quiet{.size = 13.0f, .colour = Colour::ink3};
  if (left + 10.0f + sketch.width(note, quiet) + 10.0f <= right)
    sketch.text(left + 10.0f, baseline, note, quiet);
}

/// Over the column numbers, where tokens would stand that have a pixel of their own.
void draw_merge_note(Context& context, const CellGrid& grid) {
  const std::vector<std::string> notes = merge_notes(context, grid);
  const TextStyle quiet{.size = 12.0f, .colour = Colour::ink3, .tag = {.mark = Mark::merge_note}};
  const float room = grid.cell_width * static_cast<float>(grid.columns);
  if (notes.empty()) return;
  TextStyle style = quiet;
  style.size = context.sketch.size_that_fits(notes.back(), room, quiet, kSmallestNote);
  context.sketch.text(grid.origin.x, grid.origin.y - 25.0f, context.sketch.first_fitting(notes, room, style),
                      style);
}

/// Dashes around each of many small cells would only be noise: they share one outline.
void frame_not_yet(Context& context, const PaneModel& pane, HeatmapItem& item) {
  if (pane.live_rows == pane.rows && pane.live_columns == pane.columns) return;
  for (gfx::CellState& state : item.states)
    if (state == gfx::CellState::not_yet) state = gfx::CellState::none;
  for (gfx::CellState& state : item.from_states)
    if (state == gfx::CellState::not_yet) state = gfx::CellState::none;
  context.sketch.dashed({item.cells.x, item.cells.y, static_cast<float>(pane.columns) * item.cells.cell_width,
                         static_cast<float>(pane.rows) * item.cells.cell_height},
                        Colour::line, 2.0f, 2.0f, 3.0f);
}

/// Returns the item's place in the scene.
int draw_cells(Context& context, const StageModel& stage, const PaneModel& pane, const CellGrid& grid) {
  const Layout& layout = context.layout;
  HeatmapItem item = heatmap_of(grid, context.theme);
  item.label = stage.focus.tensor;
  item.head = stage.focus.head;
  const PaneBefore& before = is_training(pane) ? context.view.motion.training : context.view.motion.inference;
  item.cells.blend = progress(context.view.motion.values_s, context.now_s, kValueChange, Curve::linear);
  if (item.cells.blend < 1.0f && before.rows == pane.rows && before.columns == pane.columns) {
    item.from_values = before.values;
    item.from_states = before.states;
  }
  if (std::min(layout.cell_width, layout.cell_height) < kSmallestDashed) frame_not_yet(context, pane, item);
  context.sketch.add(std::move(item));
  return static_cast<int>(context.sketch.scene.items.size()) - 1;
}

/// The same size in both panes.
void draw_numbers(Context& context, const StageModel& stage, const CellGrid& grid) {
  const Layout& layout = context.layout;
  const CellGrid both[] = {grid_of(layout, stage, stage.training, layout.training),
                           grid_of(layout, stage, stage.inference, layout.inference)};
  draw_cell_numbers(context, grid, number_size(context.sketch, both));
}

void corner(Context& context, const Rect& cell, float side, Tag tag) {
  context.sketch.add(TriangleItem{.a = {cell.right() - side, cell.y},
                                  .b = {cell.right(), cell.y},
                                  .c = {cell.right(), cell.y + side},
                                  .fill = Colour::different,
                                  .tag = tag});
}

/// Corners on the cells a poke changed; cells too small for one share a mark at the end of their row.
void draw_changes(Context& context, const PaneModel& pane, const CellGrid& grid) {
  if (pane.changed.empty()) return;
  const Layout& layout = context.layout;
  const float side = std::min(layout.cell_width, layout.cell_height);
  for (int row = 0; row < pane.live_rows; ++row) {
    bool any = false;
    for (int column = 0; column < pane.live_columns; ++column) {
      if (!pane.changed[pane.at(row, column)] || !pane.shows_value(row, column)) continue;
      any = true;
      if (side >= kSmallestCorner)
        corner(context, grid.cell(row, column), std::clamp(side * 0.28f, 4.0f, 12.0f),
               {Mark::changed_cell, pane.pane, row, column});
    }
    if (any && side < kSmallestCorner) {
      const Rect last = grid.cell(row, pane.columns - 1);
      context.sketch.box({last.right() + 2.0f, last.y, 3.0f, std::max(last.height, 2.0f)}, Colour::different);
    }
  }
}

void draw_outlines(Context& context, const StageModel& stage, const PaneModel& pane, const CellGrid& grid) {
  const Layout& layout = context.layout;
  const float radius = gfx::cell_shape(layout.cell_width, layout.cell_height).corner_radius;
  const Spot& hover = context.view.hover;
  const bool pointed = hover.region == region_id(group_of(Group::training_cells)) ||
                       hover.region == region_id(group_of(Group::inference_cells));
  if (pointed && !layout.touch && pane.live(hover.row, hover.column))
    context.sketch.outline(grown(outlined_cell(grid, hover.row, hover.column), 1.0f), Colour::ink3, 1.5f,
                           radius + 1.0f, {Mark::hovered_cell, pane.pane, hover.row, hover.column});
  const lessons::Focus& focus = stage.focus;
  if (!focus.has_cell() || !pane.live(focus.row, focus.column)) return;
  Rect rect = outlined_cell(grid, focus.row, focus.column);
  const lessons::Focus& from = context.view.motion.select_from;
  const float t = progress(context.view.motion.select_s, context.now_s, kSelect, Curve::out);
  if (t < 1.0f && from.has_cell() && from.tensor == focus.tensor) {
    const Rect old = outlined_cell(grid, from.row, from.column);
    rect.x = old.x + (rect.x - old.x) * t;
    rect.y = old.y + (rect.y - old.y) * t;
  }
  context.sketch.outline(grown(rect, 2.0f), Colour::ink, 2.0f, radius + 2.0f,
                         {Mark::selected_cell, pane.pane, focus.row, focus.column});
}

/// Around the cells while the pointer is over a word that speaks of their tensor.
void draw_topic_outline(Context& context, const StageModel& stage, const PaneModel& pane, const Rect& cells) {
  const lessons::Topic topic = topic_of(stage.focus.tensor);
  if (!topic_light(context.subject, context.view).blocks.covers(topic)) return;
  context.sketch.outline(grown(cells, 5.0f), colour_of_role(topic.role), 2.0f, 8.0f,
                         {Mark::lit_block, pane.pane, -1, -1});
}

void add_region(Context& context, const StageModel& stage, const PaneModel& pane, const PaneLayout& place,
                const gfx::Merge& merge, int heatmap) {
  const Layout& layout = context.layout;
  const auto group = group_of(is_training(pane) ? Group::training_cells : Group::inference_cells);
  const gfx::CellShape shape = gfx::cell_shape(layout.cell_width, layout.cell_height);
  const Rect rect{place.origin.x, place.origin.y, static_cast<float>(pane.columns) * layout.cell_width,
                  static_cast<float>(pane.rows) * layout.cell_height};
  const float side = std::min(layout.cell_width, layout.cell_height);
  const bool finger = layout.touch || layout.size == Size::phone;
  draw_topic_outline(context, stage, pane, {rect.x, rect.y, rect.width - shape.gap, rect.height - shape.gap});
  context.sketch.region({.id = region_id(group),
                         .group = group,
                         .role = RegionRole::grid,
                         .rect = rect,
                         .visual = {rect.x, rect.y, rect.width - shape.gap, rect.height - shape.gap},
                         .label = context.say(is_training(pane) ? Word::training : Word::inference),
                         .intent = {.kind = IntentKind::select_cell},
                         .rows_only = finger && side < 28.0f,
                         .grid = {.rows = pane.live_rows,
                                  .columns = pane.live_columns,
                                  .origin = place.origin,
                                  .cell_width = layout.cell_width,
                                  .cell_height = layout.cell_height,
                                  .selected_row = stage.focus.row,
                                  .selected_column = stage.focus.column,
                                  .merge = merge,
                                  .heatmap = heatmap}});
}

}  // namespace

void view_pane(Context& context, const StageModel& stage, const PaneModel& pane, const PaneLayout& place) {
  const CellGrid grid = grid_of(context.layout, stage, pane, place);
  draw_head(context, pane, place.head);
  draw_merge_note(context, grid);
  draw_column_labels(context, stage, pane, place);
  draw_row_labels(context, stage, pane, place);
  const int heatmap = draw_cells(context, stage, pane, grid);
  draw_numbers(context, stage, grid);
  draw_changes(context, pane, grid);
  draw_outlines(context, stage, pane, grid);
  add_region(context, stage, pane, place, merge_of(grid, context.layout), heatmap);
}

}  // namespace attn::ui
