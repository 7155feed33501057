#include <algorithm>

#include "lessons/numbers.h"
#include "ui/formula_line.h"
#include "ui/icons.h"
#include "ui/inspector_model.h"
#include "ui/view_board.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kSize = kFormulaSize;
constexpr float kLine = 20.0f;
constexpr float kPadding = 18.0f;
constexpr std::size_t kMostTitle = 60;  // bytes of a block's title before an index
constexpr std::size_t kMostOnPhone = 24;
constexpr int kMostTerms = 8;      // shown when all of them fit
constexpr int kMostShortened = 4;  // else, the first ones and the last
constexpr int kMostOfSoftmax = 8;  // whose terms are short

/// Every summand when they fit; else as many as do, at most four (tokens: the first three and the last).
std::vector<Segment> fitting_segments(Context& context, const Sum& sum, float room) {
  std::vector<Segment> line;
  const auto count = static_cast<int>(sum.explanation.terms.size());
  if (count <= kMostTerms) {
    line = segments_of(sum, std::max(count, 2), context.language());
    if (line_width(context.sketch, line) <= room) return line;
  }
  const bool softmax = sum.explanation.form == tape::Form::softmax;
  for (int terms = softmax ? kMostOfSoftmax : kMostShortened; terms >= 2; --terms) {
    line = segments_of(sum, terms, context.language());
    if (line_width(context.sketch, line) <= room) return line;
  }
  return line;
}

/// How much of a value there is room for.
enum class Detail : std::uint8_t { all, without_bits, number_only };

/// "训练 −0.1192868  0xBDF44CA0".
std::vector<Piece> value_pieces(const Context& context, Word pass, float value, Detail detail) {
  std::vector<Piece> line;
  if (detail != Detail::number_only) line.push_back({context.say(pass), Font::ui400, Colour::ink2});
  line.push_back({lessons::fixed(value, 7), Font::mono600, Colour::ink});
  if (detail == Detail::all) line.push_back({lessons::bit_pattern(value), Font::mono400, Colour::ink3});
  return line;
}

constexpr float kPieceGap = 9.0f;
constexpr float kMarkRoom = 36.0f;

float value_width(const Context& context, Word pass, float value, Detail detail) {
  const std::vector<Piece> line = value_pieces(context, pass, value, detail);
  return context.sketch.runs_width(line, kSize) + kPieceGap * static_cast<float>(line.size() - 1);
}

/// Returns where it ends.
float draw_value(Context& context, float x, float baseline, Word pass, float value, Detail detail) {
  for (const Piece& piece : value_pieces(context, pass, value, detail))
    x = context.sketch.runs(x, baseline, {&piece, 1}, kSize) + kPieceGap;
  return x - kPieceGap;
}

void draw_values(Context& context, float x, float baseline, float right, const InspectorModel& model) {
  Sketch& sketch = context.sketch;
  const float a = model.training.value;
  const float b = model.inference.value;
  Detail detail = Detail::all;
  for (const Detail less : {Detail::without_bits, Detail::number_only}) {
    const float second = model.in_inference ? value_width(context, Word::inference, b, detail) : 80.0f;
    if (value_width(context, Word::training, a, detail) + kMarkRoom + second > right - x) detail = less;
  }
  x = draw_value(context, x, baseline, Word::training, a, detail);
  const TextStyle quiet{.size = kSize, .colour = Colour::ink3};
  if (!model.in_inference) {
    const Word why = model.inference_masked ? Word::masked_cell : Word::not_in_inference;
    sketch.text(x + 18.0f, baseline, sketch.fitted(context.say(why), right - x - 18.0f, quiet), quiet);
    return;
  }
  const Point mark{x + kMarkRoom / 2.0f, baseline - 4.0f};
  if (model.equal)
    draw_equal_mark(sketch, mark, 10.0f, Colour::equal);
  else
    draw_different_mark(sketch, mark, 10.0f, Colour::different);
  x = draw_value(context, x + kMarkRoom, baseline, Word::inference, b, detail);
  if (model.equal) return;
  const TextStyle loud{.font = Font::mono600, .size = kSize, .colour = Colour::different};
  const std::string distance = phrase(context.say(Word::ulp_distance), lessons::thousands(model.ulp).c_str());
  for (const std::string& text : {lessons::exponent(model.difference) + " · " + distance, distance})
    if (sketch.width(text, loud) <= right - x - 16.0f) {
      sketch.text_right(right, baseline, text, loud);
      return;
    }
}

