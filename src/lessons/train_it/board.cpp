#include "lessons/train_it/board.h"

#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"

namespace attn::lessons::train_it {
namespace {

using tape::Label;
using tape::Site;

RunText same(std::string text) { return {text, text}; }

Block block(BlockKind kind, const Label& tensor, Text title, int band, int column) {
  return {.kind = kind, .tensor = tensor, .title = title, .note = " ", .band = band, .column = column};
}

/// Column `y` of figures over column `x`, or over 1, 2, … when x is negative.
Series series_of(const Run& run, const Label& figures, int x, int y, Series series) {
  const core::ConstMatrix rows = core::as_matrix(run.tape().tensor(figures));
  for (int i = 0; i < rows.rows; ++i) {
    series.x.push_back(x < 0 ? static_cast<float>(i + 1) : rows.row(i)[x]);
    series.y.push_back(rows.row(i)[y]);
  }
  return series;
}

constexpr Text kHonest{"正常", "honest"};
constexpr float kLeastLoss = 1e-6f;  // what a curve over a logarithmic axis shows of a loss of 0

/// Losses fall by orders of magnitude; the mean of some steps in a row shows where they are going.
Series smoothed(Series series) {
  constexpr std::size_t kPoints = 200;
  const std::size_t width = (series.x.size() + kPoints - 1) / kPoints;
  Series result{.name = series.name, .form = series.form, .role = series.role};
  for (std::size_t first = 0; first < series.x.size(); first += width) {
    const std::size_t end = std::min(first + width, series.x.size());
    float sum = 0.0f;
    for (std::size_t i = first; i < end; ++i) sum += series.y[i];
    result.x.push_back(series.x[end - 1]);
    result.y.push_back(std::max(sum / static_cast<float>(end - first), kLeastLoss));
  }
  return result;
}

Block loss_plot(const Experiment& experiment, bool with_beside, int band, int column) {
  const Run& run = experiment.run;
  Block result = block(BlockKind::plot, kHistory, {"损失", "Loss"}, band, column);
  result.plot.x_name = {"步", "Step"};
  result.plot.y_name = {"每个词的平均损失", "Mean loss of a token"};
  result.plot.log_y = true;
  result.plot.series.push_back(
      smoothed(series_of(run, kHistory, -1, 0, {.name = kHonest, .role = Role::equal})));
  if (with_beside)
    result.plot.series.push_back(smoothed(
        series_of(run, kHistoryBeside, -1, 0,
                  {.name = name_of(experiment.shown->beside->recipe.mistake), .role = Role::different})));
  return result;
}

Block exact_plot(const Experiment& experiment, bool with_beside, int band, int column) {
  const Run& run = experiment.run;
  Block result =
      block(BlockKind::plot, kEvaluations, {"没见过的，全对的比例", "New ones, all right"}, band, column);
  result.plot.x_name = {"步", "Step"};
  result.plot.y_name = {"全对的 %", "Right, %"};
  result.plot.series.push_back(series_of(run, kEvaluations, 0, 1, {.name = kHonest, .role = Role::equal}));
  if (with_beside)
    result.plot.series.push_back(
        series_of(run, kEvaluationsBeside, 0, 1,
                  {.name = name_of(experiment.shown->beside->recipe.mistake), .role = Role::different}));
  result.verdict = {same(fixed(exact_percent(run), 0) + " %"), Role::plain};
  return result;
}

Block rate_plot(const Experiment& experiment, int band, int column) {
  Block result =
      block(BlockKind::plot, kHistory, {"学习率与梯度的长度", "Learning rate, gradient norm"}, band, column);
  result.plot.x_name = {"步", "Step"};
  result.plot.y_name = {"大小", "Size"};
  result.plot.log_y = true;
  const auto add = [&](int figure, Text name, Role role) {
    Series series = series_of(experiment.run, kHistory, -1, figure, {.name = name, .role = role});
    for (float& value : series.y) value = std::max(value, kLeastLoss);
    result.plot.series.push_back(std::move(series));
  };
  add(1, {"梯度的长度", "gradient norm"}, Role::plain);
  add(2, {"学习率", "learning rate"}, Role::key);
  return result;
}

Block said_table(const Experiment& experiment, bool with_beside, int band, int column) {
  const training::Task& task = experiment.shown->honest->trainer.task();
  Block result = block(BlockKind::table, kSaid,
                       with_beside ? Text{"没见过的例子，该说什么", "Unseen examples: what to say"}
                                   : Text{"没见过的例子", "Examples it has never seen"},
                       band, column);
  if (with_beside)
    result.table.columns = {{"正常的说", "honest"}, {"有错的说", "flawed"}};
  else
    result.table.columns = {{"该说", "should say"}, {"说的是", "says"}};
  for (const Sample& sample : experiment.samples) {
    TableRow row;
    const RunText target = same(text_of(task, sample.target, false));
    const RunText said = same(text_of(task, sample.said, false));
    row.name = with_beside ? target : same(text_of(task, sample.source, true));
    row.cells = {with_beside ? said : target,
                 with_beside ? same(text_of(task, sample.said_beside, false)) : said};
    if (!with_beside) row.role = sample.said == sample.target ? Role::equal : Role::different;
    result.table.rows.push_back(std::move(row));
  }
  return result;
}

Block gradient_table(const Experiment& experiment, int band, int column) {
  const core::TensorView figures = experiment.run.tape().tensor(kGradients);
  Block result =
      block(BlockKind::table, kGradients, {"梯度有多大", "How large the gradients are"}, band, column);
  result.note = "√mean g²";
  result.table.columns = {{"每个数", "each number"}};
  const auto largest = std::max_element(figures.values, figures.values + figures.size());
  for (std::size_t i = 0; i < std::size(kGroups); ++i) {
    const float value = figures.values[i];
    result.table.rows.push_back({.name = fill(kGroups[i], {}),
                                 .cells = {same(value == 0.0f ? "0" : exponent(value))},
                                 .strong = value > 0.0f && figures.values + i == largest});
  }
  return result;
}

Block matrix(const Label& tensor, Text title, Role role, int band, int column) {
  Block result = block(BlockKind::matrix, tensor, title, band, column);
  result.role = role;
  return result;
}

}  // namespace

float exact_percent(const Run& run, bool beside) {
  const core::TensorView figures = run.tape().tensor(beside ? kEvaluationsBeside : kEvaluations);
  return figures.values[figures.size() - 1];
}

const Text& name_of(Mistake mistake) {
  static constexpr Text kNames[] = {
      {"没有", "none"}, {"不用掩码", "without the mask"}, {"答案没错位", "not shifted"}};
  return kNames[static_cast<std::size_t>(mistake)];
}

void arrange(Experiment& experiment) {
  Board& board = *experiment.run.board;
  board.title = {"在浏览器里训练", "Training in the tab"};
  const bool beside = experiment.shown->beside != nullptr;
  const auto sheet = [&](std::vector<Block> blocks) { board.sheets.push_back({std::move(blocks)}); };
  const auto in_decoder = [&](tape::Block part) {
    return Label{tape::Stack::decoder, experiment.layer, part, Site::weights};
  };
  sheet({said_table(experiment, false, 0, 0)});
  sheet({loss_plot(experiment, false, 0, 0), rate_plot(experiment, 0, 1)});
  sheet({loss_plot(experiment, false, 0, 0), exact_plot(experiment, false, 0, 1)});
  Block cross =
      matrix(in_decoder(tape::Block::cross_attention), {"交叉注意力", "Cross-attention"}, Role::memory, 0, 0);
  Block arcs =
      block(BlockKind::arcs, in_decoder(tape::Block::cross_attention), {"看哪里", "Where it looks"}, 0, 1);
  arcs.role = Role::memory;
  sheet({cross, arcs});
  Block gradient = matrix(kQueryGradient, {"W_q 的梯度", "Gradient of W_q"}, Role::query, 0, 0);
  gradient.note = "∂L/∂W_q";
  gradient.narrow = true;
  gradient.origin = {"最近一步的梯度", "the gradient of the newest step"};
  sheet({gradient, gradient_table(experiment, 0, 1)});
  sheet({loss_plot(experiment, beside, 0, 0), exact_plot(experiment, beside, 0, 1),
         said_table(experiment, beside, 1, 0)});
}

}  // namespace attn::lessons::train_it
