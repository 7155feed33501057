#include <algorithm>

#include "lessons/numbers.h"
#include "ui/controls.h"
#include "ui/rich_text.h"
#include "ui/view_board.h"

namespace attn::ui {
namespace {

constexpr float kStepWidth = 58.0f;
constexpr float kGap = 8.0f;
constexpr float kPadding = 18.0f;
constexpr float kLine = 20.0f;

enum GivenPart : int { kLess, kMore, kOwn, kField };

constexpr float kFieldWidth = 84.0f;

RegionId part_id(int part) { return region_id(group_of(Group::inspector), part); }

/// Less, more and, once there is a changed number, back; returns where they begin.
float draw_steps(Context& context, float right, float centre, float side) {
  float x = right;
  const auto step = [&](int part, const char* text, int tenths) {
    x -= kStepWidth;
    text_button(context, {x, centre - side / 2.0f, kStepWidth, side}, text, nullptr, part_id(part),
                {.kind = IntentKind::nudge_cell, .value = tenths});
    x -= kGap;
  };
  step(kMore, "+0.1", 1);
  step(kLess, "−0.1", -1);
  if (context.subject.edited) {
    x -= side;
    icon_button(context, {x, centre - side / 2.0f, side, side}, Icon::undo, part_id(kOwn), Word::own_numbers,
                {.kind = IntentKind::clear_edits});
    x -= kGap;
  }
  return x;
}

std::string number_text(const InspectorModel& model, Given given) {
  const float value = model.training.value;
  if (given == Given::toggles) return lessons::fixed(value, 0);
  return given == Given::measured ? lessons::six_digits(value) : lessons::fixed(value, 4);
}

/// The number in a field that can be typed into; returns where it ends.
float draw_field(Context& context, float x, float centre, float height, const InspectorModel& model) {
  const NumberEdit& edit = context.view.edit;
  const bool editing = edit.parameter == NumberEdit::kCell;
  const Rect field{x, centre - height / 2.0f, kFieldWidth, height};
  const std::string text = editing ? edit.digits : lessons::fixed(model.training.value, 4);
  const TextStyle style{.font = Font::mono600, .size = 12.0f};
  context.sketch.framed(field, Colour::surface, Colour::control, 6.0f);
  context.sketch.text_in(field, text, style);
  if (editing) {
    const float caret = field.centre().x + context.sketch.width(text, style) / 2.0f + 2.0f;
    context.sketch.line({caret, centre - 8.0f}, {caret, centre + 8.0f}, Colour::ink, 1.5f);
  }
  context.sketch.region({.id = part_id(kField),
                         .group = group_of(Group::inspector),
                         .role = RegionRole::number,
                         .rect = hit_area(context, field),
                         .visual = grown(field, -2.0f),
                         .radius = 6.0f,
                         .label = model.name + " = " + text,
                         .intent = {.kind = IntentKind::edit_cell}});
  return field.right();
}

/// What the reader may do with the number, else where it comes from.
std::string note_of(const Context& context, const InspectorModel& model, Given given) {
  if (model.training.explanation.op == tape::Op::replace) return context.say(Word::replaced_value);
  if (model.state == InspectorState::sum) return context.say(Word::may_replace);
  switch (given) {
    case Given::changes:
      return context.say(Word::may_change);
    case Given::toggles:
      return context.say(Word::may_toggle);
    case Given::measured:
      return model.origin.empty() ? context.say(Word::measured_value) : model.origin;
    case Given::fixed:
      return model.origin.empty() ? context.say(Word::given_value) : model.origin;
  }
  return {};
}

}  // namespace

void draw_noted(Context& context, const Rect& rect, std::span<const Piece> number, const std::string& note) {
  Sketch& sketch = context.sketch;
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  const float left = rect.x + kPadding;
  const float room = rect.width - 2.0f * kPadding;
  const float beside = sketch.runs_width(number, 12.0f) + 20.0f;
  std::vector<RichLine> under;
  if (beside + sketch.width(note, body) > room)
    under = wrap(sketch, {{note, lessons::Role::plain}}, room, body.size);
  const float lines = static_cast<float>(under.size());
  if (kLine * (lines + 1.0f) > rect.height) under.clear();
  float baseline = baseline_at(rect.centre().y - kLine / 2.0f * static_cast<float>(under.size()), 12.0f);
  sketch.runs(left, baseline, number, 12.0f);
  if (lines == 0.0f) sketch.text(left + beside, baseline, note, body);
  for (const RichLine& line : under) sketch.text(left, baseline += kLine, line.front().text, body);
}

float draw_change_button(Context& context, const Rect& rect) {
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float side = std::min(finger ? 44.0f : 32.0f, rect.height - 6.0f);
  const std::string text = context.say(Word::change_number);
  const float width = context.sketch.width(text, {.size = 13.0f}) + 28.0f;
  text_button(context, {rect.right() - kPadding - width, rect.centre().y - side / 2.0f, width, side}, text,
              nullptr, part_id(kField), {.kind = IntentKind::edit_cell});
  return width + kGap;
}

void draw_given(Context& context, const Rect& rect, const InspectorModel& model, Given given) {
  Sketch& sketch = context.sketch;
  const bool can_change = given == Given::changes;
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const float side = std::min(finger ? 44.0f : 32.0f, rect.height - 6.0f);
  const bool two_lines = can_change && context.layout.size == Size::phone && rect.height >= side + 48.0f;
  const float left = rect.x + kPadding;
  float right = rect.right() - kPadding;
  const Piece name[] = {{model.name + " = ", Font::mono400, Colour::ink},
                        {number_text(model, given), Font::mono600, Colour::ink}};
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  const std::string note = note_of(context, model, given);
  if (!can_change) return draw_noted(context, rect, name, note);
  const float text_centre = two_lines ? rect.y + 26.0f : rect.centre().y;
  const float baseline = baseline_at(text_centre, 12.0f);
  const float steps =
      draw_steps(context, right, two_lines ? rect.bottom() - 14.0f - side / 2.0f : text_centre, side);
  if (!two_lines) right = steps;
  const float begin = sketch.runs(left, baseline, std::span(name).first(1), 12.0f);
  const float end = draw_field(context, begin, text_centre, std::min(side, 32.0f), model) + 16.0f;
  if (end + sketch.width(note, body) <= right)
    return static_cast<void>(sketch.text(end, baseline, note, body));
  if (!two_lines) return;
  const std::vector<RichLine> lines = wrap(sketch, {{note, lessons::Role::plain}}, steps - left, body.size);
  float y = baseline_at(rect.bottom() - 14.0f - side / 2.0f, body.size) -
            kLine / 2.0f * static_cast<float>(lines.size() - 1);
  for (const RichLine& line : lines) {
    sketch.text(left, y, line.front().text, body);
    y += kLine;
  }
}

}  // namespace attn::ui
