// From the numbers of a plot to pixels, and the marks of its axes.
#pragma once

#include <string>
#include <vector>

#include "lessons/board.h"
#include "ui/geometry.h"

namespace attn::ui {

/// One axis: numbers from `low` to `high`, linear or by powers of ten or two.
struct PlotAxis {
  float low = 0.0f;
  float high = 1.0f;
  bool log = false;

  /// 0 at `low`, 1 at `high`.
  float position(float value) const;
};

struct Tick {
  float value = 0.0f;
  std::string text;
};

/// The axes that hold all series; a linear y axis of bars, or of numbers not far from 0, begins at 0.
PlotAxis x_axis_of(const lessons::Plot& plot);
PlotAxis y_axis_of(const lessons::Plot& plot);

/// Three to six round numbers (powers on a log axis).
std::vector<Tick> ticks_of(const PlotAxis& axis);

/// Short: "0.58", "1200", "1.2M".
std::string tick_text(float value);

}  // namespace attn::ui
