#include "ui/controls.h"

#include <algorithm>

namespace attn::ui {

bool is_hovered(const Context& context, RegionId id) {
  return !context.layout.touch && context.view.hover.region == id;
}

bool is_pressed(const Context& context, RegionId id) { return context.view.pressed.region == id; }

Rect hit_area(const Context& context, const Rect& visual) {
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float side = finger ? 44.0f : 28.0f;
  return at_least(visual, side, side);
}

namespace {

constexpr float kOptionMargin = 22.0f;  // both sides of an option's text together
constexpr float kLeastMargin = 6.0f;    // … at least
constexpr float kPickerMargin = 8.0f;

struct ButtonColours {
  Colour fill;
  Colour edge;
  Colour text;
};

ButtonColours button_colours(const ButtonStyle& style, bool pressed) {
  if (!style.enabled) return {style.frameless ? Colour::none : Colour::sunken, Colour::none, Colour::line2};
  if (pressed) return {Colour::ink2, Colour::ink2, Colour::on_ink};
  if (style.primary || style.selected) return {Colour::ink, Colour::ink, Colour::on_ink};
  if (style.frameless) return {Colour::none, Colour::none, Colour::ink2};
  return {Colour::surface, Colour::control, Colour::ink};
}

void button_face(Context& context, const Rect& rect, float radius, RegionId id, const ButtonStyle& style,
                 const ButtonColours& colours) {
  if (is_hovered(context, id) && style.enabled)
    context.sketch.outline(grown(rect, 2.0f), style.frameless ? Colour::line2 : Colour::ink3, 1.5f,
                           radius + 2.0f);
  if (colours.fill != Colour::none || colours.edge != Colour::none)
    context.sketch.framed(rect, colours.fill, colours.edge, radius);
}

}  // namespace

void icon_button(Context& context, const Rect& rect, Icon icon, RegionId id, Word label, const Intent& intent,
                 const ButtonStyle& style) {
  const float radius = rect.height / 2.0f;
  const ButtonColours colours = button_colours(style, is_pressed(context, id));
  button_face(context, rect, radius, id, style, colours);
  const float size = style.frameless ? std::min(16.0f, rect.height * 0.55f) : rect.height * 0.3f;
  draw_icon(context.sketch, icon, rect.centre(), size, colours.text);
  context.sketch.region({.id = id,
                         .group = static_cast<GroupId>(id >> 16),
                         .rect = hit_area(context, rect),
                         .visual = rect,
                         .radius = radius,
                         .label = context.say(label),
                         .intent = intent,
                         .enabled = style.enabled,
                         .selected = style.selected,
                         .hint = true});
}

void view_hint(Context& context) {
  const Region* region = context.sketch.scene.find(context.view.hover.region);
  if (region == nullptr || !region->hint || !is_hovered(context, region->id) ||
      context.view.pressed.region != 0)
    return;
  const TextStyle style{.size = 12.0f, .colour = Colour::on_ink};
  const float width = context.sketch.width(region->label, style) + 16.0f;
  const Rect& over = region->visual;
  Rect box{std::clamp(over.centre().x - width / 2.0f, 4.0f, context.layout.width - width - 4.0f),
           over.y - 30.0f, width, 24.0f};
  if (box.y < 4.0f) box.y = over.bottom() + 6.0f;
  const std::string label = region->label;
  context.sketch.scene.layer = region->layer;
  context.sketch.box(box, Colour::ink, 6.0f);
  context.sketch.text_in(box, label, style);
  context.sketch.scene.layer = 0;
}

void text_button(Context& context, const Rect& rect, const std::string& text, const Icon* icon, RegionId id,
                 const Intent& intent, const ButtonStyle& style) {
  const float radius = std::min(rect.height / 2.0f, 22.0f);
  const ButtonColours colours = button_colours(style, is_pressed(context, id));
  button_face(context, rect, radius, id, style, colours);
  const TextStyle text_style{.font = Font::ui500, .size = 13.0f, .colour = colours.text};
  const float icon_room = icon != nullptr ? 20.0f : 0.0f;
  const std::string shown = context.sketch.fitted(text, rect.width - icon_room - 16.0f, text_style);
  const float width = context.sketch.width(shown, text_style) + icon_room;
  const float x = rect.centre().x - width / 2.0f;
  if (icon != nullptr)
    draw_icon(context.sketch, *icon, {x + 6.0f, rect.centre().y}, 16.0f,
              style.selected || style.primary ? Colour::on_ink
              : style.enabled                 ? Colour::ink2
                                              : Colour::line2);
  context.sketch.text(x + icon_room, baseline_at(rect.centre().y, 13.0f), shown, text_style);
  context.sketch.region({.id = id,
                         .group = static_cast<GroupId>(id >> 16),
                         .rect = hit_area(context, rect),
                         .visual = rect,
                         .radius = radius,
                         .label = text,
                         .intent = intent,
                         .enabled = style.enabled,
                         .selected = style.selected});
}

void toggle_switch(Context& context, Point at, bool on, RegionId id, const std::string& label,
                   const Intent& intent) {
  const Rect rect{at.x, at.y, 32.0f, 18.0f};
  if (is_hovered(context, id)) context.sketch.outline(grown(rect, 2.0f), Colour::ink3, 1.5f, 11.0f);
  context.sketch.framed(rect, on ? Colour::ink : Colour::surface, on ? Colour::ink : Colour::ink3, 9.0f);
  context.sketch.add(CircleItem{.centre = {at.x + (on ? 23.0f : 9.0f), at.y + 9.0f},
                                .radius = on ? 6.0f : 5.0f,
                                .fill = on ? Colour::on_ink : Colour::ink3});
  context.sketch.region({.id = id,
                         .group = static_cast<GroupId>(id >> 16),
                         .role = RegionRole::toggle,
                         .rect = hit_area(context, rect),
                         .visual = rect,
                         .radius = 9.0f,
                         .label = label,
                         .intent = intent,
                         .selected = on});
}

namespace {

void draw_option(Context& context, const Rect& part, const Option& option, RegionId id, GroupId group,
                 const std::string& label, Font font, float size) {
  Sketch& sketch = context.sketch;
  if (option.selected) sketch.framed(part, Colour::surface, Colour::control, 6.0f);
  const bool lit = option.selected || is_hovered(context, id);
  const Font bold = font >= Font::mono400 ? Font::mono600 : Font::ui600;
  const TextStyle style{
      .font = option.selected ? bold : font, .size = size, .colour = lit ? Colour::ink : Colour::ink2};
  sketch.text_in(part, sketch.fitted(option.text, part.width - 2.0f, style), style);
  const Rect hit = hit_area(context, grown(part, 2.0f));
  sketch.region({.id = id,
                 .group = group,
                 .role = RegionRole::option,
                 .rect = {part.x, hit.y, part.width, hit.height},
                 .visual = part,
                 .radius = 6.0f,
                 .label = label + ": " + option.text,
                 .intent = option.intent,
                 .selected = option.selected});
}

}  // namespace

std::vector<Option> options_of(const Subject& subject, int parameter, lessons::Language language) {
  const auto index = static_cast<std::size_t>(parameter);
  std::vector<Option> options;
  for (const lessons::Choice& choice : subject.lesson.parameters[index].choices)
    options.push_back({choice.title.in(language),
                       {.kind = IntentKind::set_parameter, .index = parameter, .value = choice.value},
                       choice.value == subject.values[index]});
  return options;
}

void segmented(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
               const std::string& label, Font font, float size) {
  context.sketch.box(rect, Colour::sunken, 8.0f);
  const float width = (rect.width - 4.0f) / static_cast<float>(std::max<std::size_t>(options.size(), 1));
  for (std::size_t i = 0; i < options.size(); ++i)
    draw_option(context,
                {rect.x + 2.0f + width * static_cast<float>(i), rect.y + 2.0f, width, rect.height - 4.0f},
                options[i], region_id(group, static_cast<int>(i)), group, label, font, size);
}

float segmented_width(const TextMeasure& measure, std::span<const Option> options) {
  float width = 4.0f;
  for (const Option& option : options)
    width += measure.width(option.text, Font::ui600, 12.0f) + kOptionMargin;
  return width;
}

void segmented_by_text(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
                       const std::string& label, int first) {
  context.sketch.box(rect, Colour::sunken, 8.0f);
  const float natural = segmented_width(context.sketch.measure, options);
  const float spare = (rect.width - natural) / static_cast<float>(std::max<std::size_t>(options.size(), 1));
  float x = rect.x + 2.0f;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const float text = context.sketch.width(options[i].text, {.font = Font::ui600, .size = 12.0f});
    // Too many for the room: first the margins shrink, then all alike.
    const float width =
        spare > -kOptionMargin + 4.0f
            ? text + kOptionMargin + spare
            : text * (rect.width - 4.0f) /
                  std::max(natural - 4.0f - kOptionMargin * static_cast<float>(options.size()), 1.0f);
    draw_option(context, {x, rect.y + 2.0f, width, rect.height - 4.0f}, options[i],
                region_id(group, first + static_cast<int>(i)), group, label, Font::ui500, 12.0f);
    x += width;
  }
}

