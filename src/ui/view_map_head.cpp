#include <algorithm>

#include "lessons/numbers.h"
#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/names.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

Colour verdict_colour(const MapModel& map) {
  return map.equal == map.total() ? Colour::equal : Colour::different;
}

/// "150 / 150 equal", right-aligned; returns where it begins.
float draw_count(Context& context, const MapModel& map, float right, float baseline, bool brief) {
  const Word format = brief ? Word::equal_count_short : Word::equal_count;
  return context.sketch.text_right(right, baseline, phrase(context.say(format), map.equal, map.total()),
                                   {.font = Font::ui600,
                                    .size = 13.0f,
                                    .colour = verdict_colour(map),
                                    .tag = {.mark = Mark::equal_count}});
}

constexpr float kChoiceGap = 16.0f;

/// Width of one option of a choice; all have the same.
float option_width(const Context& context, const lessons::Parameter& parameter) {
  float widest = 0.0f;
  for (const lessons::Choice& choice : parameter.choices)
    widest = std::max(widest,
                      context.sketch.measure.width(choice.title.in(context.language()), Font::ui600, 12.0f));
  return widest + 18.0f;
}

/// Of all choices with the gap before each.
float choices_width(const Context& context) {
  float width = 0.0f;
  for (const lessons::Parameter& parameter : context.subject.lesson.parameters)
    if (parameter.place == lessons::ParameterPlace::map && !parameter.choices.empty())
      width +=
          option_width(context, parameter) * static_cast<float>(parameter.choices.size()) + 4.0f + kChoiceGap;
  return width;
}

/// The lesson's own choices about what is compared, e.g. all rows or the newest; returns where they begin.
float draw_choices(Context& context, float right, float centre, float left_limit) {
  const lessons::Lesson& lesson = context.subject.lesson;
  for (int nth = 0; nth < parameters_at(lesson, lessons::ParameterPlace::map); ++nth) {
    const int index = parameter_at(lesson, lessons::ParameterPlace::map, nth);
    const lessons::Parameter& parameter = lesson.parameters[static_cast<std::size_t>(index)];
    const float width =
        option_width(context, parameter) * static_cast<float>(parameter.choices.size()) + 4.0f;
    if (parameter.choices.empty() || right - kChoiceGap - width < left_limit) continue;
    std::vector<Option> options;
    const int now = context.subject.values[static_cast<std::size_t>(index)];
    for (const lessons::Choice& choice : parameter.choices)
      options.push_back({choice.title.in(context.language()),
                         {.kind = IntentKind::set_parameter, .index = index, .value = choice.value},
                         now == choice.value});
    const float height = context.layout.size == Size::phone ? 32.0f : 24.0f;
    right -= kChoiceGap + width;
    segmented(context, {right, centre - height / 2.0f, width, height}, options,
              group_of(Group::parameters, index), parameter.title.in(context.language()), Font::ui400, 12.0f);
  }
  return right;
}

/// The tile under the pointer by its name, with what its comparison found; false when there is none.
bool draw_pointed_tensor(Context& context, float x, float right, float baseline) {
  const int index = static_cast<int>(context.view.hover.region & 0xFFFFu);
  const auto& differences = context.subject.run.twin->differences;
  if (!is_hovered(context, region_id(group_of(Group::map), index)) ||
      static_cast<std::size_t>(index) >= differences.size())
    return false;
  const tape::TensorDifference& difference = differences[static_cast<std::size_t>(index)];
  const TextStyle name{.size = 12.0f, .colour = Colour::ink2};
  const TextStyle found{
      .font = Font::mono600, .size = 12.0f, .colour = difference.equal() ? Colour::equal : Colour::different};
  const std::string ulps =
      phrase(context.say(Word::ulp_distance), lessons::thousands(difference.ulp_at_largest).c_str());
  const std::string titles[] = {short_title(difference.label, context.language()),
                                std::string(tape::name_of(difference.label.site))};
  for (const std::string& title : titles) {
    const float begin = x + context.sketch.width(title, name) + 8.0f;
    if (begin + context.sketch.width(ulps, found) > right) continue;
    context.sketch.text(x, baseline, title, name);
    context.sketch.text(begin, baseline, ulps, found);
    return true;
  }
  return false;
}

