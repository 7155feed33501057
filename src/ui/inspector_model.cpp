#include "ui/inspector_model.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "tape/compare.h"
#include "ui/names.h"
#include "ui/strings.h"

namespace attn::ui {
namespace {

using tape::Explanation;
using tape::Form;

constexpr std::size_t kMostInSum = 15;  // bytes of a title that a sum has room for

/// Its symbol is a word for whatever stands there, which the title of a block says better.
bool is_word(tape::Site site) {
  const bool known = site == tape::Site::scores || site == tape::Site::weights;
  return !known && tape::symbol_of(site).size() > 2;
}

bool is_headed(const tape::Element& e) {
  const std::span<const tape::Axis> axes = tape::axes_of(e.label);
  return e.rank >= 3 && !axes.empty() && axes[0] == tape::Axis::head;
}

/// "[2,0]": the index without the head.
std::string place_in(const tape::Element& e) {
  std::string text = "[";
  const int first = is_headed(e) ? 1 : 0;
  for (int axis = first; axis < e.rank; ++axis)
    text += (axis > first ? "," : "") + std::to_string(e.index[static_cast<std::size_t>(axis)]);
  return text + "]";
}

/// A mean of heads tells its terms apart by the head, which is all they differ in.
std::string name_in(const Sum& sum, const tape::Element& e) {
  if (sum.explanation.op != tape::Op::mean_heads || !is_headed(e)) return sum.names.of(e, kMostInSum);
  return phrase(word(Word::head, sum.names.language), e.index[0] + 1) + place_in(e);
}

Sum sum_at(const tape::Tape& tape, tape::Value entry, int head, int row, int column) {
  Sum sum;
  const tape::Entry& of = tape.entry(entry);
  const auto index = lessons::index_of(of.label, of.value.shape, {head, row, column});
  sum.explanation = tape::explain(tape, entry, index);
  sum.value = sum.explanation.result.value;
  sum.extra.assign(sum.explanation.terms.size(), false);
  return sum;
}

/// What a function is taken of, where no block shows it, is known to the reader by its own sum.
void open_function(Sum& sum, const tape::Tape& tape) {
  if (sum.explanation.form != Form::function) return;
  const tape::Element& taken = sum.explanation.terms[0].a;
  const auto& blocks = sum.names.blocks;
  const bool shown = std::any_of(blocks.begin(), blocks.end(),
                                 [&](const lessons::Block& block) { return block.tensor == taken.label; });
  const tape::Value entry = tape.find(taken.label);
  if (shown || !entry.valid()) return;
  tape::Explanation inner = tape::explain(tape, entry, taken.index);
  if (inner.form == Form::sum_of_products) sum.inner = std::move(inner);
}

/// Terms of a softmax the other pass doesn't have.
void mark_extra(Sum& sum, const Sum& other) {
  if (sum.explanation.form != Form::softmax) return;
  for (std::size_t i = 0; i < sum.explanation.terms.size(); ++i) {
    const auto& terms = other.explanation.terms;
    sum.extra[i] = std::none_of(terms.begin(), terms.end(), [&](const tape::Term& term) {
      return term.a.index == sum.explanation.terms[i].a.index;
    });
  }
}

void plain(std::vector<Segment>& line, const char* symbol, const char* number, Colour colour = Colour::ink) {
  line.push_back({.symbol = symbol, .number = number, .colour = colour});
}

void both(std::vector<Segment>& line, const char* text, Colour colour = Colour::ink3) {
  plain(line, text, text, colour);
}

void element(std::vector<Segment>& line, const Sum& sum, const tape::Element& e, bool right, int term) {
  line.push_back({.symbol = name_in(sum, e),
                  .number = lessons::fixed(e.value, 3),
                  .colour = role_colour(e.label),
                  .align = right ? Align::right : Align::left,
                  .term = term});
}

/// `shifted`: as it is computed, e to the score minus the largest score; else as it is written in papers.
void softmax_term(std::vector<Segment>& line, const tape::Term& term, bool extra, int position,
                  bool shifted) {
  const std::string score = lessons::fixed(term.a.value, 3);
  line.push_back({.symbol = shifted ? "e^(" + score + "−m)" : "e^" + score,
                  .number = lessons::fixed(term.contribution, 3),
                  .colour = extra ? Colour::different : Colour::ink,
                  .strong = extra,
                  .align = Align::centre,
                  .term = position});
}

void add_term(std::vector<Segment>& line, const Sum& sum, int position) {
  const tape::Term& term = sum.explanation.terms[static_cast<std::size_t>(position)];
  if (sum.explanation.form == Form::softmax)
    return softmax_term(line, term, sum.extra[static_cast<std::size_t>(position)], position, sum.shifted);
  element(line, sum, term.a, true, position);
  if (term.b.rank < 0) return;
  both(line, "·");
  element(line, sum, term.b, false, position);
}

/// The summands, with "… 58 terms …" for those left out.
void add_terms(std::vector<Segment>& line, const Sum& sum, int most, lessons::Language language) {
  const int count = static_cast<int>(sum.explanation.terms.size());
  int first = count <= most ? count : std::max(most - 1, 1);
  if (count - first == 2 && first > 1) --first;  // never "1 terms"
  for (int i = 0; i < first; ++i) {
    if (i > 0) both(line, " + ");
    add_term(line, sum, i);
  }
  if (first == count) return;
  const int left_out = count - first - 1;
  if (left_out > 0) {
    both(line, " + ");
    bool extra = false;
    for (int i = first; i + 1 < count; ++i) extra = extra || sum.extra[static_cast<std::size_t>(i)];
    const std::string text = phrase(word(Word::terms_more, language),
                                    lessons::thousands(static_cast<std::uint32_t>(left_out)).c_str());
    line.push_back({.symbol = text, .number = text, .colour = extra ? Colour::different : Colour::ink3});
  }
  both(line, " + ");
  add_term(line, sum, count - 1);
}

void add_divisor(std::vector<Segment>& line, const Explanation& explanation) {
  const float divisor = explanation.divisor;
  if (divisor == 1.0f) return both(line, " )", Colour::ink);
  const bool whole = divisor == std::floor(divisor);
  const std::string root = explanation.divisor_squared > 0 ? "√" + std::to_string(explanation.divisor_squared)
                                                           : lessons::fixed(divisor, whole ? 0 : 3);
  line.push_back({.symbol = " ) / " + root, .number = " ) / " + lessons::fixed(divisor, whole ? 0 : 3)});
}

std::string bracketed(float value) {
  const std::string text = lessons::fixed(value, 3);
  return text.starts_with("−") ? "(" + text + ")" : text;
}

void add_layer_norm(std::vector<Segment>& line, const Sum& sum) {
  const Explanation& explanation = sum.explanation;
  both(line, "( ", Colour::ink);
  element(line, sum, explanation.terms[0].a, true, 0);
  line.push_back(
      {.symbol = " − mean ) / deviation",
       .number = " − " + bracketed(explanation.mean) + " ) / " + lessons::fixed(explanation.divisor, 3)});
  both(line, " · ", Colour::ink);
  element(line, sum, explanation.scale, true, -1);
  both(line, " + ", Colour::ink);
  element(line, sum, explanation.bias, true, -1);
}

}  // namespace

Colour role_colour(const tape::Label& label) {
  switch (label.site) {
    case tape::Site::query:
    case tape::Site::query_columns:
      return Colour::query;
    case tape::Site::key:
    case tape::Site::key_columns:
      return Colour::key;
    case tape::Site::value:
    case tape::Site::value_columns:
      return Colour::value;
    case tape::Site::memory:
      return Colour::memory;
    case tape::Site::context:
    case tape::Site::context_columns:
    case tape::Site::output:
      return Colour::output;
    default:
      return Colour::ink2;
  }
}

std::string Names::of(const tape::Element& e, std::size_t bytes) const {
  const std::string index = place_in(e);
  const std::string_view symbol = tape::symbol_of(e.label.site);
  const std::string text(symbol.empty() ? "x" : symbol);  // of a view no block shows
  const lessons::Block* named = nullptr;
  bool several = false;  // blocks of this site: the symbol would not tell them apart
  for (const lessons::Block& block : blocks) {
    if (block.kind != lessons::BlockKind::matrix || block.tensor.site != e.label.site) continue;
    several = several || !(block.tensor == e.label);
    if (block.tensor == e.label) named = &block;
  }
  if (named == nullptr) return text + index;
  const bool parameter = tape::is_parameter(e.label.site);
  constexpr std::size_t kLetter = 3;  // bytes: "W", where the symbol would be "W_1"
  if (const std::string letter = named->name().in(language); parameter && letter.size() <= kLetter)
    return letter + index;
  if (parameter || (!several && !is_word(e.label.site))) return text + index;
  for (const lessons::Text* title : {&named->title, &named->name()})
    if (const std::string words = title->in(language); words.size() <= bytes) return words + index;
  return text + index;
}

std::vector<Segment> segments_of(const Sum& sum, int most, lessons::Language language) {
  const Explanation& explanation = sum.explanation;
  std::vector<Segment> line;
  switch (explanation.form) {
    case Form::given:
    case Form::no_visible_key:
    case Form::masked:
    case Form::dropped:
      return line;
    case Form::copied:
      add_term(line, sum, 0);
      return line;
    case Form::sum_of_products:
      add_terms(line, sum, most, language);
      if (explanation.bias.rank >= 0) {
        both(line, " + ");
        element(line, sum, explanation.bias, true, -1);
      }
      return line;
    case Form::scaled_products:
      both(line, "( ", Colour::ink);
      add_terms(line, sum, most, language);
      add_divisor(line, explanation);
      return line;
    case Form::softmax:
      softmax_term(line, explanation.terms[static_cast<std::size_t>(explanation.chosen)], false,
                   explanation.chosen, sum.shifted);
      both(line, " / ( ", Colour::ink);
      add_terms(line, sum, most, language);
      both(line, " )", Colour::ink);
      return line;
    case Form::plain_sum:
      add_terms(line, sum, 2, language);
      return line;
    case Form::layer_norm:
      add_layer_norm(line, sum);
      return line;
    case Form::relu:
      both(line, "max( 0, ", Colour::ink);
      add_term(line, sum, 0);
      both(line, " )", Colour::ink);
      return line;
    case Form::gelu:
      add_term(line, sum, 0);
      both(line, "·Φ( ", Colour::ink);
      add_term(line, sum, 0);
      both(line, " )", Colour::ink);
      return line;
    case Form::scaled:
      add_term(line, sum, 0);
      both(line, " · ", Colour::ink);
      both(line, lessons::fixed(explanation.constant, 3).c_str(), Colour::ink);
      return line;
    case Form::rms_norm:
      element(line, sum, explanation.terms[0].a, true, 0);
      line.push_back(
          {.symbol = " / rms · ", .number = " / " + lessons::fixed(explanation.divisor, 3) + " · "});
      element(line, sum, explanation.scale, true, -1);
      return line;
    case Form::difference:
      add_term(line, sum, 0);
      both(line, " − ");
      add_term(line, sum, 1);
      return line;
    case Form::rotated:
      add_term(line, sum, 0);
      both(line, explanation.negative ? " − " : " + ");
      add_term(line, sum, 1);
      return line;
    case Form::log_softmax:
      add_term(line, sum, explanation.chosen);
      line.push_back({.symbol = " − max − ln Σ",
                      .number = " − " + bracketed(explanation.maximum) + " − ln " +
                                lessons::fixed(explanation.total, 3)});
      return line;
    case Form::loss:
      line.push_back({.symbol = "Σ loss", .number = lessons::fixed(explanation.total, 3)});
      both(line, " / ", Colour::ink);
      line.push_back({.symbol = "Σ w", .number = lessons::fixed(explanation.divisor, 3)});
      return line;
    case Form::function:
      both(line, (std::string(tape::function_name(explanation.op)) + "( ").c_str(), Colour::ink);
      if (sum.inner) {
        Sum inner;
        inner.explanation = *sum.inner;
        inner.names = sum.names;
        inner.extra.assign(inner.explanation.terms.size(), false);
        for (Segment& segment : segments_of(inner, most, language)) line.push_back(std::move(segment));
      } else {
        add_term(line, sum, 0);
      }
      both(line, " )", Colour::ink);
      return line;
  }
  return line;
}

InspectorModel inspector_model(const lessons::Run& run, const StageModel& stage, int row, int column) {
  InspectorModel model;
  if (!stage.valid() || !stage.training.live(row, column)) return model;
  const int head = stage.focus.head;
  model.training = sum_at(run.twin->training.tape, stage.training.entry, head, row, column);
  model.name = model.training.names.of(model.training.explanation.result);
  const bool inference_live = stage.inference.live(row, column);
  if (inference_live)
    model.inference = sum_at(run.twin->inference.tape, stage.inference.entry, head, row, column);
  model.in_inference = stage.inference.shows_value(row, column);
  model.inference_masked = inference_live && !model.in_inference;
  if (!stage.training.shows_value(row, column)) {
    const bool nothing = model.training.explanation.form == Form::no_visible_key;
    model.state = nothing ? InspectorState::no_visible_key : InspectorState::masked;
    return model;
  }
  model.state = model.training.explanation.form == Form::given ? InspectorState::given : InspectorState::sum;
  if (!model.in_inference) return model;
  mark_extra(model.training, model.inference);
  mark_extra(model.inference, model.training);
  model.equal = core::bits_of(model.training.value) == core::bits_of(model.inference.value);
  model.difference = std::fabs(model.training.value - model.inference.value);
  model.ulp = core::ulp_distance(model.training.value, model.inference.value);
  model.training.shifted = model.inference.shifted = model.equal;  // the two maxima may differ
  return model;
}

/// Of a softmax over a vocabulary: the largest summands first.
void rank_terms(tape::Explanation& explanation) {
  constexpr std::size_t kFew = 40;  // all of them may be written out
  std::vector<tape::Term>& terms = explanation.terms;
  if (explanation.form != Form::softmax || terms.size() < kFew) return;
  const tape::Term chosen = terms[static_cast<std::size_t>(explanation.chosen)];
  std::stable_sort(terms.begin(), terms.end(),
                   [](const tape::Term& a, const tape::Term& b) { return a.a.value > b.a.value; });
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (terms[i].a.index == chosen.a.index) explanation.chosen = static_cast<int>(i);
}

InspectorModel cell_model(const lessons::Run& run, const lessons::Focus& focus, const Names& names) {
  InspectorModel model;
  const tape::Tape& tape = run.tape();
  const tape::Value entry = tape.find(focus.tensor);
  if (!entry.valid() || !focus.has_cell()) return model;
  const lessons::Plane plane = lessons::plane_of(focus.tensor, tape.tensor(entry).shape);
  if (!plane.has_cell(focus.head, focus.row, focus.column)) return model;
  model.training = sum_at(tape, entry, focus.head, focus.row, focus.column);
  rank_terms(model.training.explanation);
  model.training.names = names;
  model.name = names.of(model.training.explanation.result);
  open_function(model.training, tape);
  for (const lessons::Block& block : names.blocks)
    if (block.kind == lessons::BlockKind::candidates && block.tensor == focus.tensor)
      model.name = std::string(tape::symbol_of(focus.tensor.site)) + "(" +
                   run.word_at(tape::Axis::vocabulary, focus.column) + ")";
  const bool pairs = focus.tensor.site == tape::Site::scores || focus.tensor.site == tape::Site::weights;
  const Form form = model.training.explanation.form;
  if (pairs && !tape::is_visible(tape, focus.tensor, focus.row, focus.column))
    model.state = form == Form::no_visible_key ? InspectorState::no_visible_key : InspectorState::masked;
  else
    model.state = form == Form::given ? InspectorState::given : InspectorState::sum;
  if (model.state != InspectorState::given) return model;
  for (const lessons::Block& block : names.blocks)
    if (block.tensor == focus.tensor && block.origin.en[0] != '\0')
      model.origin = block.origin.in(names.language);
  return model;
}

}  // namespace attn::ui