struct FormulaPlace {
  float x, right, baseline;
};

/// "name = " before a formula; returns where the formula begins.
float draw_name(Context& context, const FormulaPlace& place, const std::string& name, bool visible) {
  const Piece line[] = {{visible ? name : "", Font::mono600, Colour::ink},
                        {" = ", Font::mono400, Colour::ink}};
  const float indent = visible ? 0.0f : context.sketch.measure.width(name, Font::mono600, kSize);
  return context.sketch.runs(place.x + indent, place.baseline, line, kSize);
}

void draw_note(Context& context, float x, float baseline, float right, const InspectorModel& model) {
  const tape::Explanation& explanation = model.training.explanation;
  if (explanation.form != tape::Form::softmax) return;
  const TextStyle quiet{.font = Font::mono400, .size = kSize, .colour = Colour::ink3};
  const std::string note = "m = " + lessons::fixed(explanation.maximum, 3);
  if (x + 24.0f + context.sketch.width(note, quiet) <= right)
    context.sketch.text_right(right, baseline, note, quiet);
}

/// One formula, its numbers under it, both values.
void draw_equal(Context& context, const Rect& area, const InspectorModel& model) {
  const float loose = context.layout.inspector_form == InspectorForm::full ? 3.0f : 0.0f;
  FormulaPlace place{area.x, area.right(), area.y + 8.0f + loose};
  const float begin = draw_name(context, place, model.name, true);
  const std::vector<Segment> line = fitting_segments(context, model.training, place.right - begin);
  draw_segments(context, begin, place.baseline, place.right, line, Row::symbols);
  draw_note(context, begin + line_width(context.sketch, line), place.baseline, place.right, model);
  place.baseline += kLine + loose;
  draw_name(context, place, model.name, false);
  draw_segments(context, begin, place.baseline, place.right, line, Row::numbers);
  draw_values(context, area.x, place.baseline + kLine + 3.0f + 2.0f * loose, area.right(), model);
}

/// Each pass's own numbers, its value at the right end.
void draw_pass_line(Context& context, const FormulaPlace& place, Word pass, const std::string& name,
                    const Sum& sum, Row row) {
  Sketch& sketch = context.sketch;
  const TextStyle label{.size = kSize, .colour = Colour::ink2};
  sketch.text(place.x, place.baseline, context.say(pass), label);
  const float indent = std::max(sketch.width(context.say(Word::training), label),
                                sketch.width(context.say(Word::inference), label)) +
                       16.0f;
  const TextStyle strong{.font = Font::mono600, .size = kSize};
  const float right =
      sketch.text_right(place.right, place.baseline, "= " + lessons::fixed(sum.value, 5), strong) - 12.0f;
  // Where all of the sum doesn't fit beside its name, the sum is what counts.
  const std::vector<Segment> whole = segments_of(sum, kMostTerms, context.language());
  const float named = sketch.measure.width(name + " = ", Font::mono600, kSize);
  const bool fits = place.x + indent + named + line_width(sketch, whole) <= right;
  const float begin =
      fits ? draw_name(context, {place.x + indent, place.right, place.baseline}, name, true)
           : draw_name(context, {place.x + indent - 7.0f, place.right, place.baseline}, "", true);
  draw_segments(context, begin, place.baseline, right, fitting_segments(context, sum, right - begin), row);
}

/// Why a softmax differs: its denominator holds tokens the other pass didn't have.
void draw_reason(Context& context, float x, float baseline, float right, const InspectorModel& model) {
  const Piece line[] = {{context.say(Word::because_future), Font::ui400, Colour::ink2},
                        {context.say(Word::future_terms), Font::ui600, Colour::different},
                        {context.say(Word::so_differs), Font::ui400, Colour::ink2},
                        {lessons::exponent(model.difference), Font::mono600, Colour::different},
                        {context.say(Word::same_as), Font::ui400, Colour::ink2},
                        {phrase(context.say(Word::ulp_distance), lessons::thousands(model.ulp).c_str()),
                         Font::mono600, Colour::different}};
  std::size_t count = std::size(line);
  while (count > 2 && context.sketch.runs_width({line, count}, kSize) > right - x) count -= 2;
  if (context.sketch.runs_width({line, count}, kSize) <= right - x)
    context.sketch.runs(x, baseline, {line, count}, kSize);
}

