#include <algorithm>

#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/names.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kListTop = 84.0f;

enum HeadBarPart : int { kList, kSettings, kLanguage, kTheme, kKeys, kUndo, kRedo, kReset };

RegionId bar_id(int part) { return region_id(group_of(Group::head_bar), part); }

Intent other_language(const Context& context) {
  const int other = context.language() == lessons::Language::zh ? 1 : 0;
  return {.kind = IntentKind::set_language, .value = other};
}

}  // namespace

void draw_lesson_item(Context& context, int index, const Rect& rect, GroupId group, int part) {
  Sketch& sketch = context.sketch;
  const lessons::Lesson& lesson = *context.subject.lessons[static_cast<std::size_t>(index)];
  const bool current = &lesson == &context.subject.lesson;
  const RegionId id = region_id(group, part);
  if (current)
    sketch.framed(rect, Colour::surface, Colour::line2, 8.0f);
  else if (is_hovered(context, id))
    sketch.box(rect, Colour::sunken, 8.0f);
  const float x = rect.x + 14.0f;
  sketch.text(x, baseline_at(rect.centre().y, 11.0f) + 0.5f, std::to_string(index + 1),
              {.font = Font::mono400, .size = 11.0f, .colour = current ? Colour::ink : Colour::ink3});
  TextStyle style{.font = current ? Font::ui600 : Font::ui400,
                  .size = 13.0f,
                  .colour = current ? Colour::ink : Colour::ink2};
  const float room = rect.right() - x - 22.0f - 6.0f;
  const std::string title = lesson.short_title.in(context.language());
  style.size = sketch.size_that_fits(title, room, style, 11.0f);
  sketch.text(x + 22.0f, baseline_at(rect.centre().y, 13.0f), sketch.fitted(title, room, style), style);
  sketch.region({.id = id,
                 .group = group,
                 .role = RegionRole::option,
                 .rect = rect,
                 .visual = rect,
                 .radius = 8.0f,
                 .label = lesson.title.in(context.language()),
                 .intent = {.kind = IntentKind::open_lesson, .value = index},
                 .selected = current});
}

namespace {

/// What changes the lesson back and forth, and the keys.
void draw_history(Context& context, float y) {
  const Rect& rail = context.layout.rail;
  const float pitch = context.layout.touch ? 44.0f : 34.0f;
  const auto icon = [&](float x, Icon picture, int part, Word word, IntentKind kind, bool enabled = true) {
    icon_button(context, {x, y, 28.0f, 28.0f}, picture, bar_id(part), word, {.kind = kind},
                {.enabled = enabled, .frameless = true});
  };
  icon(20.0f, Icon::undo, kUndo, Word::undo, IntentKind::undo, context.subject.can_undo);
  icon(20.0f + pitch, Icon::redo, kRedo, Word::redo, IntentKind::redo, context.subject.can_redo);
  icon(20.0f + 2.0f * pitch, Icon::restart, kReset, Word::reset, IntentKind::reset, context.subject.changed);
  if (!context.layout.touch)
    icon(rail.right() - 52.0f, Icon::keys, kKeys, Word::help, IntentKind::toggle_help);
}

void draw_rail_foot(Context& context) {
  const Rect& rail = context.layout.rail;
  draw_history(context, rail.bottom() - 52.0f - foot_pitch(context.layout));
  const float y = rail.bottom() - 52.0f;
  const int now = context.language() == lessons::Language::zh ? 0 : 1;
  const Option options[] = {
      {context.say(Word::language_zh), {.kind = IntentKind::set_language, .value = 0}, now == 0},
      {context.say(Word::language_en), {.kind = IntentKind::set_language, .value = 1}, now == 1}};
  segmented(context, {20.0f, y, 92.0f, 28.0f}, options, group_of(Group::parameters, 30),
            context.say(Word::language), Font::ui400, 12.0f);
  icon_button(context, {rail.right() - 52.0f, y, 28.0f, 28.0f}, Icon::theme, bar_id(kTheme), Word::theme,
              {.kind = IntentKind::toggle_theme}, {.frameless = true});
}

}  // namespace

