// A formula as one line or several: segments whose symbol and number share a column. Only for the inspector.
#pragma once

#include <vector>

#include "ui/context.h"
#include "ui/inspector_model.h"

namespace attn::ui {

inline constexpr float kFormulaSize = 12.0f;

using FormulaLine = std::vector<Segment>;

enum class Row : std::uint8_t { symbols, numbers };

float line_width(const Sketch& sketch, const FormulaLine& line);

/// One line, each segment in its column; an ellipsis stands for what would pass `right`.
void draw_segments(Context& context, float x, float baseline, float right, const FormulaLine& line, Row row);

/// The same formula in lines of at most `room`, broken before the sign of a summand where that is possible.
std::vector<FormulaLine> broken(const Sketch& sketch, const FormulaLine& line, float room);

}  // namespace attn::ui