void draw_different(Context& context, const Rect& area, const InspectorModel& model, int lines) {
  const bool softmax = model.training.explanation.form == tape::Form::softmax;
  const Row row = softmax ? Row::symbols : Row::numbers;
  FormulaPlace place{area.x, area.right(), area.y + 8.0f};
  if (!softmax && lines >= 4) {
    const float begin = draw_name(context, place, model.name, true);
    draw_segments(context, begin, place.baseline, place.right,
                  fitting_segments(context, model.training, place.right - begin), Row::symbols);
    place.baseline += kLine;
  }
  draw_pass_line(context, place, Word::training, model.name, model.training, row);
  place.baseline += kLine;
  draw_pass_line(context, place, Word::inference, model.name, model.inference, row);
  place.baseline += kLine;
  const bool extra = std::count(model.training.extra.begin(), model.training.extra.end(), true) > 0;
  if (softmax && extra && lines >= 4) {
    draw_reason(context, area.x, place.baseline, area.right(), model);
    place.baseline += kLine;
  }
  draw_values(context, area.x, place.baseline + 2.0f, area.right(), model);
}

/// One formula, its numbers under it, its value: a board has one run.
void draw_single(Context& context, const Rect& area, const InspectorModel& model, int lines) {
  FormulaPlace place{area.x, area.right(), area.y + 8.0f};
  const TextStyle strong{.font = Font::mono600, .size = kSize};
  const std::string value = lessons::fixed(model.training.value, 4);
  const float begin = draw_name(context, place, model.name, true);
  if (lines < 2) {
    context.sketch.text(begin, place.baseline, value, strong);
    return;
  }
  const bool own_line = lines >= 3;
  const float room = own_line ? 0.0f : context.sketch.width("= " + value, strong) + 16.0f;
  std::vector<Segment> line;
  for (int terms = kMostTerms; terms >= 2; --terms) {
    line = segments_of(model.training, terms, context.language());
    if (line_width(context.sketch, line) <= place.right - begin - room) break;
  }
  const float end = std::min(begin + line_width(context.sketch, line), place.right - room);
  draw_segments(context, begin, place.baseline, place.right, line, Row::symbols);
  if (!own_line) draw_note(context, end, place.baseline, place.right, model);
  place.baseline += kLine;
  draw_name(context, place, model.name, false);
  draw_segments(context, begin, place.baseline, place.right - room, line, Row::numbers);
  if (!own_line) {
    context.sketch.text(end + 10.0f, place.baseline, "= " + value, strong);
    return;
  }
  place.baseline += kLine;
  const float x = draw_name(context, place, model.name, false);
  draw_note(context, context.sketch.text(x, place.baseline, value, strong), place.baseline, place.right,
            model);
}

void draw_empty(Context& context, const Rect& rect) {
  Sketch& sketch = context.sketch;
  const float side = std::min(22.0f, (rect.height - 20.0f) / 3.0f);
  float x = rect.x + kPadding;
  if (rect.height >= 60.0f) {
    const float y = rect.centre().y - 1.5f * side;
    for (int i = 0; i < 9; ++i)
      sketch.dashed({x + static_cast<float>(i % 3) * side, y + static_cast<float>(i / 3) * side, side - 2.0f,
                     side - 2.0f},
                    Colour::line2, 3.0f, 2.0f, 3.0f);
    x += 3.0f * side + 20.0f;
    sketch.text(x, rect.centre().y - 4.0f, context.say(Word::pick_a_cell_title),
                {.font = Font::ui600, .size = 13.0f});
    const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
    sketch.text(x, rect.centre().y + 16.0f,
                sketch.fitted(context.say(Word::pick_a_cell), rect.right() - x - 12.0f, body), body);
    return;
  }
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  sketch.text(x, baseline_at(rect.centre().y, 13.0f),
              sketch.fitted(context.say(Word::pick_a_cell), rect.width - 2.0f * kPadding, body), body);
}

void draw_sentence(Context& context, const Rect& area, const InspectorModel& model) {
  const Word why = model.state == InspectorState::masked           ? Word::masked_cell
                   : model.state == InspectorState::no_visible_key ? Word::no_visible_key
                                                                   : Word::given_value;
  const TextStyle body{.size = 13.0f, .colour = Colour::ink2};
  const float x =
      context.sketch.text(area.x, area.y + 8.0f, model.name, {.font = Font::mono600, .size = kSize});
  const std::string text = context.sketch.fitted(context.say(why), area.right() - x - 16.0f, body);
  context.sketch.text(x + 16.0f, area.y + 8.0f, text, body);
  if (model.state == InspectorState::given && area.height > 30.0f)
    draw_values(context, area.x, area.y + 8.0f + kLine, area.right(), model);
}

}  // namespace

