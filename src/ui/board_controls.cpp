#include "ui/board_controls.h"

#include <algorithm>

#include "ui/controls.h"

namespace attn::ui {
namespace {

using lessons::ParameterKind;

constexpr float kGap = 20.0f;  // between controls
constexpr float kNameGap = 10.0f;
constexpr float kSwitchWidth = 32.0f;
constexpr float kSwitchHeight = 18.0f;
constexpr float kNumberWidth = 128.0f;
constexpr float kLeastPicker = 150.0f;

bool is_shown(const Subject& subject, const lessons::Parameter& parameter) {
  if (parameter.place != lessons::ParameterPlace::board) return false;
  const auto step = static_cast<std::size_t>(std::max(subject.step, 0));
  if (step >= subject.lesson.plan.size()) return true;
  const std::vector<const char*>& hidden = subject.lesson.plan[step].hidden;
  return std::none_of(hidden.begin(), hidden.end(),
                      [&](std::string_view name) { return name == parameter.name; });
}

}  // namespace

float control_row_height(bool finger) { return finger ? 44.0f : 32.0f; }

ControlPlan plan_controls(const Subject& subject, lessons::Language language, const TextMeasure& measure,
                          float width, bool finger) {
  const float row = control_row_height(finger);
  const float height = row - 4.0f;
  ControlPlan plan;
  float x = width + 1.0f;  // past the end of the row before the first
  for (std::size_t i = 0; i < subject.lesson.parameters.size(); ++i) {
    const lessons::Parameter& parameter = subject.lesson.parameters[i];
    if (!is_shown(subject, parameter)) continue;
    ControlPlace place{.parameter = static_cast<int>(i)};
    const float name = measure.width(parameter.title.in(language), Font::ui400, 12.0f);
    const float most = std::max(width - name - kNameGap, kLeastPicker);
    float own = parameter.kind == ParameterKind::toggle ? kSwitchWidth : kNumberWidth;
    if (parameter.kind == ParameterKind::choice) {
      const std::vector<Option> options = options_of(subject, place.parameter, language);
      own = segmented_width(measure, options);
      place.picker = own > most;
      if (place.picker) own = std::min(picker_width(measure, options, height), most);
    }
    const float shown_name = std::min(name, width - kNameGap - own);
    if (x + shown_name + kNameGap + own > width + 1.0f) {
      x = 0.0f;
      ++plan.rows;
    }
    const float top = row * static_cast<float>(plan.rows - 1);
    const float own_height = parameter.kind == ParameterKind::toggle ? kSwitchHeight : height;
    place.name = {x, top, shown_name, row};
    place.body = {x + shown_name + kNameGap, top + (row - own_height) / 2.0f, own, own_height};
    x = place.body.right() + kGap;
    plan.places.push_back(place);
  }
  return plan;
}

}  // namespace attn::ui
