#include "ui/axis_labels.h"

#include <algorithm>
#include <cmath>

#include "ui/controls.h"

namespace attn::ui {
namespace {

constexpr float kChipWidth = 20.0f;
constexpr float kChipHeight = 18.0f;

struct AxisLook {
  bool chips = false;
  float chip_width = kChipWidth;
};

/// Chips when every token fits into its row or column.
AxisLook axis_look(Context& context, tape::Axis axis, int count, float width_room, float height_room) {
  AxisLook look;
  if (height_room < kChipHeight || width_room < kChipWidth) return look;
  const TextStyle style{.font = Font::mono500, .size = 12.0f};
  for (int i = 0; i < count; ++i) {
    const std::string text = context.subject.run.word_at(axis, i);
    if (text.empty()) return look;
    look.chip_width = std::max(look.chip_width, context.sketch.width(text, style) + 10.0f);
  }
  look.chips = look.chip_width <= width_room;
  return look;
}

bool is_poked(const Context& context, tape::Axis axis, int position) {
  return axis == tape::Axis::target && position == context.subject.run.twin->poked_position;
}

void index_label(Context& context, float x, float baseline, int index, bool selected, bool right) {
  const TextStyle style{.font = selected ? Font::mono600 : Font::mono400,
                        .size = 11.0f,
                        .colour = selected ? Colour::ink : Colour::ink3,
                        .tag = {.mark = Mark::axis_label, .row = index}};
  const std::string text = std::to_string(index);
  if (right)
    context.sketch.text_right(x, baseline, text, style);
  else
    context.sketch.text_centred(x, baseline, text, style);
}

float index_width(Context& context, int count) {
  return context.sketch.width(std::to_string(std::max(count - 1, 0)), {.font = Font::mono600, .size = 11.0f});
}

}  // namespace

std::vector<int> labelled_positions(int count, float pitch, float needed, int selected) {
  constexpr int kSteps[] = {1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1024};
  int step = 2048;
  for (int i = static_cast<int>(std::size(kSteps)); i-- > 0;)
    if (static_cast<float>(kSteps[i]) * pitch >= needed) step = kSteps[i];
  std::vector<int> positions;
  for (int i = 0; i < count; i += step) {
    const bool crowded =
        selected >= 0 && i != selected && std::fabs(static_cast<float>(i - selected)) * pitch < needed;
    if (!crowded) positions.push_back(i);
  }
  if (selected >= 0 && selected < count && selected % step != 0) positions.push_back(selected);
  return positions;
}

void draw_column_labels(Context& context, const StageModel& stage, const PaneModel& pane,
                        const PaneLayout& place) {
  const Layout& layout = context.layout;
  const float gap = gfx::cell_shape(layout.cell_width, layout.cell_height).gap;
  const AxisLook look =
      axis_look(context, stage.column_axis, pane.columns, layout.cell_width - 2.0f, kChipHeight);
  const auto centre = [&](int column) {
    return place.origin.x + static_cast<float>(column) * layout.cell_width + (layout.cell_width - gap) / 2.0f;
  };
  if (look.chips)
    for (int column = 0; column < pane.columns; ++column) {
      const ChipState state = column < pane.live_columns ? ChipState::written : ChipState::not_yet;
      token_chip(
          context,
          {centre(column) - look.chip_width / 2.0f, place.origin.y - 26.0f, look.chip_width, kChipHeight},
          context.subject.run.word_at(stage.column_axis, column), state,
          is_poked(context, stage.column_axis, column));
    }
  if (look.chips && !layout.column_index) return;
  const float baseline = place.origin.y - (look.chips ? 32.0f : 8.0f);
  const float needed = index_width(context, pane.columns) + 6.0f;
  float before = -needed;
  for (const int column : labelled_positions(pane.columns, layout.cell_width, needed, stage.focus.column)) {
    const float half = index_width(context, column + 1) / 2.0f;
    const float end = place.origin.x + static_cast<float>(pane.columns) * layout.cell_width;
    const float x = std::min(centre(column), end - half);
    // The last one, moved in from the edge, gives way to the one before.
    if (x < centre(column) && x - before < needed && column != stage.focus.column) continue;
    before = x;
    index_label(context, x, baseline, column, column == stage.focus.column, false);
  }
}

void draw_row_labels(Context& context, const StageModel& stage, const PaneModel& pane,
                     const PaneLayout& place) {
  const Layout& layout = context.layout;
  const bool training = pane.pane == Pane::training;
  if (!training && layout.size == Size::phone) return;
  const float gap = gfx::cell_shape(layout.cell_width, layout.cell_height).gap;
  const AxisLook look = axis_look(context, stage.row_axis, pane.rows, 24.0f, layout.cell_height);
  const auto centre = [&](int row) {
    return place.origin.y + static_cast<float>(row) * layout.cell_height + (layout.cell_height - gap) / 2.0f;
  };
  const float x = place.label_x;
  const float chip_right = layout.size == Size::phone ? x - 6.0f : x - 10.0f;
  if (look.chips)
    for (int row = 0; row < pane.rows; ++row) {
      const ChipState state = row < pane.live_rows ? ChipState::written : ChipState::not_yet;
      token_chip(
          context,
          {chip_right - look.chip_width, centre(row) - kChipHeight / 2.0f, look.chip_width, kChipHeight},
          context.subject.run.word_at(stage.row_axis, row), state, is_poked(context, stage.row_axis, row));
    }
  if (look.chips && !(training ? layout.row_index : layout.right_row_index)) return;
  const float right = look.chips ? chip_right - look.chip_width - 6.0f : x - 8.0f;
  for (const int row : labelled_positions(pane.rows, layout.cell_height, 13.0f, stage.focus.row))
    index_label(context, right, centre(row) + 4.0f, row, row == stage.focus.row, true);
}

}  // namespace attn::ui
