#include <algorithm>

#include "ui/card.h"
#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/names.h"
#include "ui/narration_text.h"
#include "ui/views.h"

namespace attn::ui {
void begin_card(Context& context, const Rect& card, const std::string& title) {
  Sketch& sketch = context.sketch;
  const Rect all{0.0f, 0.0f, context.layout.width, context.layout.height};
  if (context.view.card != Card::term)
    sketch.add(BoxItem{.rect = all, .fill = Colour::veil, .opacity = kVeilOpacity});
  sketch.region({.id = card_id(kBackdrop),
                 .group = group_of(Group::card),
                 .role = RegionRole::backdrop,
                 .rect = all,
                 .visual = all,
                 .label = context.say(Word::close),
                 .intent = {.kind = IntentKind::clear}});
  sketch.framed(card, Colour::surface, Colour::line2, 10.0f);
  sketch.region({.id = card_id(kFace),
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

namespace {

void draw_settings_card(Context& context) {
  const Layout& layout = context.layout;
  const bool finger = layout.touch || layout.size == Size::phone;
  float height = 64.0f + (finger ? 68.0f : 60.0f);
  for (const lessons::Parameter& parameter : context.subject.lesson.parameters) {
    using enum lessons::ParameterPlace;
    if (parameter.place != model && parameter.place != map) continue;
    height += setting_pitch(layout, parameter.kind == lessons::ParameterKind::toggle);
  }
  Rect card = centred_card(layout, 320.0f, height);
  if (layout.size == Size::embed) card.x = layout.width - card.width - 24.0f;
  if (layout.size == Size::desktop) card.x = layout.rail.width - 12.0f;
  card.y = layout.size == Size::desktop ? layout.height - card.height - 40.0f
                                        : std::min(56.0f, layout.height - card.height - 8.0f);
  begin_card(context, card, context.say(Word::settings));
  const float y = view_settings(context, {card.x + 20.0f, card.y + 56.0f}, card.width - 40.0f, true);
  const float side = finger ? 44.0f : 36.0f;
  float x = card.x + 20.0f;
  const auto icon = [&](Icon picture, int part, Word word, IntentKind kind, bool enabled = true) {
    icon_button(context, {x, y + 6.0f, side, side}, picture, card_id(part), word, {.kind = kind},
                {.enabled = enabled});
    x += side + 8.0f;
  };
  icon(Icon::undo, kUndo, Word::undo, IntentKind::undo, context.subject.can_undo);
  icon(Icon::redo, kRedo, Word::redo, IntentKind::redo, context.subject.can_redo);
  if (!finger) icon(Icon::keys, kKeys, Word::help, IntentKind::toggle_help);
  const Icon restart = Icon::restart;
  text_button(context, {x, y + 6.0f, card.right() - 20.0f - x, side}, context.say(Word::reset), &restart,
              card_id(kReset), {.kind = IntentKind::reset}, {.enabled = context.subject.changed});
}

/// Where there is no rail.
void draw_lessons_card(Context& context) {
  const int count = static_cast<int>(context.subject.lessons.size());
  const int columns = context.layout.size == Size::phone ? 1 : 2;
  const int rows = (count + columns - 1) / columns;
  const Rect card =
      centred_card(context.layout, columns == 1 ? 340.0f : 520.0f, 68.0f + 44.0f * static_cast<float>(rows));
  begin_card(context, card, context.say(Word::lessons));
  const float pitch = (card.height - 68.0f) / static_cast<float>(std::max(rows, 1));
  const float width = (card.width - 24.0f) / static_cast<float>(columns);
  for (int i = 0; i < count; ++i)
    draw_lesson_item(context, i,
                     {card.x + 12.0f + width * static_cast<float>(i / rows),
                      card.y + 54.0f + pitch * static_cast<float>(i % rows), width - 2.0f, pitch - 2.0f},
                     group_of(Group::card), kFirstItem + i);
}

void draw_help_card(Context& context) {
  struct Line {
    const char* keys;
    Word what;
  };
  constexpr Line kLines[] = {{"← →", Word::help_step},
                             {"Space", Word::help_forward},
                             {"P", Word::help_play},
                             {"Home End", Word::help_ends},
                             {"Tab", Word::help_groups},
                             {"← ↑ ↓ →", Word::help_cells},
                             {"0 … 9", Word::help_digits},
                             {"Esc", Word::help_clear},
                             {"Ctrl+Z  Ctrl+Shift+Z", Word::help_undo},
                             {"R", Word::reset}};
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

}  // namespace

void view_card(Context& context) {
  context.sketch.scene.layer = 1;
  switch (context.view.card) {
    case Card::none:
    case Card::tensors:
      break;
    case Card::settings:
      draw_settings_card(context);
      break;
    case Card::help:
      draw_help_card(context);
      break;
    case Card::lessons:
      draw_lessons_card(context);
      break;
    case Card::narration:
      draw_narration_card(context);
      break;
    case Card::term:
      draw_term_card(context);
      break;
  }
  context.sketch.scene.layer = 0;
}

void view_error(Context& context, const std::string& message) {
  const Layout& layout = context.layout;
  const bool wide = layout.content.width >= 560.0f;  // the button has room beside the words
  const float height = wide ? 76.0f : 136.0f;
  const float top = layout.inspector.empty() ? layout.board.bottom() - height : layout.inspector.y;
  const float lowest = (layout.tokens.empty() ? layout.transport : layout.tokens).y - 8.0f - height;
  const Rect area{layout.content.x, std::min(top, lowest), layout.content.width, height};
  Sketch& sketch = context.sketch;
  sketch.framed(area, Colour::page, Colour::line, 10.0f);
  const float width = sketch.width(context.say(Word::retry), {.font = Font::ui600, .size = 13.0f}) + 40.0f;
  const float words = area.width - 40.0f - (wide ? width + 20.0f : 0.0f);
  draw_different_mark(sketch, {area.x + 28.0f, area.y + 30.0f}, 14.0f, Colour::different);
  sketch.text(area.x + 44.0f, area.y + 35.0f, context.say(Word::error_title),
              {.font = Font::ui600, .size = 13.0f});
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  sketch.text(area.x + 20.0f, area.y + 58.0f, sketch.fitted(message, words, body), body);
  const Rect button = wide ? Rect{area.right() - 20.0f - width, area.y + 20.0f, width, 36.0f}
                           : Rect{area.x + 20.0f, area.y + 84.0f, width, 36.0f};
  text_button(context, button, context.say(Word::retry), nullptr, region_id(group_of(Group::inspector), 200),
              {.kind = IntentKind::reset}, {.primary = true});
}

}  // namespace attn::ui
