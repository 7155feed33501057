#include <algorithm>

#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/names.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

enum CardPart : int { kBackdrop, kClose, kReset, kUndo, kRedo, kFirstTensor = 64 };

RegionId card_id(int part) { return region_id(group_of(Group::card), part); }

/// The card's face with title and close button; what lies under it is veiled and a click there closes it.
void begin_card(Context& context, const Rect& card, const std::string& title) {
  Sketch& sketch = context.sketch;
  const Rect all{0.0f, 0.0f, context.layout.width, context.layout.height};
  sketch.add(BoxItem{.rect = all, .fill = Colour::veil, .opacity = kVeilOpacity});
  sketch.region({.id = card_id(kBackdrop),
                 .group = group_of(Group::card),
                 .role = RegionRole::backdrop,
                 .rect = all,
                 .visual = all,
                 .label = context.say(Word::close),
                 .intent = {.kind = IntentKind::clear}});
  sketch.framed(card, Colour::surface, Colour::line2, 10.0f);
  sketch.region({.id = card_id(kBackdrop + 32),
                 .group = group_of(Group::card),
                 .role = RegionRole::backdrop,
                 .rect = card,
                 .visual = card});
  sketch.text(card.x + 20.0f, card.y + 31.0f, title, {.font = Font::ui600, .size = 15.0f});
  icon_button(context, {card.right() - 48.0f, card.y + 4.0f, 44.0f, 44.0f}, Icon::close, card_id(kClose),
              Word::close, {.kind = IntentKind::clear}, {.frameless = true});
}

Rect centred_card(const Layout& layout, float width, float height) {
  const float w = std::min(width, layout.width - 24.0f);
  const float h = std::min(height, layout.height - 24.0f);
  return {(layout.width - w) / 2.0f, (layout.height - h) / 2.0f, w, h};
}

void draw_settings_card(Context& context) {
  const Layout& layout = context.layout;
  const bool finger = layout.touch || layout.size == Size::phone;
  const int settings = parameters_at(context.subject.lesson, lessons::ParameterPlace::model) +
                       parameters_at(context.subject.lesson, lessons::ParameterPlace::map);
  const float pitch = finger ? 68.0f : 58.0f;
  const float height = 64.0f + pitch * static_cast<float>(settings) + 60.0f;
  Rect card = centred_card(layout, 320.0f, height);
  if (layout.size == Size::embed) card.x = layout.width - card.width - 24.0f;
  if (layout.size == Size::desktop) card.x = layout.rail.width - 12.0f;
  card.y = layout.size == Size::desktop ? layout.height - card.height - 40.0f
                                        : std::min(56.0f, layout.height - card.height - 8.0f);
  begin_card(context, card, context.say(Word::settings));
  const float y = view_settings(context, {card.x + 20.0f, card.y + 56.0f}, card.width - 40.0f, true);
  const Icon undo = Icon::undo;
  const float width = (card.width - 40.0f - 8.0f) / 2.0f;
  text_button(context, {card.x + 20.0f, y + 6.0f, width, 36.0f}, context.say(Word::undo), &undo,
              card_id(kUndo), {.kind = IntentKind::undo}, {.enabled = context.subject.can_undo});
  text_button(context, {card.x + 28.0f + width, y + 6.0f, width, 36.0f}, context.say(Word::reset), nullptr,
              card_id(kReset), {.kind = IntentKind::reset});
}

void draw_help_card(Context& context) {
  struct Line {
    const char* keys;
    Word what;
  };
  constexpr Line kLines[] = {{"← →", Word::help_step},   {"Space", Word::help_forward},
                             {"P", Word::help_play},     {"Home End", Word::help_ends},
                             {"Tab", Word::help_groups}, {"← ↑ ↓ →", Word::help_cells},
                             {"Esc", Word::help_clear},  {"Ctrl+Z  Ctrl+Shift+Z", Word::help_undo}};
  const float height = 72.0f + 32.0f * static_cast<float>(std::size(kLines));
  const Rect card = centred_card(context.layout, 420.0f, height);
  begin_card(context, card, context.say(Word::help_title));
  float y = card.y + 78.0f;
  for (const Line& line : kLines) {
    const TextStyle keys{.font = Font::mono500, .size = 12.0f};
    const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
    const float right = context.sketch.text_right(card.right() - 20.0f, y, line.keys, keys);
    const std::string what = context.sketch.fitted(context.say(line.what), right - card.x - 32.0f, body);
    context.sketch.text(card.x + 20.0f, y, what, body);
    y += 32.0f;
  }
}

void draw_tensor_button(Context& context, const MapTile& tile, const Rect& rect) {
  Sketch& sketch = context.sketch;
  const tape::Label& label =
      context.subject.run.twin->differences[static_cast<std::size_t>(tile.difference)].label;
  const RegionId id = card_id(kFirstTensor + tile.difference);
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

void view_cards(Context& context, const MapModel& map) {
  if (context.view.card == Card::none) return;
  context.sketch.scene.layer = 1;
  switch (context.view.card) {
    case Card::none:
      break;
    case Card::settings:
      draw_settings_card(context);
      break;
    case Card::help:
      draw_help_card(context);
      break;
    case Card::tensors:
      if (context.view.card_layer >= 0)
        draw_layer_card(context, map);
      else
        draw_map_card(context, map);
      break;
  }
  context.sketch.scene.layer = 0;
}

void view_error(Context& context, const Rect& area, const std::string& message) {
  Sketch& sketch = context.sketch;
  sketch.framed(area, Colour::page, Colour::line, 10.0f);
  draw_different_mark(sketch, {area.x + 28.0f, area.y + 30.0f}, 14.0f, Colour::different);
  sketch.text(area.x + 44.0f, area.y + 35.0f, context.say(Word::error_title),
              {.font = Font::ui600, .size = 13.0f});
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  sketch.text(area.x + 20.0f, area.y + 62.0f, sketch.fitted(message, area.width - 40.0f, body), body);
  const TextStyle button{.font = Font::ui600, .size = 13.0f};
  const float width = sketch.width(context.say(Word::retry), button) + 40.0f;
  text_button(context, {area.x + 20.0f, area.y + 84.0f, width, 36.0f}, context.say(Word::retry), nullptr,
              region_id(group_of(Group::inspector), 200), {.kind = IntentKind::reset}, {.primary = true});
}

}  // namespace attn::ui