float picker_width(const TextMeasure& measure, std::span<const Option> options, float height) {
  float widest = 0.0f;
  for (const Option& option : options)
    widest = std::max(widest, measure.width(option.text, Font::ui600, 12.0f));
  return widest + kPickerMargin + 2.0f * height;
}

void picker(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
            const std::string& label) {
  Sketch& sketch = context.sketch;
  const int count = static_cast<int>(options.size());
  int chosen = 0;
  for (int i = 0; i < count; ++i)
    if (options[static_cast<std::size_t>(i)].selected) chosen = i;
  const auto option = [&](int at) -> const Option& { return options[static_cast<std::size_t>(at)]; };
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const auto region = [&](int part, const Rect& visual, int leads_to) {
    const int to = std::clamp(leads_to, 0, count - 1);
    sketch.region({.id = region_id(group, part),
                   .group = group,
                   .rect = finger ? at_least(visual, visual.width, 44.0f) : visual,
                   .visual = grown(visual, -2.0f),
                   .radius = 6.0f,
                   .label = label + ": " + option(to).text,
                   .intent = option(to).intent,
                   .enabled = to == leads_to});
  };
  sketch.framed(rect, Colour::surface, Colour::control, 8.0f);
  for (const int way : {-1, 1}) {
    const int part = way < 0 ? 0 : 2;
    const Rect end{way < 0 ? rect.x : rect.right() - rect.height, rect.y, rect.height, rect.height};
    const bool enabled = chosen + way >= 0 && chosen + way < count;
    const Colour colour = !enabled                                      ? Colour::line2
                          : is_hovered(context, region_id(group, part)) ? Colour::ink
                                                                        : Colour::ink2;
    const Point c = end.centre();
    const float back = static_cast<float>(way) * 2.5f;
    for (const float y : {-5.0f, 5.0f}) sketch.stroke({c.x - back, c.y + y}, {c.x + back, c.y}, colour, 1.7f);
    region(part, end, chosen + way);
  }
  const Rect field{rect.x + rect.height, rect.y, rect.width - 2.0f * rect.height, rect.height};
  TextStyle style{.font = Font::ui600, .size = 12.0f};
  style.size = sketch.size_that_fits(option(chosen).text, field.width - 4.0f, style, 10.0f);
  sketch.text_in(field, sketch.fitted(option(chosen).text, field.width - 4.0f, style), style);
  region(1, field, (chosen + 1) % count);
}