/// Names the first tensor that differs; a click shows it.
void draw_first_different(Context& context, float x, float right, float baseline) {
  const int first = context.subject.run.twin->first_different;
  if (first < 0) return;
  Sketch& sketch = context.sketch;
  const tape::Label& label = context.subject.run.twin->differences[static_cast<std::size_t>(first)].label;
  const TextStyle quiet{.size = 12.0f, .colour = Colour::ink3};
  const TextStyle link{.font = Font::ui500, .size = 12.0f, .colour = Colour::ink};
  const std::string lead = context.say(Word::first_different);
  const std::string wordings[] = {short_title(label, context.language()),
                                  std::string(tape::name_of(label.site))};
  const float room = right - x - 10.0f - sketch.width(lead, quiet);
  if (room < sketch.width(wordings[1], link)) return;
  sketch.add(TriangleItem{.a = {x, baseline - 8.0f},
                          .b = {x + 7.0f, baseline - 8.0f},
                          .c = {x, baseline - 1.0f},
                          .fill = Colour::ink});
  const float begin = sketch.text(x + 10.0f, baseline, lead, quiet);
  const float end = sketch.text(begin, baseline, sketch.first_fitting(wordings, room, link), link);
  sketch.line({begin, baseline + 3.0f}, {end, baseline + 3.0f}, Colour::line2);
  const Rect visual{begin - 2.0f, baseline - 13.0f, end - begin + 4.0f, 18.0f};
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  sketch.region({.id = region_id(group_of(Group::map_head)),
                 .group = group_of(Group::map_head),
                 .role = RegionRole::link,
                 .rect = at_least(visual, visual.width, finger ? 40.0f : 24.0f),
                 .visual = visual,
                 .label = lead + wordings[0],
                 .intent = {.kind = IntentKind::focus_tensor, .label = label}});
}

void draw_layer_row(Context& context, const MapModel& map, tape::Stack stack, float y) {
  Sketch& sketch = context.sketch;
  const Rect& area = context.layout.map;
  const int layers = layers_of(context.subject.run, stack);
  const bool decoder = stack == tape::Stack::decoder;
  sketch.text(area.x, y + 27.0f, context.say(decoder ? Word::decoder : Word::encoder),
              {.size = 13.0f, .colour = Colour::ink2});
  const float pitch = (area.width - 66.0f) / static_cast<float>(std::max(layers, 6));
  for (int layer = 0; layer < layers; ++layer) {
    const Rect rect{area.x + 66.0f + static_cast<float>(layer) * pitch + 4.0f, y, pitch - 4.0f, 44.0f};
    const bool equal = layer_equal(map, context.subject.run, stack, layer);
    const tape::Label& shown = context.subject.focus.tensor;
    const bool selected = shown.stack == stack && shown.layer == layer;
    sketch.box(rect, equal ? Colour::equal_tile : Colour::different, 8.0f);
    sketch.text_centred(
        rect.centre().x, y + 18.0f, std::to_string(layer + 1),
        {.font = Font::mono400, .size = 12.0f, .colour = equal ? Colour::ink2 : Colour::on_different});
    const Point mark{rect.centre().x, y + 31.0f};
    if (equal)
      draw_equal_mark(sketch, mark, 9.0f, Colour::equal);
    else
      draw_different_mark(sketch, mark, 9.0f, Colour::on_different);
    if (selected) sketch.outline(grown(rect, 2.0f), Colour::ink, 2.0f, 10.0f, {.mark = Mark::map_ring});
    sketch.region(
        {.id = region_id(group_of(Group::map), 4096 + (decoder ? 64 : 0) + layer),
         .group = group_of(Group::map),
         .rect = rect,
         .visual = rect,
         .radius = 8.0f,
         .label = phrase(context.say(decoder ? Word::layer_of_decoder : Word::layer_of_encoder), layer + 1),
         .intent = {.kind = IntentKind::toggle_tensors, .index = decoder ? 1 : 0, .value = layer},
         .selected = selected});
  }
}

