#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "ui/inspector_model.h"
#include "ui/view_board.h"

namespace attn::ui {
namespace {

constexpr float kSize = 12.0f;
constexpr float kLeastPitch = 16.0f;  // of lines
constexpr float kMostPitch = 20.0f;

using tape::Form;

/// "+ 0.483·−0.785", or "+ e^1.970" and what it is.
std::vector<Piece> summand(const tape::Term& term, bool first, Form form) {
  std::vector<Piece> line{{first ? "  " : "+ ", Font::mono400, Colour::ink3}};
  const auto number = [&](const tape::Element& element) {
    line.push_back({lessons::fixed(element.value, 3), Font::mono500, role_colour(element.label)});
  };
  if (form == Form::softmax) {
    line.push_back({"e^" + lessons::fixed(term.a.value, 3), Font::mono500, Colour::ink2});
    return line;
  }
  number(term.a);
  if (term.b.rank < 0) return line;
  line.push_back({" · ", Font::mono400, Colour::ink3});
  number(term.b);
  return line;
}

/// What is done with the sum; empty when nothing is.
std::vector<Piece> after_sum(const Context& context, const tape::Explanation& explanation) {
  if (explanation.form == Form::scaled_products && explanation.divisor != 1.0f) {
    const bool whole =
        explanation.divisor_squared == 0 && explanation.divisor == std::floor(explanation.divisor);
    const std::string value = lessons::fixed(explanation.divisor, whole ? 0 : 3);
    const std::string root = explanation.divisor_squared > 0
                                 ? "√" + std::to_string(explanation.divisor_squared) + " = " + value
                                 : value;
    return {{context.say(Word::divided_by), Font::ui400, Colour::ink2},
            {" " + root, Font::mono400, Colour::ink2}};
  }
  if (explanation.form == Form::sum_of_products && explanation.bias.rank >= 0)
    return {{"+ " + std::string(tape::symbol_of(explanation.bias.label.site)) + " = " +
                 lessons::fixed(explanation.bias.value, 3),
             Font::mono400, Colour::ink2}};
  if (explanation.form != Form::softmax || explanation.chosen < 0) return {};
  const tape::Term& chosen = explanation.terms[static_cast<std::size_t>(explanation.chosen)];
  return {{"e^" + lessons::fixed(chosen.a.value, 3) + " ÷ ", Font::mono500, Colour::ink},
          {context.say(Word::their_sum), Font::ui400, Colour::ink2}};
}

bool adds_terms(Form form) {
  return form == Form::sum_of_products || form == Form::scaled_products || form == Form::softmax;
}

}  // namespace

bool draw_products(Context& context, const Rect& area, const InspectorModel& model) {
  const tape::Explanation& explanation = model.training.explanation;
  if (!adds_terms(explanation.form)) return false;
  const std::vector<Piece> after = after_sum(context, explanation);
  const std::size_t lines = 1 + (explanation.terms.size() + 1) / 2 + (after.empty() ? 0 : 1);
  const float pitch = std::min(area.height / static_cast<float>(lines), kMostPitch);
  if (pitch < kLeastPitch) return false;
  Sketch& sketch = context.sketch;
  float baseline = baseline_at(area.centre().y - pitch * static_cast<float>(lines - 1) / 2.0f, kSize);
  const TextStyle strong{.font = Font::mono600, .size = 13.0f};
  sketch.text(area.x, baseline, model.name, strong);
  sketch.text_right(area.right(), baseline, "= " + lessons::fixed(model.training.value, 4), strong);
  for (std::size_t i = 0; i < explanation.terms.size(); ++i) {
    if (i % 2 == 0) baseline += pitch;
    const float x = area.x + (i % 2 == 0 ? 0.0f : area.width / 2.0f);
    sketch.runs(x, baseline, summand(explanation.terms[i], i == 0, explanation.form), kSize);
  }
  if (!after.empty()) sketch.runs(area.x, baseline + pitch, after, kSize);
  return true;
}

}  // namespace attn::ui
