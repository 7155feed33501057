#include "ui/board_controls.h"
#include "ui/controls.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

Rect moved(const Rect& rect, const Rect& by) {
  return {rect.x + by.x, rect.y + by.y, rect.width, rect.height};
}

void draw_control(Context& context, const ControlPlace& place) {
  const lessons::Lesson& lesson = context.subject.lesson;
  const int index = place.parameter;
  const lessons::Parameter& parameter = lesson.parameters[static_cast<std::size_t>(index)];
  const int value = context.subject.values[static_cast<std::size_t>(index)];
  const Rect named = moved(place.name, context.layout.controls);
  const Rect body = moved(place.body, context.layout.controls);
  const std::string name = parameter.title.in(context.language());
  TextStyle style{.size = 12.0f, .colour = Colour::ink2};
  style.size = context.sketch.size_that_fits(name, named.width, style, 10.0f);
  context.sketch.text(named.x, baseline_at(named.centre().y, 12.0f),
                      context.sketch.fitted(name, named.width + 0.5f, style), style);
  const GroupId group = group_of(Group::parameters, index);
  switch (parameter.kind) {
    case lessons::ParameterKind::toggle:
      toggle_switch(context, {body.x, body.y}, value != 0, region_id(group), name,
                    {.kind = IntentKind::set_parameter, .index = index, .value = value != 0 ? 0 : 1});
      break;
    case lessons::ParameterKind::choice: {
      const std::vector<Option> options = options_of(context.subject, index, context.language());
      if (place.picker)
        picker(context, body, options, group, name);
      else
        segmented_by_text(context, body, options, group, name);
      break;
    }
    case lessons::ParameterKind::number:
      number_stepper(context, body, index, value, parameter.minimum,
                     lessons::maximum_now(lesson, context.subject.values, index), group, name);
      break;
  }
}

}  // namespace

void view_board_controls(Context& context) {
  const Layout& layout = context.layout;
  if (layout.controls.empty()) return;
  const ControlPlan plan = plan_controls(context.subject, context.language(), context.sketch.measure,
                                         layout.controls.width, layout.touch || layout.size == Size::phone);
  for (const ControlPlace& place : plan.places) draw_control(context, place);
}

}  // namespace attn::ui
