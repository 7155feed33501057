#include <algorithm>
#include <cmath>

#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/names.h"
#include "ui/topic_light.h"
#include "ui/view_blocks.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kLargestTile = 27.0f;
constexpr float kSmallestMarked = 8.0f;  // below, a struck mark would be a blot
constexpr float kSmallestName = 10.5f;   // text size of a row's name

/// Where one part of the map (attention or feed-forward) stands.
struct PartPlace {
  float x, y;  // of the row names' left end, of the first row's top
  float label_width;
  float group_width;  // pitch of the groups
  float tile_width;
  float row_height;
  int first_group, groups;
  bool layer_numbers;
};

const lessons::Run& run_of(const Context& context) { return context.subject.run; }

const tape::Label& label_of(const Context& context, const MapTile& tile) {
  return run_of(context).twin->differences[static_cast<std::size_t>(tile.difference)].label;
}

float label_width(const Sketch& sketch, const std::vector<tape::Site>& rows) {
  float width = 0.0f;
  for (const tape::Site site : rows)
    width = std::max(width, sketch.measure.width(row_name(site), Font::mono600, 12.0f));
  return width + 10.0f;
}

/// The headings of a part, all in the longest wording that fits each of them.
std::vector<std::string> group_headings(const Context& context, const PartPlace& part, float room,
                                        const TextStyle& style) {
  constexpr Word kLong[kMapGroups] = {Word::group_encoder_attention, Word::group_decoder_self,
                                      Word::group_decoder_cross, Word::group_encoder_feed_forward,
                                      Word::group_decoder_feed_forward};
  constexpr Word kShort[kMapGroups] = {Word::group_encoder_short, Word::group_self_short,
                                       Word::group_cross_short, Word::group_encoder_feed_forward_short,
                                       Word::group_decoder_feed_forward_short};
  std::vector<std::string> headings;
  for (const auto& words : {kLong, kShort}) {
    headings.clear();
    bool fits = true;
    for (int i = 0; i < part.groups; ++i) {
      headings.push_back(context.say(words[part.first_group + i]));
      fits = fits && context.sketch.width(headings.back(), style) <= room;
    }
    if (fits) return headings;
  }
  for (std::string& heading : headings) heading = context.sketch.fitted(heading, room, style);
  return headings;
}

void draw_group_headings(Context& context, const PartPlace& part, int layers) {
  const TextStyle style{.font = Font::ui500, .size = 12.0f, .colour = Colour::ink2};
  const auto headings = group_headings(context, part, part.group_width - 8.0f, style);
  for (int i = 0; i < part.groups; ++i) {
    const float x = part.x + part.label_width + static_cast<float>(i) * part.group_width;
    context.sketch.text(x, part.y - (part.layer_numbers ? 17.0f : 6.0f),
                        headings[static_cast<std::size_t>(i)], style);
    for (int layer = 0; layer < layers && part.layer_numbers; ++layer)
      context.sketch.text_centred(x + (static_cast<float>(layer) + 0.5f) * part.tile_width, part.y - 3.0f,
                                  std::to_string(layer + 1),
                                  {.font = Font::mono400, .size = 10.0f, .colour = Colour::ink3});
  }
}

void draw_row_names(Context& context, const PartPlace& part, const std::vector<tape::Site>& rows,
                    bool in_part) {
  const tape::Site shown = context.subject.focus.tensor.site;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float centre = part.y + (static_cast<float>(i) + 0.5f) * part.row_height;
    const bool selected = in_part && rows[i] == shown;
    const float size = std::clamp(std::floor(part.row_height - 1.0f), kSmallestName, 12.0f);
    const TextStyle style{.font = selected ? Font::mono600 : Font::mono400,
                          .size = size,
                          .colour = selected ? Colour::ink : Colour::ink2,
                          .tag = {.mark = Mark::map_row_name}};
    const std::string name = row_name(rows[i]);
    const float x = part.x + part.label_width - 10.0f - context.sketch.width(name, style);
    context.sketch.text(std::round(x), std::round(baseline_at(centre, size) - 0.5f), name, style);
  }
}

/// Equal as it was before the mask was switched, until this layer's turn has come.
bool shown_equal(const Context& context, const MapTile& tile) {
  const Motion& motion = context.view.motion;
  const auto index = static_cast<std::size_t>(tile.difference);
  const double turn = motion.mask_s + kMaskSwitch + kLayerDelay * tile.layer;
  if (motion.mask_s < 0.0 || context.now_s >= turn || index >= motion.equal_before.size()) return tile.equal;
  return motion.equal_before[index];
}

void draw_tile(Context& context, const MapTile& tile, const Rect& cell) {
  Sketch& sketch = context.sketch;
  const bool equal = shown_equal(context, tile);
  const Rect rect{cell.x + 0.5f, cell.y + 1.0f, cell.width - (cell.width >= 16.0f ? 2.0f : 1.0f),
                  cell.height - (cell.height >= 14.0f ? 2.0f : 1.0f)};
  sketch.add(BoxItem{.rect = rect,
                     .radius = cell.width >= 16.0f ? 3.0f : 2.0f,
                     .fill = equal ? Colour::equal_tile : Colour::different,
                     .tag = {Mark::map_tile, Pane::none, tile.difference, equal ? 0 : 1}});
  const float mark = std::min({8.5f, rect.width * 0.58f, rect.height * 0.75f});
  if (equal)
    draw_equal_mark(sketch, rect.centre(), mark, Colour::equal);
  else if (std::min(cell.width, cell.height) >= kSmallestMarked)
    draw_different_mark(sketch, rect.centre(), mark, Colour::on_different);
}

