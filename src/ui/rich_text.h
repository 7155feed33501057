// Narration text in lines of a given width: words of Latin text stay together, Chinese breaks anywhere but
// before closing punctuation and after an opening mark.
#pragma once

#include <vector>

#include "lessons/text.h"
#include "ui/sketch.h"

namespace attn::ui {

using RichLine = std::vector<Piece>;

/// The font and colour of a role in running text.
Piece piece_for(const lessons::TextRun& run);

/// As `wrap`, with lines of about equal length: for headings.
std::vector<RichLine> wrap_balanced(const Sketch& sketch, const lessons::Paragraph& paragraph, float width,
                                    float size);

std::vector<RichLine> wrap(const Sketch& sketch, const lessons::Paragraph& paragraph, float width,
                           float size);

}  // namespace attn::ui
