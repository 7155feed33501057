#include "lessons/loops_to_matrices/board.h"

#include "lessons/numbers.h"
#include "lessons/stopwatch.h"

namespace attn::lessons::loops_to_matrices {
namespace {

using tape::Site;

lessons::Block matrix(const tape::Label& tensor, Text title, Role role, int column, const char* note = "") {
  return {.tensor = tensor, .title = title, .note = note, .role = role, .column = column};
}

/// What the reader may change.
lessons::Block given(Site site, Text title, Role role, int column) {
  lessons::Block block = matrix(label_of(site), title, role, column);
  block.narrow = true;
  return block;
}

RunText count(float value) { return fill({"$0", "$0"}, {thousands(static_cast<std::uint32_t>(value))}); }

Sheet loops_sheet(const Run& run) {
  Table table{.columns = {{"走过", "over"}, {"共执行", "runs"}}, .rows = {}};
  constexpr Text kOver[] = {
      {"每个查询词", "each query's word"}, {"每个键词", "each key's word"}, {"每个特征", "each feature"}};
  constexpr const char* kNames[] = {"for i", "for j", "for k"};
  for (int i = 0; i < 3; ++i) {
    const Text over = kOver[i];
    table.rows.push_back({.name = {kNames[i], kNames[i]},
                          .cells = {{over.zh, over.en}, count(figure(run, Figure::loops, i, 0))},
                          .strong = i == 2});
  }
  Sheet sheet;
  sheet.blocks = {matrix(label_of(Site::query), {"Q", "Q"}, Role::query, 0),
                  matrix(label_of(Site::key), {"K", "K"}, Role::key, 0),
                  matrix(label_of(Site::scores), {"分数", "Scores"}, Role::plain, 1, "Q·Kᵀ / √d"),
                  {.kind = BlockKind::table,
                   .tensor = label_of(Figure::loops),
                   .title = {"三层循环", "The three loops"},
                   .note = " ",
                   .column = 1,
                   .at_bottom = true,
                   .table = table}};
  return sheet;
}

Sheet outputs_sheet(const Run& run) {
  const Comparison found = compare_outputs(run);
  const Verdict verdict =
      found.different == 0
          ? Verdict{{"0 ULP", "0 ULP"}, Role::equal}
          : Verdict{fill({"$0/$1 格不同，最多 $2 ULP", "$0 of $1 differ, ≤ $2 ULP"},
                         {found.different, found.cells, static_cast<int>(found.largest_ulp)}),
                    Role::different};
  Sheet sheet;
  sheet.blocks = {given(Site::query_weight, {"W_q", "W_q"}, Role::query, 0),
                  given(Site::key_weight, {"W_k", "W_k"}, Role::key, 1),
                  given(Site::value_weight, {"W_v", "W_v"}, Role::value, 2)};
  for (lessons::Block& weight : sheet.blocks) weight.band = 1;
  sheet.blocks.push_back(given(Site::embedding, {"X", "X"}, Role::plain, 0));
  sheet.blocks.push_back(matrix(loops_output(), {"循环的输出", "Output by loops"}, Role::output, 1));
  sheet.blocks.back().origin = {"由循环一个乘积一个乘积地算出", "computed by the loops, product by product"};
  sheet.blocks.push_back(
      matrix(label_of(Site::context), {"矩阵的输出", "Output by matrices"}, Role::output, 2));
  sheet.blocks.push_back(matrix(label_of(Figure::ulp), {"相差几个 ULP", "ULP apart"}, Role::plain, 3, " "));
  sheet.blocks.back().origin = {"两个输出的同一格相差几个 ULP",
                                "ULP between the same cell of the two outputs"};
  sheet.blocks.back().verdict = verdict;
  return sheet;
}

Sheet steps_sheet(const Run& run) {
  constexpr Text kNames[] = {{"投影 Q、K、V", "projections Q, K, V"},
                             {"分数 Q·Kᵀ / √d", "scores Q·Kᵀ / √d"},
                             {"softmax（每行）", "softmax, row by row"},
                             {"加权求和 权重·V", "context weights·V"},
                             {"合计", "all"}};
  Table table{.columns = {{"×", "×"}, {"+", "+"}, {"÷", "÷"}, {"eˣ", "eˣ"}}, .rows = {}};
  for (int i = 0; i < 5; ++i) {
    TableRow row{.name = {kNames[i].zh, kNames[i].en}, .cells = {}, .strong = i == 4};
    for (int j = 0; j < 4; ++j) row.cells.push_back(count(figure(run, Figure::steps, i, j)));
    table.rows.push_back(std::move(row));
  }
  Sheet sheet;
  sheet.blocks = {{.kind = BlockKind::table,
                   .tensor = label_of(Figure::steps),
                   .title = {"每一步的运算次数", "Operations of each step"},
                   .note = " ",
                   .table = table}};
  return sheet;
}

/// Columns 1 and 2 of figures over column 0.
Plot plot_of(const Run& run, Figure which, int rows, Text y_name, Text first, Text second) {
  Plot plot{.x_name = {"词数 n", "words n"}, .y_name = y_name, .series = {}};
  for (const int column : {2, 1}) {
    Series series{.name = column == 1 ? first : second, .role = column == 1 ? Role::query : Role::output};
    for (int i = 0; i < rows; ++i) {
      series.x.push_back(figure(run, which, i, 0));
      series.y.push_back(figure(run, which, i, column));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Sheet plot_sheet(Figure which, Text title, Plot plot) {
  Sheet sheet;
  sheet.blocks = {{.kind = BlockKind::plot,
                   .tensor = label_of(which),
                   .title = title,
                   .note = " ",
                   .plot = std::move(plot)}};
  return sheet;
}

Sheet timed_sheet(const Times& times) {
  Series loops{.name = {"循环", "loops"}, .role = Role::different};
  Series matrices{.name = {"矩阵", "matrices"}, .role = Role::equal};
  Table table{.columns = {{"循环", "loops"}, {"矩阵", "matrices"}, {"倍数", "ratio"}}, .rows = {}};
  for (std::size_t i = 0; i < kTimedWords.size(); ++i) {
    const auto n = static_cast<float>(kTimedWords[i]);
    loops.x.push_back(n);
    loops.y.push_back(times.loops[i]);
    matrices.x.push_back(n);
    matrices.y.push_back(times.matrices[i]);
    const float ratio = times.matrices[i] > 0.0f ? times.loops[i] / times.matrices[i] : 0.0f;
    const auto same = [](const std::string& text) { return RunText{text, text}; };
    table.rows.push_back({.name = fill({"$0 个词", "$0 words"}, {kTimedWords[i]}),
                          .cells = {same(microseconds(times.loops[i])), same(microseconds(times.matrices[i])),
                                    same(ratio > 0.0f ? "× " + fixed(ratio, 1) : "—")}});
  }
  Sheet sheet = plot_sheet(Figure::timed, {"这台设备上的时间", "Time on this device"},
                           {.x_name = {"词数 n", "words n"},
                            .y_name = {"微秒", "microseconds"},
                            .series = {std::move(loops), std::move(matrices)}});
  sheet.blocks.push_back({.kind = BlockKind::table,
                          .tensor = label_of(Figure::timed),
                          .title = {"中位数", "Medians"},
                          .note = " ",
                          .band = 1,
                          .table = table});
  return sheet;
}

}  // namespace

std::vector<Sheet> make_sheets(const Run& run, const Settings& settings, const Times& times) {
  Plot growth = plot_of(run, Figure::growth, kCountedWords, {"乘法次数", "multiplications"},
                        {"投影", "projections"}, {"分数与加权", "scores and context"});
  Plot waiting = plot_of(run, Figure::waiting, kCountedWords, {"必须先后做的运算", "operations in a row"},
                         {"RNN", "RNN"}, {"自注意力", "self-attention"});
  growth.marked_x = waiting.marked_x = static_cast<float>(settings.n);
  return {loops_sheet(run),
          outputs_sheet(run),
          steps_sheet(run),
          plot_sheet(Figure::growth, {"词越多，算得越多", "More words, more work"}, std::move(growth)),
          plot_sheet(Figure::waiting, {"必须一个等一个的运算", "Operations that wait for one another"},
                     std::move(waiting)),
          timed_sheet(times)};
}

}  // namespace attn::lessons::loops_to_matrices
