#include "lessons/positions/sheets.h"

#include "lessons/numbers.h"

namespace attn::lessons::positions {
namespace {

using tape::Site;

void put(Sheet& sheet, int band, int column, Block block) {
  block.band = band;
  block.column = column;
  sheet.blocks.push_back(std::move(block));
}

RunText same(std::string text) { return {text, text}; }

Block matrix(tape::Label tensor, Text title, Role role = Role::plain, std::string note = {}) {
  return {.tensor = tensor, .title = title, .note = std::move(note), .role = role};
}

Block encoding(Table table, Text title) {
  Block block = matrix(table_label(table), title);
  block.origin = {"按公式算出的正弦或余弦", "a sine or cosine, by the formula"};
  return block;
}

/// "1.2e−7" where two decimals would say nothing.
std::string number_of(const Change& change) {
  return change.largest < 0.005f ? exponent(change.largest) : fixed(change.largest, 2);
}

/// With positions a difference is no rounding, without them it is nothing else.
bool is_rounding(const Change& change, const Settings& settings) {
  return change.equal() || settings.kind == kNone;
}

Verdict verdict_of(const Change& change, const Settings& settings) {
  const bool rounding = is_rounding(change, settings);
  const Text pattern = change.equal() ? Text{"与原句 0 ULP", "0 ULP from above"}
                       : rounding     ? Text{"同一个词只差 $0", "same word: $0 apart"}
                                      : Text{"同一个词相差 $0", "same word: $0 apart"};
  return {fill(pattern, {number_of(change)}), rounding ? Role::equal : Role::different};
}

Block arcs_of(Pass pass) {
  Block block = matrix(label_of(pass, Site::weights), {"谁看谁", "Who looks at whom"}, Role::plain, " ");
  block.kind = BlockKind::arcs;
  return block;
}

Block output_of(Pass pass) {
  return matrix(
      label_of(pass, Site::context),
      pass == kWritten ? Text{"输出，原句", "Output, as written"} : Text{"输出，换序", "Output, reordered"},
      Role::output);
}

/// X and weights of one pass, a row of the sheet.
void put_pass(Sheet& sheet, Pass pass) {
  const bool written = pass == kWritten;
  put(sheet, pass, 0,
      matrix(label_of(pass, Site::embedding),
             written ? Text{"X，原句", "X, as written"} : Text{"X，换序", "X, reordered"}));
  sheet.blocks.back().narrow = true;
  put(sheet, pass, 1,
      matrix(label_of(pass, Site::weights),
             written ? Text{"权重，原句", "Weights, as written"} : Text{"权重，换序", "Weights, reordered"}));
  put(sheet, pass, 2, arcs_of(pass));
}

void fill_order_sheet(Sheet& sheet, const Run& run, const Settings& settings) {
  Block output = output_of(kReordered);
  output.row_figures = figures(kRowChanges);
  output.row_figures_title = {"与原句差", "change"};
  output.verdict = verdict_of(change_of(run, settings, kOutput), settings);
  put_pass(sheet, kWritten);
  put(sheet, kWritten, 3, output_of(kWritten));
  put_pass(sheet, kReordered);
  put(sheet, kReordered, 3, std::move(output));
}

void fill_rounding_sheet(Sheet& sheet, const Run& run, const Settings& settings) {
  static constexpr Text kNames[kCompared] = {
      {"X", "X"},         {"查询 Q", "queries Q"}, {"键 K", "keys K"}, {"值 V", "values V"},
      {"分数", "scores"}, {"权重", "weights"},     {"输出", "output"}};
  Block table{.kind = BlockKind::table,
              .tensor = figures(kFollowing),
              .title = {"同一个词，换序前后", "The same word, before and after reordering"},
              .short_title = {"换序前后", "Compared"},
              .note = " "};
  table.table.columns = {{"不同的格", "cells that differ"}, {"最大差", "largest difference"}, {"ULP", "ULP"}};
  bool differs = false;
  for (int i = 0; i < kCompared; ++i) {
    const Change change = change_of(run, settings, static_cast<Compared>(i));
    const bool first = !change.equal() && !differs;
    differs = differs || first;
    table.table.rows.push_back(
        {fill(kNames[i], {}),
         {fill({"$0 / $1", "$0 of $1"}, {change.different, change.cells}),
          same(change.equal() ? "0" : exponent(change.largest)), same(thousands(change.ulp))},
         change.equal()                  ? Role::equal
         : is_rounding(change, settings) ? Role::plain
                                         : Role::different,
         first});
  }
  put(sheet, 0, 0, std::move(table));
  put(sheet, 0, 1, output_of(kWritten));
  put(sheet, 0, 1, output_of(kReordered));
}

Block plot(tape::Label tensor, Text title, Text x_name, Text y_name) {
  Block block{.kind = BlockKind::plot, .tensor = tensor, .title = title, .note = " "};
  block.plot.x_name = x_name;
  block.plot.y_name = y_name;
  return block;
}

/// The sine columns of up to three frequencies against the position.
Block columns_plot(const Run& run, const Settings& settings) {
  static constexpr Text kNames[] = {
      {"第 0 对", "pair 0"}, {"第 1/4 处的对", "pair at 1/4"}, {"中间的对", "middle pair"}};
  static constexpr Role kRoles[] = {Role::query, Role::key, Role::value};
  Block block = plot(table_label(kSinusoidalTable), {"三列正弦", "Three sine columns"}, {"位置", "Position"},
                     {"值", "Value"});
  const float* table = run.tape().tensor(block.tensor).values;
  const int pairs = pairs_of(settings);
  const int shown[] = {0, pairs / 4, pairs / 2};
  for (std::size_t k = 0; k < 3; ++k) {
    if (k > 0 && shown[k] == shown[k - 1]) continue;
    Series series{.name = kNames[k], .role = kRoles[k]};
    const int column = columns_of(settings, shown[k]).sine;
    for (int row = 0; row < kRows; ++row) {
      series.x.push_back(static_cast<float>(row));
      series.y.push_back(table[row * settings.d_model + column]);
    }
    block.plot.series.push_back(std::move(series));
  }
  return block;
}

Block waves_plot(const Settings& settings) {
  Block block = plot(figures(kWaves), {"每一对的波长", "Wavelength of each pair"}, {"第 i 对", "Pair i"},
                     {"波长", "Wavelength"});
  block.plot.log_y = true;
  Series series{.name = {"波长", "Wavelength"}, .form = SeriesForm::points, .role = Role::query};
  for (int i = 0; i < pairs_of(settings); ++i) {
    series.x.push_back(static_cast<float>(i));
    series.y.push_back(wavelength(settings, i));
  }
  block.plot.series.push_back(std::move(series));
  return block;
}

Block distance_plot(const Run& run) {
  struct Line {
    Text name;
    Table table;
    int from;
    SeriesForm form;
    Role role;
  };
  static constexpr Line kLines[] = {
      {{"正弦，0 起", "sine, from 0"}, kSinusoidalTable, 0, SeriesForm::line, Role::key},
      {{"正弦，20 起", "sine, from 20"}, kSinusoidalTable, 20, SeriesForm::points, Role::query},
      {{"学习的表", "learned"}, kLearnedTable, 0, SeriesForm::line, Role::plain}};
  Block block = plot(products_label(kSinusoidalTable), {"内积与距离", "Dot product against distance"},
                     {"距离", "Distance"}, {"内积", "Dot product"});
  for (const Line& line : kLines) {
    const float* products = run.tape().tensor(products_label(line.table)).values;
    Series series{.name = line.name, .form = line.form, .role = line.role};
    for (int column = line.from; column < kRows; ++column) {
      series.x.push_back(static_cast<float>(column - line.from));
      series.y.push_back(products[line.from * kRows + column]);
    }
    block.plot.series.push_back(std::move(series));
  }
  return block;
}

void fill_saws_sheet(Sheet& sheet, const Run& run, const Settings& settings) {
  Block output = matrix(label_of(kReordered, Site::context), {"输出", "Output"}, Role::output);
  const Change change = between_saws(run, settings);
  output.verdict = {fill({"两个 saw：$0", "the two saws: $0"}, {size_of(change)}),
                    change.equal() ? Role::equal : Role::different};
  put(sheet, 0, 0, matrix(label_of(kReordered, Site::position), {"位置", "Positions"}, Role::memory));
  put(sheet, 0, 0, matrix(kWordTable, {"词向量：I、saw、a", "Words: I, saw, a"}));
  put(sheet, 0, 1, matrix(label_of(kReordered, Site::embedding), {"X = 词 + 位置", "X = word + position"}));
  put(sheet, 0, 1, arcs_of(kReordered));
  put(sheet, 0, 2, matrix(label_of(kReordered, Site::weights), {"权重", "Weights"}));
  put(sheet, 0, 2, std::move(output));
}

}  // namespace

std::string size_of(const Change& change) {
  if (change.equal()) return "0 ULP";
  return number_of(change) + ", " + thousands(change.ulp) + " ULP";
}

void make_sheets(Run& run, const Settings& settings) {
  const auto narrow = [](Block block) {
    block.narrow = true;
    return block;
  };
  Board& board = *run.board;
  board.title = {"位置编码", "Positions"};
  std::vector<Sheet>& sheets = board.sheets;
  sheets.resize(kSawsSheet + 1);
  fill_order_sheet(sheets[kOrderSheet], run, settings);
  fill_rounding_sheet(sheets[kRoundingSheet], run, settings);
  put(sheets[kTableSheet], 0, 0, narrow(encoding(kSinusoidalTable, {"正弦位置编码", "Sinusoidal encoding"})));
  put(sheets[kWavesSheet], 0, 0, columns_plot(run, settings));
  put(sheets[kWavesSheet], 1, 0, waves_plot(settings));
  put(sheets[kDistanceSheet], 0, 0,
      narrow(matrix(products_label(kSinusoidalTable), {"行与行的内积，正弦", "Rows · rows, sinusoidal"})));
  put(sheets[kDistanceSheet], 0, 1,
      narrow(matrix(products_label(kLearnedTable), {"行与行的内积，学习的表", "Rows · rows, learned"})));
  put(sheets[kDistanceSheet], 1, 0, distance_plot(run));
  put(sheets[kLayoutSheet], 0, 0,
      encoding(kInterleavedTable, {"交错：sin cos sin cos …", "Interleaved: sin cos sin cos …"}));
  put(sheets[kLayoutSheet], 0, 1, encoding(kHalvesTable, {"两半：sin … cos …", "Halves: sin … cos …"}));
  fill_saws_sheet(sheets[kSawsSheet], run, settings);
}

}  // namespace attn::lessons::positions
