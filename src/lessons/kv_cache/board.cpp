#include "lessons/kv_cache/board.h"

#include "lessons/numbers.h"
#include "lessons/stopwatch.h"

namespace attn::lessons::kv_cache {
namespace {

using tape::Label;
using tape::Site;

constexpr int kTableRows = 8;  // the newest steps; more would not be read

lessons::Block matrix(const Label& tensor, Text title, Role role, int column, Text origin = {}) {
  return {.tensor = tensor, .title = title, .role = role, .column = column, .origin = origin};
}

RunText same(const std::string& text) { return {text, text}; }

std::string count(const Run& run, int step, Column column) {
  return thousands(static_cast<std::uint32_t>(figure(run, step, column)));
}

/// "0 ULP", or what was found instead.
Verdict verdict_of(std::uint32_t ulp) {
  if (ulp == 0) return {{"0 ULP", "0 ULP"}, Role::equal};
  return {fill({"最多差 $0 ULP", "up to $0 ULP apart"}, {thousands(ulp)}), Role::different};
}

/// Of the newest token's output under a corner.
Verdict of_newest_row(const Findings& found, Corner corner) {
  Verdict verdict = verdict_of(found.newest(corner));
  const std::string difference = fixed(found.newest_difference[static_cast<std::size_t>(corner)], 2);
  verdict.text = verdict.role == Role::equal
                     ? RunText{"最新一行：0 ULP", "newest row: 0 ULP"}
                     : fill({"最新一行最多差 $0", "newest row off by up to $0"}, {difference});
  return verdict;
}

Sheet keys_sheet(const Settings& settings, const Findings& found) {
  Sheet sheet;
  sheet.blocks = {matrix(kWords, {"X", "X"}, Role::plain, 0),
                  matrix(of_steps(settings, Site::key), {"上一步的 K", "K, the step before"}, Role::key, 1,
                         {"由上一步那一遍算出", "from the pass of the step before"}),
                  matrix(of_pass(settings, Site::key), {"这一步的 K", "K, this step"}, Role::key, 2)};
  sheet.blocks.front().narrow = true;
  sheet.blocks.back().verdict = verdict_of(found.shared_rows_ulp);
  return sheet;
}

/// Weights of the pass over all tokens beside others.
Sheet weights_sheet(const Settings& settings, const Label& others, Text title, Text origin,
                    const Verdict& verdict) {
  Sheet sheet;
  sheet.blocks = {
      matrix(of_pass(settings, Site::weights), {"整遍计算的权重", "Weights, whole pass"}, Role::plain, 0),
      matrix(others, title, Role::plain, 1, origin)};
  sheet.blocks.back().mask = of_pass(settings, Site::mask);
  sheet.blocks.back().verdict = verdict;
  sheet.blocks.push_back(matrix(others, {"谁看谁", "Who looks at whom"}, Role::plain, 2));
  sheet.blocks.back().kind = BlockKind::arcs;
  sheet.blocks.back().note = " ";
  return sheet;
}

Sheet steps_sheet(const Run& run, const Settings& settings) {
  Table table{.columns = {{"输出相差", "outputs differ by"},
                          {"不用缓存的 ×", "× without cache"},
                          {"用缓存的 ×", "× with cache"}},
              .rows = {}};
  for (int t = settings.length > kTableRows ? settings.length - kTableRows : 0; t < settings.length; ++t) {
    const std::string& word = run.target_words[static_cast<std::size_t>(t)];
    table.rows.push_back(
        {.name = fill({"第 $0 步：$1", "step $0: $1"}, {t + 1, word}),
         .cells = {same(count(run, t, Column::ulp) + " ULP"), same(count(run, t, Column::without_cache)),
                   same(count(run, t, Column::with_cache))},
         .strong = t + 1 == settings.length});
  }
  Sheet sheet;
  sheet.blocks = {{.kind = BlockKind::table,
                   .tensor = label_of(Figure::steps),
                   .title = {"逐步核对", "Step by step"},
                   .note = " ",
                   .table = table}};
  return sheet;
}

/// What both ways have over the number of tokens.
Plot plot_of(Text y_name, Series without, Series with) {
  without.name = {"不用缓存", "without cache"};
  without.role = Role::different;
  with.name = {"用缓存", "with cache"};
  with.role = Role::equal;
  return {.x_name = {"已有 token 数", "tokens so far"},
          .y_name = y_name,
          .series = {std::move(without), std::move(with)}};
}

lessons::Block counted_plot(const Run& run, const Settings& settings, Text title, Column without, Column with,
                            SeriesForm form, int band) {
  Series series[2];
  for (int which = 0; which < 2; ++which) {
    series[which].form = which == 0 ? form : SeriesForm::line;
    for (int t = 0; t < settings.length; ++t) {
      series[which].x.push_back(figure(run, t, Column::tokens));
      series[which].y.push_back(figure(run, t, which == 0 ? without : with));
    }
  }
  return {.kind = BlockKind::plot,
          .tensor = label_of(Figure::steps),
          .title = title,
          .note = " ",
          .band = band,
          .plot = plot_of({"乘法次数", "multiplications"}, series[0], series[1])};
}

Sheet timed_sheet(const std::optional<Times>& measured) {
  const Times times = measured.value_or(Times{});
  Series without, with;
  Table table{.columns = {{"不用缓存", "without cache"}, {"用缓存", "with cache"}, {"倍数", "ratio"}},
              .rows = {}};
  for (std::size_t i = 0; i < kTimedTokens.size(); ++i) {
    const auto n = static_cast<float>(kTimedTokens[i]);
    without.x.push_back(n);
    without.y.push_back(times.without_cache[i]);
    with.x.push_back(n);
    with.y.push_back(times.with_cache[i]);
    const float ratio = times.with_cache[i] > 0.0f ? times.without_cache[i] / times.with_cache[i] : 0.0f;
    table.rows.push_back({.name = fill({"第 $0 步", "step $0"}, {kTimedTokens[i]}),
                          .cells = {same(measured ? microseconds(times.without_cache[i]) : "—"),
                                    same(measured ? microseconds(times.with_cache[i]) : "—"),
                                    same(ratio > 0.0f ? "× " + fixed(ratio, 1) : "—")}});
  }
  Sheet sheet;
  if (measured)
    sheet.blocks.push_back({.kind = BlockKind::plot,
                            .tensor = label_of(Figure::steps),
                            .title = {"这台设备上一步的时间", "Time of one step on this device"},
                            .note = " ",
                            .plot = plot_of({"微秒", "microseconds"}, std::move(without), std::move(with))});
  sheet.blocks.push_back({.kind = BlockKind::table,
                          .tensor = label_of(Figure::steps),
                          .title = {"中位数", "Medians"},
                          .note = " ",
                          .band = 1,
                          .table = table});
  return sheet;
}

Sheet masks_sheet(const Findings& found) {
  const auto block = [&](Figure mask, Text title, Text short_title, Corner corner, int band) {
    lessons::Block one = matrix(label_of(mask), title, Role::plain, 0);
    one.short_title = short_title;
    one.band = band;
    one.row_figures = keys_seen(mask);
    one.origin = {"1：这一行的新 token 看得见这一列的键",
                  "1: the new token of the row may see the column's key"};
    one.row_figures_title = {"看见的键", "keys seen"};
    one.verdict = of_newest_row(found, corner);
    return one;
  };
  Sheet sheet;
  sheet.blocks = {
      block(Figure::bottom_right, {"右下角对齐：1 = 可看", "Corner at the bottom right: 1 = visible"},
            {"右下角", "Bottom right"}, Corner::bottom_right, 0),
      block(Figure::top_left, {"左上角对齐：1 = 可看", "Corner at the top left: 1 = visible"},
            {"左上角", "Top left"}, Corner::top_left, 1)};
  return sheet;
}

}  // namespace

std::vector<Sheet> make_sheets(const Experiment& experiment, const Settings& settings,
                               const std::optional<Times>& times) {
  const Run& run = experiment.run;
  const Findings& found = experiment.findings;
  Sheet growth;
  growth.blocks = {counted_plot(run, settings, {"每一步", "Each step"}, Column::without_cache,
                                Column::with_cache, SeriesForm::bars, 0),
                   counted_plot(run, settings, {"到这一步为止", "All steps so far"}, Column::total_without,
                                Column::total_with, SeriesForm::line, 1)};
  return {keys_sheet(settings, found),
          weights_sheet(settings, of_steps(settings, Site::weights),
                        {"缓存各步拼成的权重", "Weights, cached steps"},
                        {"一行来自一步，只用那时的键", "a row from each step, over the keys it had"},
                        verdict_of(found.weights_ulp)),
          steps_sheet(run, settings),
          std::move(growth),
          timed_sheet(times),
          masks_sheet(found),
          weights_sheet(settings, corner_weights(), {"用缓存、按所选的角", "With cache, chosen corner"},
                        {"前面的行一次算完，最后 T 行用缓存和所选的角",
                         "earlier rows in one pass, the last T with the cache under the chosen corner"},
                        of_newest_row(found, settings.corner))};
}

}  // namespace attn::lessons::kv_cache
