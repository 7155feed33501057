#include "ui/rich_text.h"

#include <algorithm>

namespace attn::ui {
namespace {

bool is_wide(std::string_view sequence) {
  return sequence.size() >= 3 && static_cast<unsigned char>(sequence[0]) >= 0xE2 + 1;
}

bool opens(std::string_view sequence) {
  for (const std::string_view mark : {"（", "「", "“"})
    if (sequence == mark) return true;
  return false;
}

bool closes(std::string_view sequence) {
  for (const std::string_view mark : {"，", "。", "、", "；", "：", "？", "！", "）", "」", "”"})
    if (sequence == mark) return true;
  return false;
}

/// A stretch that isn't broken: a Chinese character with its opening and closing marks, or a word with its
/// spaces.
struct Unit {
  Piece piece;
  bool glued = false;    // to the unit before
  bool opening = false;  // a mark that the next unit is glued to
};

void add_units(std::vector<Unit>& units, const lessons::TextRun& run) {
  const Piece style = piece_for(run);
  const std::string_view text = run.text;
  bool open = false;  // a Latin word that goes on
  bool first = true;
  // A word that goes on in another run, as a term with its ending.
  const bool joins = !units.empty() && static_cast<unsigned char>(units.back().piece.text.back()) < 0x80 &&
                     units.back().piece.text.back() != ' ';
  bool after_opening = !units.empty() && (units.back().opening || units.back().piece.text.ends_with("("));
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view sequence = text.substr(at, sequence_length(text, at));
    at += sequence.size();
    const bool wide = is_wide(sequence) || opens(sequence) || closes(sequence);
    if (wide && closes(sequence) && !first) {
      units.back().piece.text += sequence;
      open = sequence == "”";  // as in “so”, which goes on
    } else if (wide) {
      units.push_back({style, closes(sequence) || after_opening, opens(sequence)});
      units.back().piece.text = sequence;
      open = sequence == "”";
    } else if (open) {
      units.back().piece.text += sequence;
      if (sequence == " ") open = false;
    } else {
      const bool punctuation = first && sequence.size() == 1 &&
                               std::string_view(".,;:?!)").find(sequence) != std::string_view::npos;
      const bool goes_on = first && joins && sequence != " ";
      units.push_back({style, punctuation || after_opening || goes_on});
      units.back().piece.text = sequence;
      open = sequence != " ";
    }
    first = false;
    after_opening = units.back().opening && opens(sequence);
  }
}

}  // namespace

Piece piece_for(const lessons::TextRun& run) {
  Piece piece{run.text, Font::ui600, Colour::ink, run.topic, run.term};
  switch (run.role) {
    case lessons::Role::plain:
      piece.font = Font::ui400;
      piece.colour = Colour::ink2;
      break;
    case lessons::Role::strong:
      break;
    case lessons::Role::code:
      piece.font = Font::mono400;
      break;
    case lessons::Role::query:
      piece.colour = Colour::query;
      break;
    case lessons::Role::key:
      piece.colour = Colour::key;
      break;
    case lessons::Role::value:
      piece.colour = Colour::value;
      break;
    case lessons::Role::output:
      piece.colour = Colour::output;
      break;
    case lessons::Role::memory:
      piece.colour = Colour::memory;
      break;
    case lessons::Role::equal:
      piece.colour = Colour::equal;
      break;
    case lessons::Role::different:
      piece.colour = Colour::different;
      break;
  }
  return piece;
}

std::vector<RichLine> wrap(const Sketch& sketch, const lessons::Paragraph& paragraph, float width,
                           float size) {
  std::vector<Unit> units;
  for (const lessons::TextRun& run : paragraph) add_units(units, run);
  std::vector<RichLine> lines(1);
  float used = 0.0f;
  const auto advance_of = [&](const Unit& unit) {
    return sketch.measure.width(unit.piece.text, unit.piece.font, size);
  };
  const auto end_line = [](RichLine& line) {  // a space there takes no room
    while (!line.empty() && line.back().text.ends_with(" ")) {
      line.back().text.pop_back();
      if (line.back().text.empty()) line.pop_back();
    }
  };
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    const float advance = advance_of(unit);
    float whole = advance;  // with what is glued to it
    for (std::size_t next = i + 1; next < units.size() && units[next].glued; ++next)
      whole += advance_of(units[next]);
    if (used + whole > width + 0.5f && used > 0.0f && !unit.glued && unit.piece.text != " ") {
      end_line(lines.back());
      lines.emplace_back();
      used = 0.0f;
    }
    if (used == 0.0f && unit.piece.text == " ") continue;
    RichLine& line = lines.back();
    const bool same = !line.empty() && line.back().font == unit.piece.font &&
                      line.back().colour == unit.piece.colour && line.back().topic == unit.piece.topic &&
                      line.back().term == unit.piece.term;
    if (same)
      line.back().text += unit.piece.text;
    else
      line.push_back(unit.piece);
    used += advance;
  }
  end_line(lines.back());
  return lines;
}

namespace {

/// Where a heading breaks best: after a mark, if both sides fit a line; 0 where there is no such place.
std::size_t break_after_mark(const Sketch& sketch, const lessons::TextRun& run, float width, float size) {
  const Piece style = piece_for(run);
  const std::string_view text = run.text;
  std::size_t best = 0;
  float widest = width;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view sequence = text.substr(at, sequence_length(text, at));
    at += sequence.size();
    if (!is_wide(sequence) || !closes(sequence) || at == text.size()) continue;
    const float wider = std::max(sketch.measure.width(text.substr(0, at), style.font, size),
                                 sketch.measure.width(text.substr(at), style.font, size));
    if (wider > widest) continue;
    widest = wider;
    best = at;
  }
  return best;
}

}  // namespace

std::vector<RichLine> wrap_balanced(const Sketch& sketch, const lessons::Paragraph& paragraph, float width,
                                    float size) {
  std::vector<RichLine> lines = wrap(sketch, paragraph, width, size);
  const std::size_t count = lines.size();
  if (count == 2 && paragraph.size() == 1)
    if (const std::size_t at = break_after_mark(sketch, paragraph[0], width, size); at > 0) {
      Piece first = piece_for(paragraph[0]);
      Piece second = first;
      first.text.resize(at);
      second.text.erase(0, at);
      return {{first}, {second}};
    }
  for (float narrower = width - size; narrower > width / 2.0f; narrower -= size / 2.0f) {
    std::vector<RichLine> attempt = wrap(sketch, paragraph, narrower, size);
    if (attempt.size() > count) break;
    lines = std::move(attempt);
  }
  return lines;
}

}  // namespace attn::ui
