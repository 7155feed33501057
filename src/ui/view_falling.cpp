// Weights as arcs that fall from the words of the keys, each over a strip of its row, to the tokens that the
// queries write.
#include <algorithm>
#include <cmath>

#include "ui/cell_grid.h"
#include "ui/controls.h"
#include "ui/view_blocks.h"
#include "ui/view_board.h"

namespace attn::ui {
namespace {

constexpr float kLargestWord = 22.0f;
constexpr float kSmallestWord = 11.0f;
constexpr float kWordGap = 10.0f;
constexpr float kWordHeight = 30.0f;
constexpr float kStrip = 16.0f;  // its height
constexpr float kMostStrip = 96.0f;
constexpr float kLargestChip = 56.0f;
constexpr float kChipGap = 8.0f;
constexpr float kThickest = 11.0f;  // arc of weight 1 of the chosen row
constexpr float kThickestPast = 3.0f;
constexpr float kThinnest = 1.0f;
constexpr float kLeastArc = 0.01f;   // weights below it have no arc
constexpr float kLeastPast = 0.15f;  // of rows written before

/// Where the parts stand.
struct Fall {
  Rect body;
  int keys = 1;
  int queries = 1;
  float word_size = kLargestWord;
  float chip = kLargestChip;  // side

  float key_pitch() const { return body.width / static_cast<float>(keys); }
  float key_x(int key) const { return body.x + (static_cast<float>(key) + 0.5f) * key_pitch(); }
  float strip_bottom() const { return body.y + kWordHeight + kStrip; }
  Rect chip_of(int query) const {
    const float pitch = std::min(body.width / static_cast<float>(queries), kLargestChip + 2.0f * kChipGap);
    const float left = body.x + (body.width - pitch * static_cast<float>(queries)) / 2.0f;
    return {left + (static_cast<float>(query) + 0.5f) * pitch - chip / 2.0f, body.bottom() - chip, chip,
            chip};
  }
};

Fall fall_of(const Context& context, const BlockModel& block, const Rect& body) {
  Fall fall{.body = body, .keys = block.plane.columns, .queries = block.plane.rows};
  const TextStyle style{.font = Font::ui500, .size = kLargestWord};
  for (int key = 0; key < fall.keys; ++key)
    fall.word_size = std::min(
        fall.word_size, context.sketch.size_that_fits(context.subject.run.word_at(block.axes.columns, key),
                                                      fall.key_pitch() - kWordGap, style, kSmallestWord));
  fall.chip = std::min(kLargestChip, body.width / static_cast<float>(fall.queries) - 4.0f);
  return fall;
}

void draw_keys(Context& context, const BlockModel& block, int index, const Fall& fall, int chosen) {
  const lessons::Run& run = context.subject.run;
  const core::TensorView rows = run.tape().tensor(block.block->keys);
  const int width = rows.shape[-1];
  float range = 1e-6f;
  for (const float value : rows.flat()) range = std::max(range, std::fabs(value));
  const std::vector<gfx::CellState> states(static_cast<std::size_t>(width), gfx::CellState::value);
  const float across = std::min(kMostStrip, fall.key_pitch() - kWordGap);
  for (int key = 0; key < fall.keys; ++key) {
    const float x = fall.key_x(key);
    // More than its share of the chosen row.
    const bool lit =
        chosen >= 0 && block.values[block.at(chosen, key)] * static_cast<float>(fall.keys) > 1.0f;
    const TextStyle style{.font = Font::ui500,
                          .size = fall.word_size,
                          .colour = lit ? Colour::memory : Colour::ink,
                          .tag = {Mark::axis_label, Pane::none, -1, key}};
    context.sketch.text_centred(
        x, fall.body.y + 20.0f,
        context.sketch.fitted(run.word_at(block.axes.columns, key), fall.key_pitch() - 2.0f, style), style);
    const auto begin = static_cast<std::size_t>(key) * static_cast<std::size_t>(width);
    HeatmapItem strip = heatmap_of({.origin = {x - across / 2.0f, fall.body.y + kWordHeight},
                                    .cell_width = across / static_cast<float>(width),
                                    .cell_height = kStrip,
                                    .rows = 1,
                                    .columns = width,
                                    .values = rows.flat().subspan(begin, static_cast<std::size_t>(width)),
                                    .states = states,
                                    .range = range},
                                   context.theme);
    strip.label = block.block->keys;
    context.sketch.add(std::move(strip));
    if (chosen < 0) continue;
    const Rect area{x - fall.key_pitch() / 2.0f, fall.body.y, fall.key_pitch(), kWordHeight + kStrip};
    context.sketch.region(
        {.id = region_id(group_of(Group::blocks, index), fall.queries + key),
         .group = group_of(Group::blocks, index),
         .rect = area,
         .visual = area,
         .label = run.word_at(block.axes.columns, key),
         .intent = {
             .kind = IntentKind::select_cell, .row = chosen, .column = key, .label = block.block->tensor}});
  }
}

void draw_arcs_of(Context& context, const BlockModel& block, const Fall& fall, int row, bool live) {
  const Rect chip = fall.chip_of(row);
  for (int key = 0; key < fall.keys; ++key) {
    const float weight = block.values[block.at(row, key)];
    if (!(weight > (live ? kLeastArc : kLeastPast))) continue;
    const Point from{fall.key_x(key), fall.strip_bottom() + 6.0f};
    const Point to{chip.centre().x, chip.y - 5.0f};
    const float bend = (to.y - from.y) * 0.55f;
    context.sketch.add(BezierItem{.a = from,
                                  .b = {from.x, from.y + bend},
                                  .c = {to.x, to.y - bend},
                                  .d = to,
                                  .colour = live ? Colour::memory : Colour::line,
                                  .width = kThinnest + weight * (live ? kThickest : kThickestPast),
                                  .tag = {Mark::falling_arc, Pane::none, row, key},
                                  .end = live ? Colour::query : Colour::none});
  }
}

void draw_queries(Context& context, const BlockModel& block, int index, const Fall& fall, int chosen) {
  for (int row = 0; row < fall.queries; ++row) {
    const bool to_come = block.block->written && chosen >= 0 && row > chosen;
    const ChipState state = row == chosen ? ChipState::current
                            : to_come     ? ChipState::not_yet
                                          : ChipState::written;
    const RegionId id = region_id(group_of(Group::blocks, index), row);
    const Rect chip = fall.chip_of(row);
    const std::string word = context.subject.run.word_at(block.axes.rows, row);
    if (is_hovered(context, id)) context.sketch.outline(grown(chip, 2.0f), Colour::ink3, 1.5f, 10.0f);
    token_chip(context, chip, to_come ? "" : word, state, false);
    context.sketch.region({.id = id,
                           .group = group_of(Group::blocks, index),
                           .role = RegionRole::option,
                           .rect = hit_area(context, chip),
                           .visual = chip,
                           .radius = 8.0f,
                           .label = to_come ? std::to_string(row) : word,
                           .intent = {.kind = IntentKind::choose_token, .value = row},
                           .selected = row == chosen});
  }
}

}  // namespace

void draw_falling(Context& context, const BoardModel& board, const BlockModel& block, int index,
                  const BlockPlace& place) {
  const Fall fall = fall_of(context, block, place.body);
  const int chosen = board.target_row < fall.queries ? board.target_row : -1;
  const int last = chosen >= 0 && block.block->written ? chosen : fall.queries - 1;
  for (int row = 0; row <= last; ++row)
    if (row != chosen) draw_arcs_of(context, block, fall, row, chosen < 0);
  if (chosen >= 0) draw_arcs_of(context, block, fall, chosen, true);
  draw_keys(context, block, index, fall, chosen);
  draw_queries(context, block, index, fall, chosen);
}

}  // namespace attn::ui