/// Name, choices and count in one line: the name goes before a control would. Returns where the choices
/// begin; `left` becomes the end of the name.
float draw_head_line(Context& context, const MapModel& map, const char* name, const TextStyle& style,
                     float* left) {
  const Rect& area = context.layout.map;
  const float baseline = area.y + 13.0f;
  const float end = area.x + context.sketch.width(name, style) + 12.0f;
  const float needed = choices_width(context);
  const TextStyle count{.font = Font::ui600, .size = 13.0f};
  const auto count_width = [&](Word format) {
    return context.sketch.width(phrase(context.say(format), map.equal, map.total()), count);
  };
  const float full = count_width(Word::equal_count);
  const bool shorten = end + needed + full > area.right();
  const bool named = end + needed + (shorten ? count_width(Word::equal_count_short) : full) <= area.right();
  *left = named ? context.sketch.text(area.x, baseline, name, style) : area.x - 12.0f;
  const float right = draw_count(context, map, area.right(), baseline, shorten);
  return draw_choices(context, right, area.y + 8.0f, *left + 12.0f);
}

/// Only the count, as a button that opens the map as a card.
void draw_map_button(Context& context, const MapModel& map) {
  Sketch& sketch = context.sketch;
  const Rect& area = context.layout.map;
  const RegionId id = region_id(group_of(Group::map));
  const TextStyle style{
      .font = Font::ui600, .size = 13.0f, .colour = verdict_colour(map), .tag = {.mark = Mark::equal_count}};
  const std::string count = phrase(context.say(Word::equal_count), map.equal, map.total());
  const float width = sketch.width(count, style) + 40.0f;
  const float height = std::min(area.height, 32.0f);
  const Rect rect{area.x, area.centre().y - height / 2.0f, width, height};
  if (is_hovered(context, id)) sketch.outline(grown(rect, 2.0f), Colour::ink3, 1.5f, height / 2.0f + 2.0f);
  sketch.framed(rect, Colour::surface, Colour::control, height / 2.0f);
  sketch.text(rect.x + 14.0f, baseline_at(rect.centre().y, 13.0f), count, style);
  draw_icon(sketch, Icon::right, {rect.right() - 16.0f, rect.centre().y}, 8.0f, Colour::ink2);
  sketch.region({.id = id,
                 .group = group_of(Group::map),
                 .rect = hit_area(context, rect),
                 .visual = rect,
                 .radius = height / 2.0f,
                 .label = context.say(Word::tensors),
                 .intent = {.kind = IntentKind::toggle_tensors, .value = -1}});
  draw_choices(context, area.right() + kChoiceGap, rect.centre().y, rect.right() + 8.0f);
}

}  // namespace

void view_map(Context& context, const MapModel& map) {
  const Rect& area = context.layout.map;
  if (area.empty()) return;
  float left = area.x;
  const TextStyle head{.font = Font::ui600,
                       .size = context.layout.map_form == MapForm::column ? 14.0f : 15.0f};
  switch (context.layout.map_form) {
    case MapForm::button:
      return draw_map_button(context, map);
    case MapForm::layers:
      draw_head_line(context, map, context.say(Word::every_layer), head, &left);
      draw_layer_row(context, map, tape::Stack::encoder, area.y + 28.0f);
      return draw_layer_row(context, map, tape::Stack::decoder, area.y + 78.0f);
    case MapForm::wide: {
      const float right = draw_head_line(context, map, context.say(Word::every_tensor), head, &left);
      if (!draw_pointed_tensor(context, left + 20.0f, right - 12.0f, area.y + 13.0f))
        draw_first_different(context, left + 20.0f, right - 12.0f, area.y + 13.0f);
      return view_map_tiles(context, map,
                            {area.x, area.y + kMapHeading, area.width, area.height - kMapHeading},
                            context.layout.map_row_height, false);
    }
    case MapForm::column:
      draw_head_line(context, map, context.say(Word::tensors), head, &left);
      return view_map_tiles(context, map,
                            {area.x, area.y + kMapHeading, area.width, area.height - kMapHeading},
                            context.layout.map_row_height, true);
  }
}

}  // namespace attn::ui
