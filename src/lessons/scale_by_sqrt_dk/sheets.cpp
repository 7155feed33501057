#include "lessons/scale_by_sqrt_dk/sheets.h"

#include <cmath>

#include "lessons/numbers.h"

namespace attn::lessons::scale_by_sqrt_dk {
namespace {

using tape::Site;

constexpr Text kStd{"标准差", "std"};
constexpr Text kUndivided{"不除", "undivided"};

struct View {
  Run& run;
  const Settings& settings;
  float exact;    // deviation of the undivided scores
  float error;    // of what is measured
  float divisor;  // the chosen one

  std::span<const float> of(Figures figure) const { return run.tape().tensor(figures(figure)).flat(); }
  float deviation(Measured which) const { return measured(run, which).deviation; }
};

RunText std_text(float value, int decimals = 2) {
  return fill({"标准差 $0", "std $0"}, {fixed(value, decimals)});
}

RunText same(std::string text) { return {text, text}; }

/// Columns `x` and `y` of figures with `columns` of them.
Series series(std::span<const float> values, std::size_t columns, std::size_t y, Series drawn) {
  for (std::size_t i = 0; i < values.size(); i += columns) {
    drawn.x.push_back(values[i]);
    drawn.y.push_back(values[i + y]);
  }
  return drawn;
}

Block scores_block(const View& view) {
  Block block{.tensor = label_of(kWhole, Site::scores), .title = {"分数 Q·Kᵀ", "Scores Q·Kᵀ"}};
  block.verdict = {std_text(view.deviation(kRaw))};
  return block;
}

/// Bars, and the normal curve with the exact mean and deviation.
Block histogram(const View& view, bool divided) {
  const std::span<const float> values = view.of(divided ? kScaledHistogram : kRawHistogram);
  const Text title =
      divided ? Text{"除以之后", "After dividing"} : Text{"分数的直方图", "Histogram of the scores"};
  Block block{.kind = BlockKind::plot,
              .tensor = figures(divided ? kScaledHistogram : kRawHistogram),
              .title = title,
              .note = " "};
  Plot& plot = block.plot;
  plot.x_name = {"分数", "Score"};
  plot.y_name = {"占比 %", "Share, %"};
  const Role role = divided ? Role::output : Role::query;
  plot.series.push_back(
      series(values, 2, 1, {.name = {"实测", "Measured"}, .form = SeriesForm::bars, .role = role}));
  // Bins are 1/5 deviation wide, so the k-th from the middle has e^(-k²/50): ratios of neighbours are odd
  // powers of e^(-1/50).
  constexpr float kRatio = 0.98019867f;
  Series curve{.name = {"正态曲线", "Normal curve"}, .x = plot.series[0].x, .y = std::vector<float>(kBins)};
  float height = 100.0f * 0.2f * 0.39894228f;
  float ratio = kRatio;
  for (std::size_t k = 0; k <= kBins / 2; ++k) {
    curve.y[kBins / 2 - k] = curve.y[kBins / 2 + k] = height;
    height *= ratio;
    ratio *= kRatio * kRatio;
  }
  plot.series.push_back(std::move(curve));
  block.verdict = {std_text(view.deviation(divided ? kScaled : kRaw), divided ? 3 : 2)};
  return block;
}

Block table(Figures figure, Text title, std::vector<RunText> columns) {
  Block block{.kind = BlockKind::table, .tensor = figures(figure), .title = title, .note = " "};
  block.table.columns = std::move(columns);
  return block;
}

/// "Q ~ N(1.56, 0.36²), K ~ N(−0.34, 1.2²)".
std::string distribution_of(const View& view) {
  const Moments& m = moments_of(view.settings.distribution);
  return fill({"", "Q ~ N($0, $1²), K ~ N($2, $3²)"},
              {six_digits(m.query_mean), six_digits(m.query_deviation), six_digits(m.key_mean),
               six_digits(m.key_deviation)})
      .en;
}

Block moments_table(const View& view) {
  const Moments& m = moments_of(view.settings.distribution);
  Block block = table(kMoments, {"标准差：实测与理论", "Standard deviation: measured and exact"},
                      {{"实测", "measured"}, {"理论", "exact"}});
  block.note = distribution_of(view);
  const auto row = [&](RunText name, Measured of, std::string exact, Role role = Role::plain) {
    block.table.rows.push_back(
        {std::move(name), {same(fixed(view.deviation(of), 3)), same(std::move(exact))}, role, of == kRaw});
  };
  row(same("Q"), kQuery, fixed(m.query_deviation, 3), Role::query);
  row(same("K"), kKey, fixed(m.key_deviation, 3), Role::key);
  row(same("Q·Kᵀ"), kRaw, fixed(view.exact, 2) + " ± " + fixed(view.error, 2));
  return block;
}

/// What every choice of the divisor leaves.
Block divisors_table(const View& view) {
  Block block = table(kMoments, {"除以什么", "Which divisor"},
                      {{"除数", "divisor"}, {"实测标准差", "std measured"}, {"理论", "exact"}});
  const Text names[kDivisors] = {{"不除", "none"}, {"√dₖ", "√dₖ"}, {"√d_model", "√d_model"}};
  for (int i = 0; i < kDivisors; ++i) {
    const float divisor = divisor_of(view.settings, i);
    const bool chosen = i == view.settings.divisor;
    // The chosen one as it was measured; the others are the same scores over another number.
    const float deviation = chosen ? view.deviation(kScaled) : view.deviation(kRaw) / divisor;
    block.table.rows.push_back(
        {fill(names[i], {}),
         {same(fixed(divisor, 2)), same(fixed(deviation, 3)), same(fixed(view.exact / divisor, 3))},
         Role::plain,
         chosen});
  }
  return block;
}

Block terms_table(const View& view) {
  const std::span<const float> terms = view.of(kTerms);
  const float total = terms[0] + terms[1] + terms[2];
  Block block = table(kTerms, {"方差从哪里来", "Where the variance comes from"},
                      {{"方差", "variance"}, {"占比", "share"}, {"√方差", "√variance"}});
  block.note = distribution_of(view);
  constexpr const char* kNames[] = {"dₖ σ_q² σ_k²", "dₖ σ_q² μ_k²", "dₖ σ_k² μ_q²"};
  std::size_t largest = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (terms[i] > terms[largest]) largest = i;
  for (std::size_t i = 0; i < 3; ++i)
    block.table.rows.push_back({same(kNames[i]),
                                {same(fixed(terms[i], 1)), same(fixed(100.0f * terms[i] / total, 1) + " %"),
                                 same(fixed(std::sqrt(terms[i]), 2))},
                                Role::plain,
                                i == largest});
  block.table.rows.push_back({{"合计", "sum"},
                              {same(fixed(total, 1)), same("100 %"), same(fixed(view.exact, 2))},
                              Role::plain,
                              false});
  block.verdict = {
      fill({"理论标准差 $0 ± $1", "exact std $0 ± $1"}, {fixed(view.exact, 2), fixed(view.error, 2)})};
  return block;
}

/// A column of the sweep undivided and divided by √d_k, against d_k.
Block sweep_plot(const View& view, std::size_t column, Text title, Text y_name) {
  const std::span<const float> values = view.of(kSweep);
  Block block{.kind = BlockKind::plot, .tensor = figures(kSweep), .title = title, .note = " "};
  block.plot = {.x_name = {"宽度 dₖ", "Width dₖ"}, .y_name = y_name, .series = {}, .log_x = true};
  block.plot.marked_x = static_cast<float>(view.settings.d_k);
  block.plot.series.push_back(series(values, 6, column, {.name = kUndivided, .role = Role::different}));
  block.plot.series.push_back(
      series(values, 6, column + 1, {.name = {"除以 √dₖ", "divided by √dₖ"}, .role = Role::equal}));
  return block;
}

Block deviation_plot(const View& view) {
  Block block =
      sweep_plot(view, 1, {"标准差随 dₖ 增大，N(0, 1)", "Standard deviation against dₖ, N(0, 1)"}, kStd);
  block.plot.log_y = true;
  Series& points = block.plot.series[0];
  points.form = SeriesForm::points;
  points.name = {"实测", "measured"};
  points.role = Role::query;
  Series& line = block.plot.series[1];
  line = {.name = {"√dₖ", "√dₖ"}, .x = points.x};
  for (const float width : line.x) line.y.push_back(std::sqrt(width));
  return block;
}

Block weights_block(const View& view, bool divided) {
  Block block{.tensor = label_of(divided ? kEightDivided : kEightWhole, Site::weights),
              .title = divided ? Text{"权重，除以之后", "Weights, divided"}
                               : Text{"权重，不除", "Weights, undivided"},
              .note = divided ? "softmax(Q·Kᵀ / " + fixed(view.divisor, 2) + ")" : "softmax(Q·Kᵀ)",
              .role = divided ? Role::equal : Role::different};
  block.row_figures = figures(divided ? kTopDivided : kTopWhole);
  block.row_figures_title = {"最大权重", "largest"};
  return block;
}

Block slopes_block(bool divided) {
  return {
      .tensor = figures(divided ? kSlopesDivided : kSlopesWhole),
      .title = divided ? Text{"∂w/∂s，除以之后", "∂w/∂s, divided"} : Text{"∂w/∂s，不除", "∂w/∂s, undivided"},
      .note = " ",
      .role = divided ? Role::equal : Role::different,
      .column = divided ? 1 : 0,
      .origin = {"第 0 行的 ∂w/∂s，由反向传播算出", "∂w/∂s of row 0, by backpropagation"}};
}

void put(Sheet& sheet, int band, int column, Block block) {
  block.band = band;
  block.column = column;
  sheet.blocks.push_back(std::move(block));
}

}  // namespace

void make_sheets(Run& run, const Settings& settings) {
  const View view{run, settings, static_cast<float>(std::sqrt(variance_of(settings).total())),
                  static_cast<float>(sampling_error(settings)), divisor_of(settings, settings.divisor)};
  Board& board = *run.board;
  board.title = {"为什么除以 √dₖ", "Why divide by √dₖ"};
  std::vector<Sheet>& sheets = board.sheets;
  sheets.resize(kGradientSheet + 1);
  put(sheets[kScoresSheet], 0, 0, scores_block(view));
  put(sheets[kScoresSheet], 0, 1, histogram(view, false));
  put(sheets[kVarianceSheet], 0, 0, moments_table(view));
  put(sheets[kVarianceSheet], 0, 1, deviation_plot(view));
  put(sheets[kDivideSheet], 0, 0, histogram(view, false));
  put(sheets[kDivideSheet], 1, 0, histogram(view, true));
  put(sheets[kDivideSheet], 0, 1, divisors_table(view));
  put(sheets[kMeansSheet], 0, 0, scores_block(view));
  put(sheets[kMeansSheet], 0, 1, terms_table(view));
  put(sheets[kSoftmaxSheet], 0, 0, weights_block(view, false));
  put(sheets[kSoftmaxSheet], 0, 1, weights_block(view, true));
  put(sheets[kSaturationSheet], 0, 0,
      sweep_plot(view, 2, {"8 个键中最大的权重（平均）", "Largest of 8 weights, on average"},
                 {"最大权重", "Largest weight"}));
  put(sheets[kGradientSheet], 0, 0, slopes_block(false));
  put(sheets[kGradientSheet], 0, 1, slopes_block(true));
  put(sheets[kGradientSheet], 1, 0,
      sweep_plot(view, 4, {"∂w/∂s 的最大一项（平均）", "Largest entry of ∂w/∂s, on average"},
                 {"最大斜率", "Largest slope"}));
}

}  // namespace attn::lessons::scale_by_sqrt_dk
