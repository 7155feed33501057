#include <algorithm>

#include "ui/controls.h"
#include "ui/views.h"

namespace attn::ui {
float view_settings(Context& context, Point at, float width, bool in_card) {
  const lessons::Lesson& lesson = context.subject.lesson;
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float height = finger ? 40.0f : 30.0f;
  float y = at.y;
  for (std::size_t i = 0; i < lesson.parameters.size(); ++i) {
    const lessons::Parameter& parameter = lesson.parameters[i];
    const bool of_map = parameter.place == lessons::ParameterPlace::map;
    if (parameter.place != lessons::ParameterPlace::model && !(of_map && in_card)) continue;
    const int index = static_cast<int>(i);
    const int value = context.subject.values[i];
    const TextStyle label{.size = 12.0f, .colour = Colour::ink3};
    context.sketch.text(at.x, y + 11.0f,
                        context.sketch.fitted(parameter.title.in(context.language()), width, label), label);
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
        y -= height + 6.0f;
        break;
    }
    y += 18.0f + height + 10.0f;
  }
  return y;
}

}  // namespace attn::ui
