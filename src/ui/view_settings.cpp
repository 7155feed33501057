#include <algorithm>

#include "ui/controls.h"
#include "ui/rich_text.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kSwitchRoom = 40.0f;
constexpr float kNameLine = 15.0f;
constexpr float kSmallestName = 10.5f;

/// The name of a parameter; returns how many lines it takes.
int draw_name(Context& context, const std::string& name, Point at, float width, bool may_wrap) {
  Sketch& sketch = context.sketch;
  TextStyle style{.size = 12.0f, .colour = Colour::ink3};
  if (may_wrap && sketch.width(name, style) > width) {
    int lines = 0;
    style.size = 11.0f;
    for (const RichLine& line : wrap(sketch, {{name, lessons::Role::plain}}, width, style.size))
      sketch.text(at.x, at.y + 11.0f + kNameLine * static_cast<float>(lines++), line.front().text, style);
    return lines;
  }
  style.size = sketch.size_that_fits(name, width, style, kSmallestName);
  sketch.text(at.x, at.y + 11.0f, sketch.fitted(name, width, style), style);
  return 1;
}

}  // namespace

float view_settings(Context& context, Point at, float width, bool in_card) {
  const lessons::Lesson& lesson = context.subject.lesson;
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float height = finger ? 40.0f : 28.0f;
  float y = at.y;
  for (std::size_t i = 0; i < lesson.parameters.size(); ++i) {
    const lessons::Parameter& parameter = lesson.parameters[i];
    const bool of_map = parameter.place == lessons::ParameterPlace::map;
    if (parameter.place != lessons::ParameterPlace::model && !(of_map && in_card)) continue;
    const int index = static_cast<int>(i);
    const int value = context.subject.values[i];
    const bool toggle = parameter.kind == lessons::ParameterKind::toggle;
    const int lines = draw_name(context, parameter.title.in(context.language()), {at.x, y},
                                toggle ? width - kSwitchRoom : width, toggle);
    const Rect rect{at.x, y + 18.0f, width, height};
    switch (parameter.kind) {
      case lessons::ParameterKind::number:
        number_stepper(context, rect, index, value, parameter.minimum,
                       lessons::maximum_now(lesson, context.subject.values, index),
                       group_of(Group::settings, index), parameter.title.in(context.language()));
        break;
      case lessons::ParameterKind::choice:
        choice(context, rect, options_of(context.subject, index, context.language()),
               group_of(Group::settings, index), parameter.title.in(context.language()));
        break;
      case lessons::ParameterKind::toggle:
        toggle_switch(context, {rect.right() - 32.0f, y - 2.0f}, value != 0,
                      region_id(group_of(Group::settings, index)), parameter.title.in(context.language()),
                      {.kind = IntentKind::set_parameter, .index = index, .value = value != 0 ? 0 : 1});
        y += kNameLine * static_cast<float>(lines - 1);
        break;
    }
    y += setting_pitch(context.layout, toggle);
  }
  return y;
}

}  // namespace attn::ui
