#include "ui/narration_text.h"

#include <algorithm>

#include "lessons/glossary.h"
#include "ui/card.h"
#include "ui/controls.h"
#include "ui/rich_text.h"
#include "ui/sentence_field.h"
#include "ui/topic_light.h"

namespace attn::ui {
namespace {

constexpr float kBody = 15.0f;
constexpr float kSmallestBody = 13.0f;   // a longer text scrolls
constexpr float kSmallestBrief = 12.5f;  // a longer sentence is cut: the card has it
constexpr float kPager = 36.0f;          // height
constexpr int kLightsNothing = 0x6001;   // index of the first term that is no topic either
constexpr int kWordsOfCard = 128;        // its regions are numbered from here

/// A line of the text, a rule, or (with neither) the answer.
struct TextRow {
  RichLine line = {};
  float size = kBody;
  float height = 26.0f;
  float space = 0.0f;  // below
  bool rule = false;
};

float height_of(std::span<const TextRow> rows) {
  float height = 0.0f;
  for (const TextRow& row : rows) height += row.height + row.space;
  return rows.empty() ? 0.0f : height - rows.back().space;
}

/// A word with a role can be pointed at, one of the glossary opens its card.
void draw_word(Context& context, const Piece& piece, const Rect& rect, float size, int number) {
  if (!piece.topic.lights() && piece.term == nullptr) return;
  Sketch& sketch = context.sketch;
  Region word = word_region(piece, rect);
  const int index = piece.topic.lights() ? lessons::code_of(piece.topic) : kLightsNothing + (number << 4);
  if (piece.term != nullptr) word.id = region_id(group_of(Group::narration), index | kTermWord);
  const float under = rect.centre().y + 0.5f * size;
  if (piece.term != nullptr) {
    word.role = RegionRole::link;
    word.enabled = true;
    word.pointer_only = false;
    word.label = piece.term->name.in(context.language());
    word.intent = {.kind = IntentKind::toggle_term,
                   .index = static_cast<int>(word.id),
                   .value = static_cast<int>(piece.term - lessons::glossary().data())};
    const bool lit = is_hovered(context, word.id) || context.view.card_word == word.id;
    sketch.add(LineItem{.a = {rect.x, under + 1.5f},
                        .b = {rect.right(), under + 1.5f},
                        .colour = lit ? piece.colour : Colour::control,
                        .dash = 1.5f,
                        .dash_gap = 2.0f});
  }
  sketch.region(std::move(word));
  if (!piece.topic.lights() || !piece.topic.covers(topic_light(context.subject, context.view).words)) return;
  sketch.add(BoxItem{
      .rect = {rect.x, under, rect.width, 2.0f}, .fill = piece.colour, .tag = {.mark = Mark::lit_word}});
}

/// `number` counts the words, for their regions.
void draw_line(Context& context, Point at, const RichLine& line, float size, float height, int& number) {
  float x = at.x;
  for (const Piece& piece : line) {
    const float width = context.sketch.measure.width(piece.text, piece.font, size);
    draw_word(context, piece, {x, at.y, width, height}, size, number++);
    x += width;
  }
  context.sketch.runs(at.x, baseline_at(at.y + height / 2.0f, size), line, size);
}

/// How far the step's question is answered: a mark and its words. Returns the x where it ends.
float draw_answer(Context& context, const lessons::Step& step, float x, float baseline) {
  const Point mark{x + 6.0f, baseline - 4.5f};
  Colour colour = Colour::ink3;
  switch (step.answer) {
    case lessons::Answer::none:
      return x;
    case lessons::Answer::open:
      context.sketch.add(CircleItem{.centre = mark, .radius = 5.5f, .stroke = colour, .stroke_width = 2.0f});
      break;
    case lessons::Answer::wrong:
      colour = Colour::different;
      for (const float slope : {-4.0f, 4.0f})
        context.sketch.stroke({mark.x - 4.0f, mark.y - slope}, {mark.x + 4.0f, mark.y + slope}, colour, 2.0f);
      break;
    case lessons::Answer::right:
      colour = Colour::equal;
      context.sketch.stroke({mark.x - 4.5f, mark.y}, {mark.x - 1.0f, mark.y + 4.0f}, colour, 2.0f);
      context.sketch.stroke({mark.x - 1.0f, mark.y + 4.0f}, {mark.x + 5.0f, mark.y - 4.5f}, colour, 2.0f);
      break;
  }
  return context.sketch.text(
      x + 20.0f, baseline, lessons::words_of(step.answer).in(context.language()),
      {.font = Font::ui500, .size = 13.0f, .colour = colour, .tag = {.mark = Mark::answer}});
}

std::string step_number(const Context& context) {
  return phrase(context.say(Word::step_of), context.subject.step + 1,
                static_cast<int>(context.subject.run.steps.size()));
}

/// Everything a step says, in lines of this width.
std::vector<TextRow> rows_of(const Context& context, const lessons::Step& step, float width, float size) {
  const Sketch& sketch = context.sketch;
  const lessons::Language language = context.language();
  const float shrink = kBody - size;
  lessons::TermsSeen seen;
  std::vector<TextRow> rows;
  const auto add = [&](const std::vector<RichLine>& lines, float of, float height, float space) {
    for (const RichLine& line : lines) rows.push_back({line, of, height});
    if (!lines.empty()) rows.back().space = space;
  };
  const auto add_text = [&](const std::string& markup) {
    for (const lessons::Paragraph& paragraph : lessons::parse_narration(markup))
      add(wrap(sketch, lessons::with_terms(paragraph, seen), width, size), size, 26.0f - 2.0f * shrink,
          12.0f);
  };
  rows.push_back({{{step_number(context), Font::mono400, Colour::ink3}}, 12.0f, 24.0f});
  add(wrap_balanced(sketch, {{step.title.in(language), lessons::Role::strong}}, width, 18.0f - shrink),
      18.0f - shrink, 26.0f - shrink, 14.0f - 2.0f * shrink);
  add_text(step.narration.in(language));
  if (step.answer != lessons::Answer::none) rows.push_back({.space = 6.0f});
  if (!step.formula.text.empty())
    add(wrap(sketch, {{step.formula.text, lessons::Role::code}}, width, 13.0f), 13.0f, 22.0f, 8.0f);
  if (step.try_it.in(language).empty()) return rows;
  rows.push_back({.height = 17.0f, .rule = true});
  rows.push_back({{{context.say(Word::try_it), Font::ui400, Colour::ink3}}, 12.0f, 30.0f});
  add_text(step.try_it.in(language));
  return rows;
}

/// As large as fits.
std::vector<TextRow> fitting_rows(const Context& context, const lessons::Step& step, const Rect& area) {
  for (float size = kBody;; size -= 1.0f) {
    std::vector<TextRow> rows = rows_of(context, step, area.width, size);
    if (height_of(rows) <= area.height || size <= kSmallestBody) return rows;
  }
}

/// Up and down through a text that is longer than its place.
void draw_pager(Context& context, const Rect& area, int first, int last, int lines) {
  const float side = context.layout.touch ? 44.0f : 32.0f;
  Rect button{area.right() - 2.0f * side - 4.0f, area.bottom() - side, side, side};
  for (const int way : {-1, 1}) {
    icon_button(context, button, way < 0 ? Icon::less : Icon::more,
                region_id(group_of(Group::narration), 0xFFF0 + way),
                way < 0 ? Word::text_up : Word::text_down,
                {.kind = IntentKind::scroll_text, .index = last, .value = way * std::max(lines - 1, 1)},
                {.enabled = way < 0 ? first > 0 : first < last, .frameless = true});
    button.x += side + 4.0f;
  }
}

/// All of it where it fits; else from the line the reader has come to, whole lines only.
void draw_rows(Context& context, const lessons::Step& step, const Rect& area, std::span<const TextRow> rows,
               int number) {
  const bool fits = height_of(rows) <= area.height;
  const float bottom = area.bottom() - (fits ? 0.0f : context.layout.touch ? 48.0f : kPager);
  std::size_t last = 0;  // the first line of the end of the text
  while (!fits && last + 1 < rows.size() && height_of(rows.subspan(last)) > bottom - area.y) ++last;
  const std::size_t first = std::min(static_cast<std::size_t>(context.view.text_line), last);
  if (!fits)
    context.sketch.region({.id = region_id(group_of(Group::narration), 0xFFF8),
                           .group = group_of(Group::narration),
                           .role = RegionRole::backdrop,
                           .rect = area,
                           .visual = area,
                           .intent = {.kind = IntentKind::scroll_text, .index = static_cast<int>(last)}});
  float y = area.y;
  std::size_t row = first;
  for (; row < rows.size() && y + rows[row].height <= bottom + 0.5f; ++row) {
    const TextRow& now = rows[row];
    const float middle = y + now.height / 2.0f;
    if (now.rule)
      context.sketch.line({area.x, middle}, {area.right(), middle}, Colour::line);
    else if (now.line.empty())
      draw_answer(context, step, area.x, baseline_at(middle, 13.0f));
    else
      draw_line(context, {area.x, y}, now.line, now.size, now.height, number);
    y += now.height + now.space;
  }
  if (!fits)
    draw_pager(context, area, static_cast<int>(first), static_cast<int>(last), static_cast<int>(row - first));
}

/// Opens the card with the whole text.
void draw_more(Context& context, const Rect& rect) {
  icon_button(context, rect, Icon::more, region_id(group_of(Group::narration), 0xFFFA), Word::open_narration,
              {.kind = IntentKind::toggle_narration}, {.frameless = true});
}

/// One sentence in two lines, smaller where that helps, in three where it would be cut and they have room;
/// near the area's top or centred in it.
void draw_sentence(Context& context, const Rect& area, const std::vector<lessons::Paragraph>& text,
                   float size, bool centred) {
  std::size_t most = 2;
  std::vector<RichLine> lines;
  float leading = size + (size > 14.0f ? 9.0f : 8.0f);
  for (;; size -= 0.5f) {
    lines.clear();
    lessons::TermsSeen seen;
    for (const lessons::Paragraph& paragraph : text)
      for (RichLine& line : wrap(context.sketch, lessons::with_terms(paragraph, seen), area.width, size))
        lines.push_back(std::move(line));
    if (lines.size() <= most || size <= kSmallestBrief) break;
  }
  if (lines.size() > most && 3.0f * (size + 8.0f) <= area.height) {
    most = 3;
    leading = area.height / 3.0f;
  }
  if (lines.size() > most) {
    lines.resize(most);
    RichLine& line = lines.back();
    const auto too_wide = [&] { return context.sketch.runs_width(line, size) + size > area.width; };
    while (line.size() > 1 && too_wide()) line.pop_back();
    Piece& end = line.back();
    const float before = context.sketch.runs_width(std::span(line).first(line.size() - 1), size);
    end.text = context.sketch.fitted(end.text + "…", area.width - before, {.font = end.font, .size = size});
  }
  float y = area.y + (lines.size() > 2 ? 0.0f : 4.0f);
  if (centred) y = area.centre().y - leading * static_cast<float>(lines.size()) / 2.0f;
  int number = 0;
  for (const RichLine& line : lines) {
    draw_line(context, {area.x, y}, line, size, leading, number);
    y += leading;
  }
}

/// Returns the place for the reader's sentence, at its end.
Rect draw_strip(Context& context, const lessons::Step& step) {
  const Rect& area = context.layout.narration;
  const float side = target_side(context.layout);
  float x = context.sketch.text(24.0f, baseline_at(area.centre().y, 12.0f), step_number(context),
                                {.font = Font::mono400, .size = 12.0f, .colour = Colour::ink3}) +
            24.0f;
  const float answered = draw_answer(context, step, x, baseline_at(area.centre().y, 13.0f));
  if (answered > x) x = answered + 24.0f;
  const SentenceField* field = sentence_field_of(context);
  Rect sentence{area.right() - 24.0f, area.centre().y - kSentenceBox / 2.0f, 0.0f, kSentenceBox};
  if (field != nullptr) {
    sentence.width = 240.0f;
    sentence.x -= sentence.width;
  }
  const float end = field != nullptr ? sentence.x - 12.0f : area.right() - 12.0f;
  const Rect more{end - side, area.centre().y - side / 2.0f, side, side};
  const core::Error& refusal = context.view.sentence.refusal;
  const bool refused = field != nullptr && !refusal.message.empty();
  draw_sentence(context, {x, area.y, more.x - 12.0f - x, area.height},
                refused ? std::vector<lessons::Paragraph>{{{lessons::said_in(refusal, context.language()),
                                                            lessons::Role::different}}}
                        : lessons::parse_narration(step.brief.in(context.language())),
                14.0f, true);
  draw_more(context, more);
  return sentence;
}

/// Returns the place for the reader's sentence, under the text.
Rect draw_panel(Context& context, const lessons::Step& step) {
  constexpr float kOverLine = 20.0f;   // of the line between text and sentence
  constexpr float kUnderLine = 18.0f;  // … and the sentence
  const Rect& area = context.layout.narration;
  Rect text{area.x + 28.0f, area.y + 26.0f, area.width - 56.0f, area.height - 50.0f};
  const SentenceField* field = sentence_field_of(context);
  const float height = field != nullptr ? field->height(context, text.width) : 0.0f;
  if (field != nullptr) text.height -= kOverLine + kUnderLine + height;
  const std::vector<TextRow> rows = fitting_rows(context, step, text);
  draw_rows(context, step, text, rows, 0);
  if (field == nullptr) return {};
  const float line = text.y + std::min(height_of(rows), text.height) + kOverLine;
  context.sketch.line({text.x, line + 0.5f}, {text.right(), line + 0.5f}, Colour::line);
  return {text.x, line + kUnderLine, text.width, height};
}

void draw_brief(Context& context, const lessons::Step& step) {
  const Rect& area = context.layout.narration;
  const std::string answer = lessons::words_of(step.answer).in(context.language());
  draw_sentence(context, {16.0f, area.y + 8.0f, area.width - 64.0f, area.height - 8.0f},
                lessons::parse_narration((answer.empty() ? "" : "{strong|" + answer + "} · ") +
                                         step.brief.in(context.language())),
                kBody, false);
  draw_more(context, {area.right() - 46.0f, area.y + 8.0f, 44.0f, 44.0f});
}

}  // namespace

Rect draw_narration(Context& context, const lessons::Step& step) {
  switch (context.layout.narration_layout) {
    case NarrationLayout::hidden:
      break;
    case NarrationLayout::panel:
      return draw_panel(context, step);
    case NarrationLayout::strip:
      return draw_strip(context, step);
    case NarrationLayout::brief:
      draw_brief(context, step);
      break;
  }
  return {};
}

void draw_narration_card(Context& context) {
  const lessons::Step* step = context.subject.step_now();
  if (step == nullptr) return;
  constexpr float kAround = 78.0f;  // title and margins
  Rect card = centred_card(context.layout, 560.0f, context.layout.height);
  const auto text_of = [&card] {
    return Rect{card.x + 20.0f, card.y + kAround - 20.0f, card.width - 40.0f, card.height - kAround};
  };
  const std::vector<TextRow> rows = fitting_rows(context, *step, text_of());
  card = centred_card(context.layout, 560.0f, height_of(rows) + kAround);
  begin_card(context, card, context.say(Word::narration));
  draw_rows(context, *step, text_of(), rows, kWordsOfCard);
}

void draw_term_card(Context& context) {
  const auto terms = lessons::glossary();
  const auto index = static_cast<std::size_t>(context.view.card_term);
  if (index >= terms.size()) return;
  constexpr float kSize = 14.0f;
  constexpr float kLeading = 22.0f;
  const Layout& layout = context.layout;
  Rect card = centred_card(layout, 320.0f, 0.0f);
  const auto lines =
      wrap(context.sketch, {{terms[index].definition.in(context.language()), lessons::Role::plain}},
           card.width - 40.0f, kSize);
  card.height = 66.0f + kLeading * static_cast<float>(lines.size());
  card.y = (layout.height - card.height) / 2.0f;
  if (const Region* word = context.sketch.scene.find(context.view.card_word); word != nullptr) {
    card.x = std::clamp(word->rect.x - 20.0f, 12.0f, layout.width - card.width - 12.0f);
    const float under = word->rect.bottom() + 6.0f;
    card.y = under + card.height <= layout.height - 12.0f ? under : word->rect.y - 6.0f - card.height;
  }
  begin_card(context, card, terms[index].name.in(context.language()));
  float y = card.y + 48.0f;
  int number = 0;
  for (const RichLine& line : lines) {
    draw_line(context, {card.x + 20.0f, y}, line, kSize, kLeading, number);
    y += kLeading;
  }
}

}  // namespace attn::ui