void view_rail(Context& context) {
  const Rect& rail = context.layout.rail;
  if (rail.empty()) return;
  Sketch& sketch = context.sketch;
  sketch.box(rail, Colour::page);
  sketch.line({rail.right() - 0.5f, 0.0f}, {rail.right() - 0.5f, rail.bottom()}, Colour::line);
  draw_brand(sketch, {24.0f, 34.0f});
  sketch.text(54.0f, 36.0f, context.say(Word::brand_first), {.font = Font::ui600, .size = 15.0f});
  sketch.text(54.0f, 53.0f, context.say(Word::brand_second), {.size = 15.0f, .colour = Colour::ink2});
  const int lessons = static_cast<int>(context.subject.lessons.size());
  const float pitch = context.layout.rail_pitch;
  for (int i = 0; i < lessons; ++i)
    draw_lesson_item(context, i,
                     {12.0f, kListTop + pitch * static_cast<float>(i), rail.width - 24.0f, pitch - 2.0f},
                     group_of(Group::rail), i);

  if (!context.layout.settings.empty()) {
    const Rect& settings = context.layout.settings;
    sketch.line({settings.x, settings.y - 2.0f}, {settings.right(), settings.y - 2.0f}, Colour::line);
    view_settings(context, {settings.x, settings.y + 12.0f}, settings.width, false);
  } else if (parameters_at(context.subject.lesson, lessons::ParameterPlace::model) > 0) {
    const Icon icon = Icon::settings;
    text_button(context,
                {20.0f, rail.bottom() - 98.0f - foot_pitch(context.layout), rail.width - 40.0f, 34.0f},
                context.say(Word::settings), &icon, bar_id(kSettings), {.kind = IntentKind::toggle_settings},
                {.selected = context.view.card == Card::settings});
  }
  draw_rail_foot(context);
}

void view_head_bar(Context& context) {
  const Layout& layout = context.layout;
  if (layout.head.empty()) return;
  Sketch& sketch = context.sketch;
  const bool phone = layout.size == Size::phone;
  if (phone) sketch.line({0.0f, 51.5f}, {layout.width, 51.5f}, Colour::line);
  const float centre = phone ? 26.0f : 30.0f;
  const float side = phone || layout.touch ? 44.0f : 28.0f;
  float right = layout.width - (side > 40.0f ? (phone ? 6.0f : 12.0f) : 18.0f);
  const float top = centre - side / 2.0f;
  const bool several = context.subject.lessons.size() > 1;
  const Rect list{phone ? 0.0f : layout.content.x - (side - 16.0f) / 2.0f, top, side, side};
  const float title_x = several ? list.right() + (phone ? 0.0f : 8.0f) : layout.content.x;
  const Rect theme{right - side, top, side, side};
  const TextStyle language{.size = 13.0f, .colour = Colour::ink2};
  const std::string other =
      context.say(context.language() == lessons::Language::zh ? Word::language_en : Word::language_zh);
  const float language_width = std::max(side, sketch.width(other, language) + 12.0f);
  const Rect words{theme.x - language_width - 4.0f, top, language_width, side};
  const Rect settings{words.x - side - 4.0f, top, side, side};
  right = settings.x;
  if (!layout.heads.empty() && !phone) right = layout.heads.x - 40.0f;

  TextStyle title{.font = Font::ui600, .size = phone ? 16.0f : 18.0f};
  const lessons::Step* step = context.subject.step_now();
  const std::string text = !phone && step != nullptr ? step->title.in(context.language())
                                                     : context.subject.lesson.title.in(context.language());
  const float title_room = right - title_x - 8.0f;
  title.size = sketch.size_that_fits(text, title_room, title, 14.0f);
  const std::string wordings[] = {text,
                                  phone ? context.subject.lesson.short_title.in(context.language()) : text};
  const float title_end =
      sketch.text(title_x, layout.title_baseline, sketch.first_fitting(wordings, title_room, title), title);
  if (several) {
    icon_button(context, list, Icon::list, bar_id(kList), Word::lessons, {.kind = IntentKind::toggle_lessons},
                {.frameless = true});
    Rect& reacts = sketch.scene.regions.back().rect;  // the title too
    reacts.width = title_end - reacts.x;
  }
  icon_button(context, settings, Icon::settings, bar_id(kSettings), Word::settings,
              {.kind = IntentKind::toggle_settings},
              {.selected = context.view.card == Card::settings, .frameless = true});
  if (is_hovered(context, bar_id(kLanguage))) sketch.outline(words, Colour::line2, 1.5f, side / 2.0f);
  sketch.text_in(words, other, language);
  sketch.region({.id = bar_id(kLanguage),
                 .group = group_of(Group::head_bar),
                 .rect = words,
                 .visual = words,
                 .radius = side / 2.0f,
                 .label = other,
                 .intent = other_language(context)});
  icon_button(context, theme, Icon::theme, bar_id(kTheme), Word::theme, {.kind = IntentKind::toggle_theme},
              {.frameless = true});
}