void draw_rings(Context& context, const MapTile& tile, const Rect& cell) {
  const tape::Label& label = label_of(context, tile);
  const Tag place{.row = tile.difference};
  const RegionId id = region_id(group_of(Group::map), tile.difference);
  if (is_hovered(context, id)) context.sketch.outline(grown(cell, 0.5f), Colour::ink3, 1.5f, 4.0f);
  if (run_of(context).twin->first_different == tile.difference) {
    // A flag at the upper left corner: here the difference begins.
    const float side = std::min(7.0f, cell.height * 0.6f);
    context.sketch.add(TriangleItem{.a = {cell.x - 1.0f, cell.y},
                                    .b = {cell.x - 1.0f + side, cell.y},
                                    .c = {cell.x - 1.0f, cell.y + side},
                                    .fill = Colour::ink,
                                    .tag = {Mark::first_different, Pane::none, tile.difference, -1}});
  }
  if (!(label == context.subject.focus.tensor)) return;
  context.sketch.outline({cell.x - 1.5f, cell.y - 1.0f, cell.width + 2.0f, cell.height + 2.0f}, Colour::ink,
                         2.0f, 4.0f, {Mark::map_ring, Pane::none, place.row, -1});
}

void add_tile_region(Context& context, const MapTile& tile, const Rect& cell) {
  const tape::Label& label = label_of(context, tile);
  context.sketch.region({.id = region_id(group_of(Group::map), tile.difference),
                         .group = group_of(Group::map),
                         .role = RegionRole::option,
                         .rect = cell,
                         .visual = cell,
                         .radius = 3.0f,
                         .label = short_title(label, context.language()),
                         .intent = {.kind = IntentKind::focus_tensor, .label = label},
                         .selected = label == context.subject.focus.tensor});
}

void draw_part(Context& context, const MapModel& map, const PartPlace& part) {
  const bool attention = part.first_group == 0;
  draw_group_headings(context, part, map.layers);
  const tape::Block block = context.subject.focus.tensor.block;
  const bool shown_here =
      attention == (block == tape::Block::self_attention || block == tape::Block::cross_attention);
  draw_row_names(context, part, attention ? map.attention_rows : map.feed_forward_rows, shown_here);
  const auto cell_of = [&](const MapTile& tile) {
    return Rect{part.x + part.label_width +
                    static_cast<float>(tile.group - part.first_group) * part.group_width +
                    static_cast<float>(tile.layer) * part.tile_width,
                part.y + static_cast<float>(tile.row) * part.row_height, part.tile_width, part.row_height};
  };
  const auto in_part = [&](const MapTile& tile) {
    return tile.group >= part.first_group && tile.group < part.first_group + part.groups;
  };
  for (const MapTile& tile : map.tiles)
    if (in_part(tile)) {
      draw_tile(context, tile, cell_of(tile));
      add_tile_region(context, tile, cell_of(tile));
    }
  for (const MapTile& tile : map.tiles)
    if (in_part(tile)) draw_rings(context, tile, cell_of(tile));
  const lessons::Topic lit = topic_light(context.subject, context.view).blocks;
  for (const MapTile& tile : map.tiles) {
    const tape::Label& label = label_of(context, tile);
    if (!in_part(tile) || !lit.covers(topic_of(label))) continue;
    Rect tiles = cell_of(tile);
    // One outline for the layers of a row, drawn with the first of them.
    if (lit.layer < 0 && !tile.outside) {
      if (tile.layer > 0) continue;
      tiles.width *= static_cast<float>(map.layers);
    }
    context.sketch.outline(grown(tiles, 1.0f), colour_of_role(topic_of(label).role), 2.0f, 4.0f,
                           {Mark::lit_block, Pane::none, tile.difference, -1});
  }
}

}  // namespace

void view_map_tiles(Context& context, const MapModel& map, const Rect& area, float row_height, bool stacked) {
  const float first_label = label_width(context.sketch, map.attention_rows);
  const float second_label = label_width(context.sketch, map.feed_forward_rows);
  const auto layers = static_cast<float>(map.layers);
  const float heading = stacked ? kMapGroupHeading : kMapNumberedHeading;
  PartPlace first{area.x, area.y + heading, first_label, 0, 0, row_height, 0, 3, !stacked};
  PartPlace second{area.x, first.y, second_label, 0, 0, row_height, 3, 2, !stacked};
  if (stacked) {
    first.label_width = second.label_width = std::max(first_label, second_label);
    first.group_width = (area.width - first.label_width + 10.0f) / 3.0f;
    second.group_width = first.group_width;
    second.y = first.y + static_cast<float>(map.attention_rows.size()) * row_height + heading;
  } else {
    first.group_width = (area.width - first_label - second_label - 14.0f + 10.0f) / 5.0f;
    second.group_width = first.group_width;
    second.x = area.x + first_label + 3.0f * first.group_width + 14.0f;
  }
  first.tile_width = std::min(kLargestTile, std::floor((first.group_width - 10.0f) / layers * 2.0f) / 2.0f);
  second.tile_width = first.tile_width;
  draw_part(context, map, first);
  draw_part(context, map, second);
}

}  // namespace attn::ui