void choice(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
            const std::string& label) {
  const auto count = static_cast<float>(options.size());
  float widest = 0.0f;
  for (const Option& option : options)
    widest = std::max(widest, context.sketch.width(option.text, {.font = Font::ui600, .size = 12.0f}));
  const float natural = segmented_width(context.sketch.measure, options);
  if ((widest + kLeastMargin) * count + 4.0f <= rect.width)
    segmented(context, rect, options, group, label, Font::ui400, 12.0f);
  else if (natural - (kOptionMargin - kLeastMargin) * count <= rect.width)
    segmented_by_text(context, rect, options, group, label);
  else
    picker(context, rect, options, group, label);
}

void number_stepper(Context& context, const Rect& rect, int parameter, int value, int minimum, int maximum,
                    GroupId group, const std::string& label) {
  Sketch& sketch = context.sketch;
  const float side = rect.height;
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  sketch.framed(rect, Colour::surface, Colour::control, 8.0f);
  for (int end = 0; end < 2; ++end) {
    const RegionId id = region_id(group, end == 0 ? 1 : 2);
    const bool enabled = end == 0 ? value > minimum : value < maximum;
    const Rect part{end == 0 ? rect.x : rect.right() - side, rect.y, side, side};
    const Colour colour = !enabled ? Colour::line2 : is_hovered(context, id) ? Colour::ink : Colour::ink2;
    const Point c = part.centre();
    sketch.stroke({c.x - 5.0f, c.y}, {c.x + 5.0f, c.y}, colour, 1.7f);
    if (end == 1) sketch.stroke({c.x, c.y - 5.0f}, {c.x, c.y + 5.0f}, colour, 1.7f);
    sketch.region(
        {.id = id,
         .group = group,
         .rect = finger ? at_least(part, part.width, 44.0f) : part,
         .visual = grown(part, -2.0f),
         .radius = 6.0f,
         .label = std::string(context.say(end == 0 ? Word::decrease : Word::increase)) + ": " + label,
         .intent = {.kind = IntentKind::nudge_parameter, .index = parameter, .value = end == 0 ? -1 : 1},
         .enabled = enabled,
         .pointer_only = true});
  }
  const bool editing = context.view.edit.parameter == parameter;
  const std::string text = editing ? context.view.edit.digits : std::to_string(value);
  const Rect field{rect.x + side, rect.y, rect.width - 2.0f * side, side};
  const TextStyle style{.font = Font::mono500, .size = 13.0f, .colour = Colour::ink};
  const std::string shown = sketch.fitted(text, field.width - 4.0f, style);
  sketch.text_in(field, shown, style);
  if (editing) {
    const float caret = field.centre().x + sketch.width(shown, style) / 2.0f + 2.0f;
    sketch.line({caret, field.centre().y - 8.0f}, {caret, field.centre().y + 8.0f}, Colour::ink, 1.5f);
  }
  sketch.region({.id = region_id(group, 0),
                 .group = group,
                 .role = RegionRole::number,
                 .rect = finger ? at_least(field, field.width, 44.0f) : field,
                 .visual = grown(field, -2.0f),
                 .radius = 6.0f,
                 .label = label + ": " + text,
                 .intent = {.kind = IntentKind::edit_parameter, .index = parameter}});
}