void view_title(Context& context, const ShownTensor& shown) {
  const Layout& layout = context.layout;
  if (layout.subtitle_baseline <= 0.0f) return;
  Sketch& sketch = context.sketch;
  TextStyle title{.font = Font::ui600, .size = 20.0f};
  // Beside the narration, whose heading is the step's, the stage carries the lesson's question.
  const std::string text = context.subject.lesson.title.in(context.language());
  // The heads of a board stand beside its title, those of a twin under it.
  const bool beside = context.subject.run.board && !layout.heads.empty();
  const float title_room = beside ? layout.heads.x - layout.content.x - 16.0f : layout.content.width;
  title.size = sketch.size_that_fits(text, title_room, title, 16.0f);
  sketch.text(layout.content.x, layout.title_baseline, sketch.fitted(text, title_room, title), title);
  const TextStyle quiet{.size = 13.0f, .colour = Colour::ink3};
  if (context.subject.run.board) {  // every block names itself
    const std::string promise = context.subject.lesson.promise.in(context.language());
    TextStyle style = quiet;
    style.size = sketch.size_that_fits(promise, layout.content.width, style, 11.0f);
    sketch.text(layout.content.x, layout.subtitle_baseline,
                sketch.fitted(promise, layout.content.width, style), style);
    return;
  }
  if (shown.heads == 0) return;
  const float room = layout.heads.empty() ? layout.content.width : layout.heads.x - layout.content.x - 40.0f;
  const std::string wordings[] = {
      tensor_title(shown.focus.tensor, shown.focus.head, shown.heads, shown.shape, context.language()),
      short_title(shown.focus.tensor, context.language())};
  sketch.text(layout.content.x, layout.subtitle_baseline, sketch.first_fitting(wordings, room, quiet), quiet);
}

void view_heads(Context& context, const ShownTensor& shown) {
  const Rect& area = context.layout.heads;
  if (area.empty() || shown.heads < 2) return;
  Sketch& sketch = context.sketch;
  const bool phone = context.layout.size == Size::phone;
  const TextStyle label{.size = 12.0f, .colour = Colour::ink3};
  const std::string name = context.say(Word::heads);
  const float height = phone ? 34.0f : 28.0f;
  const float room = area.width - (phone ? sketch.width(name, label) + 10.0f : 0.0f);
  const float each = std::min(phone ? 44.0f : 36.0f, (room - 4.0f) / static_cast<float>(shown.heads));
  const float width = each * static_cast<float>(shown.heads) + 4.0f;
  const float name_room = sketch.width(name, label) + 10.0f;
  const Rect rect{phone ? area.x + name_room : area.right() - width, area.centre().y - height / 2.0f, width,
                  height};
  sketch.text_right(rect.x - 8.0f, baseline_at(rect.centre().y, 12.0f), name, label);
  std::vector<Option> options;
  for (int head = 0; head < shown.heads; ++head)
    options.push_back({std::to_string(head + 1),
                       {.kind = IntentKind::select_head, .value = head},
                       head == shown.focus.head});
  segmented(context, rect, options, group_of(Group::heads), name, Font::mono400, 12.0f);
}

}  // namespace attn::ui
