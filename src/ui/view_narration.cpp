#include "ui/rich_text.h"
#include "ui/role_light.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

struct Cursor {
  float x, y, width, bottom;
  int words = 0;  // with a role, so far
};

/// One line; its words with a role can be pointed at and are tinted while something of their role is.
void draw_line(Context& context, Cursor& cursor, const RichLine& line, float size, float line_height) {
  Sketch& sketch = context.sketch;
  const lessons::Role lit = role_light(context.subject, context.view).words;
  float x = cursor.x;
  for (const Piece& piece : line) {
    const float width = sketch.measure.width(piece.text, piece.font, size);
    const Rect rect{x, cursor.y, width, line_height};
    x += width;
    if (!lights(piece.role)) continue;
    sketch.region(word_region(piece, cursor.words++, rect));
    if (piece.role != lit) continue;
    sketch.add(BoxItem{.rect = {rect.x, cursor.y + line_height / 2.0f + 0.5f * size, width, 2.0f},
                       .fill = piece.colour,
                       .tag = {.mark = Mark::lit_word}});
  }
  sketch.runs(cursor.x, baseline_at(cursor.y + line_height / 2.0f, size), line, size);
}

/// Paragraphs until the bottom; `y` moves on below them.
void draw_paragraphs(Context& context, Cursor& cursor, const std::string& markup, float size,
                     float line_height, float space) {
  for (const lessons::Paragraph& paragraph : lessons::parse_narration(markup)) {
    for (const RichLine& line : wrap(context.sketch, paragraph, cursor.width, size)) {
      if (cursor.y + line_height > cursor.bottom) return;
      draw_line(context, cursor, line, size, line_height);
      cursor.y += line_height;
    }
    cursor.y += space;
  }
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

void draw_panel(Context& context, const lessons::Step& step) {
  Sketch& sketch = context.sketch;
  const Rect& area = context.layout.narration;
  const lessons::Language language = context.language();
  const int count = static_cast<int>(context.subject.run.steps.size());
  Cursor cursor{area.x + 28.0f, 0.0f, area.width - 56.0f, area.bottom() - 24.0f};
  sketch.text(cursor.x, 42.0f, phrase(context.say(Word::step_of), context.subject.step + 1, count),
              {.font = Font::mono400, .size = 12.0f, .colour = Colour::ink3});
  cursor.y = 50.0f;
  for (const RichLine& line :
       wrap_balanced(sketch, {{step.title.in(language), lessons::Role::strong}}, cursor.width, 18.0f)) {
    sketch.runs(cursor.x, baseline_at(cursor.y + 13.0f, 18.0f), line, 18.0f);
    cursor.y += 26.0f;
  }
  cursor.y += 14.0f;
  draw_paragraphs(context, cursor, step.narration.in(language), 15.0f, 26.0f, 12.0f);
  if (cursor.y + 32.0f <= cursor.bottom && draw_answer(context, step, cursor.x, cursor.y + 13.0f) > cursor.x)
    cursor.y += 32.0f;
  if (!step.formula.text.empty()) {
    const lessons::Paragraph formula{{step.formula.text, lessons::Role::code}};
    for (const RichLine& line : wrap(sketch, formula, cursor.width, 13.0f)) {
      sketch.runs(cursor.x, baseline_at(cursor.y + 11.0f, 13.0f), line, 13.0f);
      cursor.y += 22.0f;
    }
    cursor.y += 8.0f;
  }
  if (step.try_it.in(language).empty() || cursor.y + 60.0f > cursor.bottom) return;
  sketch.line({cursor.x, cursor.y + 8.5f}, {cursor.x + cursor.width, cursor.y + 8.5f}, Colour::line);
  sketch.text(cursor.x, cursor.y + 38.0f, context.say(Word::try_it), {.size = 12.0f, .colour = Colour::ink3});
  cursor.y += 48.0f;
  draw_paragraphs(context, cursor, step.try_it.in(language), 15.0f, 26.0f, 12.0f);
}

std::size_t count_lines(const Context& context, const std::string& markup, float width, float size) {
  std::size_t lines = 0;
  for (const lessons::Paragraph& paragraph : lessons::parse_narration(markup))
    lines += wrap(context.sketch, paragraph, width, size).size();
  return lines;
}

/// Two lines; three smaller ones where the words or the face need them.
void draw_brief(Context& context, const lessons::Step& step) {
  const Rect& area = context.layout.narration;
  const std::string answer = lessons::words_of(step.answer).in(context.language());
  const std::string text =
      (answer.empty() ? "" : "{strong|" + answer + "} · ") + step.brief.in(context.language());
  Cursor cursor{16.0f, area.y + 12.0f, area.width - 32.0f, area.bottom() + 4.0f};
  if (count_lines(context, text, cursor.width, 15.0f) <= 2)
    return draw_paragraphs(context, cursor, text, 15.0f, 24.0f, 0.0f);
  cursor.y = area.y + 8.0f;
  draw_paragraphs(context, cursor, text, 14.0f, 20.0f, 0.0f);
}

void draw_strip(Context& context, const lessons::Step& step) {
  const Rect& area = context.layout.narration;
  const int count = static_cast<int>(context.subject.run.steps.size());
  const float x = context.sketch.text(24.0f, baseline_at(area.centre().y, 12.0f),
                                      phrase(context.say(Word::step_of), context.subject.step + 1, count),
                                      {.font = Font::mono400, .size = 12.0f, .colour = Colour::ink3});
  Cursor cursor{x + 24.0f, 0.0f, 0.0f, area.bottom()};
  const float answered = draw_answer(context, step, cursor.x, baseline_at(area.centre().y, 13.0f));
  if (answered > cursor.x) cursor.x = answered + 24.0f;
  cursor.width = area.right() - 24.0f - cursor.x;
  const lessons::Language language = context.language();
  const std::size_t lines = count_lines(context, step.brief.in(language), cursor.width, 14.0f);
  cursor.y = area.centre().y - 11.0f * static_cast<float>(lines);
  draw_paragraphs(context, cursor, step.brief.in(language), 14.0f, 22.0f, 0.0f);
}

}  // namespace

void view_narration(Context& context) {
  const Layout& layout = context.layout;
  Sketch& sketch = context.sketch;
  const Rect& area = layout.narration;
  const lessons::Step* step = context.subject.step_now();
  switch (layout.narration_layout) {
    case NarrationLayout::hidden:
      return;
    case NarrationLayout::panel:
      sketch.box(area, Colour::page);
      sketch.line({area.x + 0.5f, area.y}, {area.x + 0.5f, area.bottom()}, Colour::line);
      if (step != nullptr && !context.page_narration) draw_panel(context, *step);
      return;
    case NarrationLayout::strip:
      sketch.box(area, Colour::page);
      sketch.line({area.x, area.y + 0.5f}, {area.right(), area.y + 0.5f}, Colour::line);
      if (step != nullptr && !context.page_narration) draw_strip(context, *step);
      return;
    case NarrationLayout::brief: {
      if (step == nullptr || context.page_narration) return;
      draw_brief(context, *step);
      return;
    }
  }
}

}  // namespace attn::ui
