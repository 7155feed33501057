#include <algorithm>

#include "ui/card.h"
#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/names.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

void draw_tensor_button(Context& context, const MapTile& tile, const Rect& rect) {
  Sketch& sketch = context.sketch;
  const tape::Label& label =
      context.subject.run.twin->differences[static_cast<std::size_t>(tile.difference)].label;
  const RegionId id = card_id(kFirstItem + tile.difference);
  const bool selected = label == context.subject.focus.tensor;
  const Colour text = tile.equal ? Colour::ink2 : Colour::on_different;
  sketch.add(BoxItem{.rect = rect,
                     .radius = 8.0f,
                     .fill = tile.equal ? Colour::equal_tile : Colour::different,
                     .tag = {Mark::map_tile, Pane::none, tile.difference, tile.equal ? 0 : 1}});
  if (selected)
    sketch.outline(grown(rect, 2.0f), Colour::ink, 2.0f, 10.0f,
                   {Mark::map_ring, Pane::none, tile.difference, -1});
  const TextStyle style{.font = selected ? Font::mono600 : Font::mono400, .size = 12.0f, .colour = text};
  sketch.text(rect.x + 10.0f, baseline_at(rect.centre().y, 12.0f),
              sketch.fitted(row_name(label.site), rect.width - 34.0f, style), style);
  const Point mark{rect.right() - 14.0f, rect.centre().y};
  if (tile.equal)
    draw_equal_mark(sketch, mark, 9.0f, Colour::equal);
  else
    draw_different_mark(sketch, mark, 9.0f, Colour::on_different);
  sketch.region({.id = id,
                 .group = group_of(Group::card),
                 .role = RegionRole::option,
                 .rect = grown(rect, 2.0f),
                 .visual = rect,
                 .radius = 8.0f,
                 .label = short_title(label, context.language()),
                 .intent = {.kind = IntentKind::focus_tensor, .label = label},
                 .selected = selected});
}

/// What a layer's card shows under one heading.
struct TensorGroup {
  Word heading;
  std::vector<const MapTile*> tiles;
};

/// The tensors of the card's layer by block, and after them what its stack has outside the layers.
std::vector<TensorGroup> tensor_groups(const Context& context, const MapModel& map) {
  const bool decoder = context.view.card_decoder;
  std::vector<TensorGroup> groups{{Word::self_attention, {}},
                                  {Word::cross_attention, {}},
                                  {Word::feed_forward, {}},
                                  {decoder ? Word::decoder : Word::encoder, {}}};
  for (const MapTile& tile : map.tiles) {
    const tape::Label& label =
        context.subject.run.twin->differences[static_cast<std::size_t>(tile.difference)].label;
    if ((label.stack == tape::Stack::decoder) != decoder) continue;
    if (label.layer < 0)
      groups[3].tiles.push_back(&tile);
    else if (label.layer == context.view.card_layer && label.block == tape::Block::self_attention)
      groups[0].tiles.push_back(&tile);
    else if (label.layer == context.view.card_layer && label.block == tape::Block::cross_attention)
      groups[1].tiles.push_back(&tile);
    else if (label.layer == context.view.card_layer)
      groups[2].tiles.push_back(&tile);
  }
  std::erase_if(groups, [](const TensorGroup& group) { return group.tiles.empty(); });
  return groups;
}

/// On a phone, where the map's tiles would be too small for a finger.
void draw_layer_card(Context& context, const MapModel& map) {
  constexpr float kHeading = 26.0f;
  constexpr std::size_t kColumns = 3;
  const std::vector<TensorGroup> groups = tensor_groups(context, map);
  const auto rows_of = [](const TensorGroup& group) {
    return static_cast<float>((group.tiles.size() + kColumns - 1) / kColumns);
  };
  float rows = 0.0f;
  for (const TensorGroup& group : groups) rows += rows_of(group);
  const float fixed = 70.0f + (kHeading + 2.0f) * static_cast<float>(groups.size());
  const Rect card = centred_card(context.layout, 380.0f, fixed + 44.0f * rows);
  const float row_pitch = (card.height - fixed) / std::max(rows, 1.0f);  // 44, less in a low window
  const Word title = context.view.card_decoder ? Word::layer_of_decoder : Word::layer_of_encoder;
  begin_card(context, card, phrase(context.say(title), context.view.card_layer + 1));
  float y = card.y + 54.0f;
  const float pitch = (card.width - 32.0f + 8.0f) / static_cast<float>(kColumns);
  for (const TensorGroup& group : groups) {
    context.sketch.text(card.x + 16.0f, y + 16.0f, context.say(group.heading),
                        {.font = Font::ui500, .size = 12.0f, .colour = Colour::ink3});
    y += kHeading;
    for (std::size_t i = 0; i < group.tiles.size(); ++i)
      draw_tensor_button(context, *group.tiles[i],
                         {card.x + 16.0f + static_cast<float>(i % kColumns) * pitch,
                          y + static_cast<float>(i / kColumns) * row_pitch, pitch - 8.0f, row_pitch - 4.0f});
    y += row_pitch * rows_of(group) + 2.0f;
  }
}

void draw_map_card(Context& context, const MapModel& map) {
  const auto rows = static_cast<float>(map.attention_rows.size() + map.feed_forward_rows.size());
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float wanted = finger ? 26.0f : 18.0f;
  const Rect card =
      centred_card(context.layout, 460.0f, 60.0f + 2.0f * kMapGroupHeading + rows * wanted + 20.0f);
  const float row = std::min(wanted, (card.height - 60.0f - 2.0f * kMapGroupHeading - 20.0f) / rows);
  const std::string count = phrase(context.say(Word::equal_count), map.equal, map.total());
  begin_card(context, card, context.say(Word::tensors));
  context.sketch.text_right(card.right() - 56.0f, card.y + 31.0f, count,
                            {.font = Font::ui600,
                             .size = 13.0f,
                             .colour = map.equal == map.total() ? Colour::equal : Colour::different,
                             .tag = {.mark = Mark::equal_count}});
  view_map_tiles(context, map, {card.x + 16.0f, card.y + 54.0f, card.width - 32.0f, card.height - 70.0f}, row,
                 true);
}

}  // namespace

void view_tensors_card(Context& context, const MapModel& map) {
  if (context.view.card != Card::tensors) return;
  context.sketch.scene.layer = 1;
  if (context.view.card_layer >= 0)
    draw_layer_card(context, map);
  else
    draw_map_card(context, map);
  context.sketch.scene.layer = 0;
}

}  // namespace attn::ui
