#include "ui/plot_scale.h"

#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"

namespace attn::ui {
namespace {

using lessons::Plot;
using lessons::Series;
using lessons::SeriesForm;

float least_of(float a, float b) { return std::min(a, b); }
float most_of(float a, float b) { return std::max(a, b); }

float over(const Plot& plot, bool of_x, float (*choose)(float, float)) {
  float result = of_x ? plot.series.front().x.front() : plot.series.front().y.front();
  for (const Series& series : plot.series)
    for (const float value : of_x ? series.x : series.y) result = choose(result, value);
  return result;
}

float bar_width(const Series& series) {
  if (series.form != SeriesForm::bars) return 0.0f;
  return series.x.size() > 1 ? series.x[1] - series.x[0] : 1.0f;
}

PlotAxis with_width(PlotAxis axis) {
  if (axis.high > axis.low) return axis;
  if (axis.log) return {axis.low / 2.0f, axis.high * 2.0f, true};
  return {axis.low - 0.5f, axis.high + 0.5f, false};
}

/// 1, 2 or 5 times a power of ten, at least `rough`.
float round_step(float rough) {
  const float power = std::pow(10.0f, std::floor(std::log10(rough)));
  for (const float factor : {1.0f, 2.0f, 5.0f})
    if (factor * power >= rough) return factor * power;
  return 10.0f * power;
}

}  // namespace

float PlotAxis::position(float value) const {
  if (!log) return (value - low) / (high - low);
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

PlotAxis x_axis_of(const Plot& plot) {
  PlotAxis axis{over(plot, true, least_of), over(plot, true, most_of), plot.log_x};
  float half = 0.0f;
  for (const Series& series : plot.series) half = std::max(half, bar_width(series) / 2.0f);
  if (!axis.log) axis = {axis.low - half, axis.high + half, false};
  return with_width(axis);
}

PlotAxis y_axis_of(const Plot& plot) {
  PlotAxis axis{over(plot, false, least_of), over(plot, false, most_of), plot.log_y};
  if (axis.log) return with_width(axis);
  constexpr float kFar = 0.6f;  // of the largest number: from there on 0 would waste the space
  const bool bars = std::any_of(plot.series.begin(), plot.series.end(),
                                [](const Series& series) { return series.form == SeriesForm::bars; });
  if (axis.low > 0.0f && (bars || axis.low < kFar * axis.high)) axis.low = 0.0f;
  axis = with_width(axis);
  const float room = 0.06f * (axis.high - axis.low);
  if (axis.low < 0.0f) axis.low -= room;
  axis.high += room;
  return axis;
}

std::vector<Tick> ticks_of(const PlotAxis& axis) {
  std::vector<Tick> ticks;
  if (axis.log) {
    const bool decades = axis.high / axis.low > 500.0f;
    const float base = decades ? 10.0f : 2.0f;
    float value = std::pow(base, std::ceil(std::log(axis.low) / std::log(base) - 1e-4f));
    for (; value <= axis.high * 1.0001f; value *= base) ticks.push_back({value, tick_text(value)});
    while (ticks.size() > 7) {  // every other one
      std::vector<Tick> fewer;
      for (std::size_t i = 0; i < ticks.size(); i += 2) fewer.push_back(ticks[i]);
      ticks = std::move(fewer);
    }
    return ticks;
  }
  const float step = round_step((axis.high - axis.low) / 5.0f);
  const float first = std::ceil(axis.low / step - 1e-4f);
  for (float i = first; i * step <= axis.high + 1e-4f * step; i += 1.0f)
    ticks.push_back({i * step, tick_text(i * step)});
  return ticks;
}

std::string tick_text(float value) {
  const float size = std::fabs(value);
  if (size >= 1e9f) return lessons::fixed(value / 1e9f, size < 1e10f ? 1 : 0) + "G";
  if (size >= 1e6f) return lessons::fixed(value / 1e6f, size < 1e7f ? 1 : 0) + "M";
  if (size >= 1e4f) return lessons::fixed(value / 1e3f, 0) + "k";
  if (value == std::round(value)) return lessons::fixed(value, 0);
  if (size < 0.001f) return lessons::exponent(value);
  return lessons::fixed(value, size < 0.1f ? 3 : size < 10.0f ? 2 : 1);
}

}  // namespace attn::ui