void view_inspector(Context& context, const StageModel& stage) {
  const Layout& layout = context.layout;
  const Rect& rect = layout.inspector;
  if (rect.empty()) return;
  const Spot& hover = context.view.hover;
  const bool pointed = !layout.touch && (hover.region == region_id(group_of(Group::training_cells)) ||
                                         hover.region == region_id(group_of(Group::inference_cells)));
  const bool use_hover = pointed && stage.training.live(hover.row, hover.column);
  const InspectorModel model =
      use_hover ? inspector_model(context.subject.run, stage, hover.row, hover.column)
                : inspector_model(context.subject.run, stage, stage.focus.row, stage.focus.column);
  context.sketch.framed(rect, Colour::page, Colour::line, 10.0f);
  const float text_top = layout.inspector_form == InspectorForm::line      ? rect.centre().y - 4.0f
                         : layout.inspector_form == InspectorForm::compact ? rect.y + 13.0f
                                                                           : rect.y + kPadding;
  const Rect area{rect.x + kPadding, text_top, rect.width - 2.0f * kPadding, rect.height - kPadding};
  if (model.state == InspectorState::nothing) return draw_empty(context, rect);
  if (model.state != InspectorState::sum) return draw_sentence(context, area, model);
  if (layout.inspector_form == InspectorForm::line)
    return draw_values(context, area.x, area.y + 8.0f, area.right(), model);
  if (model.in_inference && !model.equal)
    return draw_different(context, area, model, layout.inspector_form == InspectorForm::full ? 4 : 3);
  draw_equal(context, area, model);
}

Given given_kind(const lessons::Lesson& lesson, const tape::Label& tensor, bool chosen) {
  if (lessons::is_toggled(lesson, tensor)) return Given::toggles;
  if (lessons::is_editable(lesson, tensor) && chosen) return Given::changes;
  switch (tensor.site) {
    case tape::Site::figures:
    case tape::Site::row_sums:
    case tape::Site::losses:
    case tape::Site::probabilities:
    case tape::Site::weights:
      return Given::measured;
    default:
      return Given::fixed;
  }
}

void view_board_inspector(Context& context, const BoardModel& board) {
  const Layout& layout = context.layout;
  const Rect& rect = layout.inspector;
  if (rect.empty()) return;
  lessons::Focus shown = board.focus;
  const Spot& hover = context.view.hover;
  for (std::size_t i = 0; i < board.blocks.size(); ++i)
    if (hover.region == region_id(group_of(Group::blocks, static_cast<int>(i))) && hover.row >= 0 &&
        board.blocks[i].is_matrix() && !layout.touch)
      shown = {board.blocks[i].block->tensor, board.blocks[i].head, hover.row, hover.column};
  const InspectorModel model =
      cell_model(context.subject.run, shown,
                 {context.subject.run.sheet_at(context.subject.step).blocks, context.language(),
                  layout.size == Size::phone ? kMostOnPhone : kMostTitle});
  context.sketch.framed(rect, Colour::page, Colour::line, 10.0f);
  if (model.state == InspectorState::nothing) return draw_empty(context, rect);
  const int lines = rect.height >= 54.0f ? rect.height >= 80.0f ? 3 : 2 : 1;
  const auto area_of = [&](int count) {
    const float top = rect.centre().y - 4.0f - kLine * static_cast<float>(count - 1) / 2.0f;
    return Rect{rect.x + kPadding, top, rect.width - 2.0f * kPadding, rect.bottom() - top};
  };
  const Given given = given_kind(context.subject.lesson, shown.tensor, shown == board.focus);
  const bool replaceable = model.state == InspectorState::sum && given == Given::changes;
  const bool typing = replaceable && context.view.edit.parameter == NumberEdit::kCell;
  if (model.state == InspectorState::given || typing) return draw_given(context, rect, model, given);
  const bool on_phone = layout.size == Size::phone && lines > 1;
  if (model.state != InspectorState::sum)
    return on_phone ? draw_on_phone(context, rect, model) : draw_sentence(context, area_of(1), model);
  const float button = replaceable ? draw_change_button(context, rect) : 0.0f;
  Rect room = rect;
  room.width -= button;
  if (on_phone) return draw_on_phone(context, room, model);
  Rect area = area_of(lines);
  area.width -= button;
  draw_single(context, area, model, lines);
}

}  // namespace attn::ui
