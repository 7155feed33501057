#include <algorithm>

#include "ui/controls.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kGap = 20.0f;  // between controls
constexpr float kNameGap = 10.0f;
constexpr float kNumberWidth = 128.0f;

/// Draws one control with its name before it from `x` on; returns where it ends, or `x` when there is no
/// room.
float draw_control(Context& context, float x, int index, bool named) {
  const lessons::Parameter& parameter = context.subject.lesson.parameters[static_cast<std::size_t>(index)];
  const int value = context.subject.values[static_cast<std::size_t>(index)];
  const Rect& row = context.layout.controls;
  const TextStyle style{.size = 12.0f, .colour = Colour::ink3};
  const std::string name = parameter.title.in(context.language());
  const std::vector<Option> options = options_of(context, index);
  const bool toggle = parameter.kind == lessons::ParameterKind::toggle;
  const float own = toggle                                             ? 32.0f
                    : parameter.kind == lessons::ParameterKind::choice ? segmented_width(context, options)
                                                                       : kNumberWidth;
  const float name_width = named || toggle ? context.sketch.width(name, style) + kNameGap : 0.0f;
  if (x + name_width + own > row.right() + 1.0f) return x;
  const GroupId group = group_of(Group::parameters, index);
  const float height = row.height > 40.0f ? 40.0f : 28.0f;
  const float y = row.centre().y - height / 2.0f;
  if (named || toggle)
    context.sketch.text(x, baseline_at(row.centre().y, 12.0f), name, {.size = 12.0f, .colour = Colour::ink2});
  x += name_width;
  switch (parameter.kind) {
    case lessons::ParameterKind::toggle:
      toggle_switch(context, {x, row.centre().y - 9.0f}, value != 0, region_id(group), name,
                    {.kind = IntentKind::set_parameter, .index = index, .value = value != 0 ? 0 : 1});
      break;
    case lessons::ParameterKind::choice:
      segmented_by_text(context, {x, y, own, height}, options, group, name);
      break;
    case lessons::ParameterKind::number:
      number_stepper(context, {x, y, own, height}, index, value, parameter.minimum,
                     lessons::maximum_now(context.subject.lesson, context.subject.values, index), group,
                     name);
      break;
  }
  return x + own + kGap;
}

}  // namespace

void view_board_controls(Context& context) {
  const Rect& row = context.layout.controls;
  if (row.empty()) return;
  float x = row.x;
  const bool named = context.layout.size != Size::phone;
  for (int i = 0; i < static_cast<int>(context.subject.lesson.parameters.size()); ++i)
    if (context.subject.lesson.parameters[static_cast<std::size_t>(i)].place ==
        lessons::ParameterPlace::board)
      x = draw_control(context, x, i, named);
}

}  // namespace attn::ui
