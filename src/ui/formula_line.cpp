#include "ui/formula_line.h"

#include <algorithm>

namespace attn::ui {
namespace {

Font font_of(const Segment& segment, bool symbol) {
  if (segment.strong) return Font::mono600;
  const bool coloured = segment.colour != Colour::ink && segment.colour != Colour::ink3;
  return symbol && coloured ? Font::mono500 : Font::mono400;
}

float column_width(const Sketch& sketch, const Segment& segment) {
  return std::max(sketch.measure.width(segment.symbol, font_of(segment, true), kFormulaSize),
                  sketch.measure.width(segment.number, font_of(segment, false), kFormulaSize));
}

/// A line may break before it.
bool begins_summand(const Segment& segment) {
  return segment.term < 0 && (segment.symbol.starts_with(" + ") || segment.symbol.starts_with(" − "));
}

}  // namespace

float line_width(const Sketch& sketch, const FormulaLine& line) {
  float width = 0.0f;
  for (const Segment& segment : line) width += column_width(sketch, segment);
  return width;
}

void draw_segments(Context& context, float x, float baseline, float right, const FormulaLine& line, Row row) {
  for (const Segment& segment : line) {
    const bool symbol = row == Row::symbols;
    const std::string& text = symbol ? segment.symbol : segment.number;
    const TextStyle style{.font = font_of(segment, symbol), .size = kFormulaSize, .colour = segment.colour};
    const float width = column_width(context.sketch, segment);
    if (x + width > right) {
      context.sketch.text(x, baseline, context.sketch.fitted("…", right - x, style), style);
      return;
    }
    if (segment.align == Align::right)
      context.sketch.text_right(x + width, baseline, text, style);
    else if (segment.align == Align::centre)
      context.sketch.text_centred(x + width / 2.0f, baseline, text, style);
    else
      context.sketch.text(x, baseline, text, style);
    x += width;
  }
}

std::vector<FormulaLine> broken(const Sketch& sketch, const FormulaLine& line, float room) {
  std::vector<FormulaLine> lines(1);
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;  // of the piece that stays together
    while (end < line.size() && !begins_summand(line[end])) ++end;
    const FormulaLine piece(line.begin() + static_cast<std::ptrdiff_t>(at),
                            line.begin() + static_cast<std::ptrdiff_t>(end));
    if (!lines.back().empty() && line_width(sketch, lines.back()) + line_width(sketch, piece) > room)
      lines.emplace_back();
    lines.back().insert(lines.back().end(), piece.begin(), piece.end());
    at = end;
  }
  return lines;
}

}  // namespace attn::ui
