#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "ui/formula_line.h"
#include "ui/view_board.h"

namespace attn::ui {
namespace {

constexpr float kSmallestName = 11.0f;
constexpr int kMostTerms = 8;
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

/// Name and value, at both ends of a line.
void draw_result(Context& context, const Rect& area, float baseline, const InspectorModel& model) {
  const TextStyle strong{.font = Font::mono600, .size = 13.0f};
  const std::string value = "= " + lessons::fixed(model.training.value, 4);
  const float room = area.width - context.sketch.width(value, strong) - 10.0f;
  TextStyle name = strong;
  name.size = context.sketch.size_that_fits(model.name, room, strong, kSmallestName);
  context.sketch.text(area.x, baseline, context.sketch.fitted(model.name, room, name), name);
  context.sketch.text_right(area.right(), baseline, value, strong);
}

/// Baseline of the first of so many lines in the middle of the area.
float first_baseline(const Rect& area, std::size_t lines, float pitch) {
  return baseline_at(area.centre().y - pitch * static_cast<float>(lines - 1) / 2.0f, kFormulaSize);
}

/// Summands two a line; of too many the first ones, how many are left out, and the last. False when the cell
/// is no such sum or the area too low.
bool draw_products(Context& context, const Rect& area, const InspectorModel& model) {
  const tape::Explanation& explanation = model.training.explanation;
  if (!adds_terms(explanation.form)) return false;
  const std::vector<Piece> after = after_sum(context, explanation);
  const std::size_t around = after.empty() ? 1 : 2;  // the name's line, and what is done with the sum
  const auto most = static_cast<std::size_t>(area.height / kLeastPitch);
  const std::size_t terms = explanation.terms.size();
  if (most < around + std::min<std::size_t>((terms + 1) / 2, 2)) return false;
  const std::size_t shown = std::min(terms, 2 * (most - around));  // places for summands
  const bool all = shown == terms;
  const std::size_t lines = around + (shown + 1) / 2;
  const float pitch = std::min(area.height / static_cast<float>(lines), kMostPitch);
  Sketch& sketch = context.sketch;
  float baseline = first_baseline(area, lines, pitch);
  draw_result(context, area, baseline, model);
  for (std::size_t place = 0; place < shown; ++place) {
    if (place % 2 == 0) baseline += pitch;
    const float x = area.x + (place % 2 == 0 ? 0.0f : area.width / 2.0f);
    if (!all && place + 2 == shown) {
      const std::string count = lessons::thousands(static_cast<std::uint32_t>(terms - shown + 1));
      sketch.text(x, baseline, "+ " + phrase(context.say(Word::terms_more), count.c_str()),
                  {.font = Font::mono400, .size = kFormulaSize, .colour = Colour::ink3});
      continue;
    }
    const std::size_t term = !all && place + 1 == shown ? terms - 1 : place;
    sketch.runs(x, baseline, summand(explanation.terms[term], term == 0, explanation.form), kFormulaSize);
  }
  if (!after.empty()) sketch.runs(area.x, baseline + pitch, after, kFormulaSize);
  return true;
}

/// The formula in lines of symbols with their numbers under them; fewer summands where there are too many
/// lines, numbers alone where one pair has no room.
void draw_formula(Context& context, const Rect& area, const InspectorModel& model) {
  const auto most = static_cast<std::size_t>(area.height / kLeastPitch) - 1;  // lines under the name
  std::vector<FormulaLine> parts;
  for (int terms = kMostTerms; terms >= 2; --terms) {
    parts = broken(context.sketch, segments_of(model.training, terms, context.language()), area.width);
    if (2 * parts.size() <= most) break;
  }
  const bool symbols = most >= 2;
  const std::size_t each = symbols ? 2 : 1;
  if (parts.size() * each > most) parts.resize(std::max<std::size_t>(most / each, 1));
  const std::size_t lines = 1 + parts.size() * each;
  const float pitch = std::min(area.height / static_cast<float>(lines), kMostPitch);
  float baseline = first_baseline(area, lines, pitch);
  draw_result(context, area, baseline, model);
  for (const FormulaLine& part : parts) {
    if (symbols) draw_segments(context, area.x, baseline += pitch, area.right(), part, Row::symbols);
    draw_segments(context, area.x, baseline += pitch, area.right(), part, Row::numbers);
  }
}

}  // namespace

void draw_on_phone(Context& context, const Rect& rect, const InspectorModel& model) {
  const Piece name{model.name, Font::mono600, Colour::ink};
  if (model.state == InspectorState::masked || model.state == InspectorState::no_visible_key) {
    const Word why = model.state == InspectorState::masked ? Word::masked_cell : Word::no_visible_key;
    return draw_noted(context, rect, {&name, 1}, context.say(why));
  }
  const Rect area = grown(rect, -14.0f);
  if (!draw_products(context, area, model)) draw_formula(context, area, model);
}

}  // namespace attn::ui