void token_chip(Context& context, const Rect& rect, const std::string& text, ChipState state, bool poked) {
  Sketch& sketch = context.sketch;
  const float radius = rect.height >= 30.0f ? 8.0f : 5.0f;
  const bool small = rect.height < 30.0f;
  Colour colour = Colour::ink;
  if (state == ChipState::current) {
    sketch.framed(rect, Colour::ink, Colour::ink, radius);
    colour = Colour::on_ink;
  } else if (state == ChipState::written) {
    sketch.framed(rect, Colour::surface, small ? Colour::line2 : Colour::ink3, radius);
  } else {
    const float dash = small ? 2.0f : 3.0f;
    sketch.dashed(rect, small ? Colour::line : Colour::control, radius, dash, 3.0f);
    colour = Colour::ink3;
  }
  const float size = small ? 12.0f : rect.height > 44.0f ? 20.0f : 14.0f;
  TextStyle style{.font = Font::mono500, .size = size, .colour = colour, .tag = {.mark = Mark::token_chip}};
  style.size = sketch.size_that_fits(text, rect.width - 4.0f, style, 10.0f);
  sketch.text_in(rect, sketch.fitted(text, rect.width - 2.0f, style), style);
  if (!poked) return;
  const float corner = small ? 7.0f : 11.0f;
  sketch.add(TriangleItem{.a = {rect.right() - corner, rect.y},
                          .b = {rect.right(), rect.y},
                          .c = {rect.right(), rect.y + corner},
                          .fill = Colour::different,
                          .tag = {.mark = Mark::changed_cell}});
}

}  // namespace attn::ui
