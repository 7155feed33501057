#include "lessons/teacher_forcing/board.h"

#include <algorithm>

#include "lessons/numbers.h"

namespace attn::lessons::teacher_forcing {
namespace {

using tape::Label;
using tape::Site;

constexpr Text kOnePassTitle{"一次算完", "One pass"};
constexpr Text kStepwiseTitle{"逐词算", "Word by word"};

/// A block at the end of the sheet; the one before is finished by then.
Block& put(Sheet& sheet, const Label& tensor, Text title, int band, int column, const char* note = " ") {
  Block& block = sheet.blocks.emplace_back();
  block.tensor = tensor;
  block.title = title;
  block.band = band;
  block.column = column;
  block.note = note;
  return block;
}

Block& put_table(Sheet& sheet, const Label& tensor, Text title, int band, int column,
                 std::initializer_list<Text> columns) {
  Block& block = put(sheet, tensor, title, band, column);
  block.kind = BlockKind::table;
  for (const Text& heading : columns) block.table.columns.push_back(fill(heading));
  return block;
}

/// The name of the row, then its cells.
TableRow& add_row(Block& block, std::initializer_list<Filling> texts, Role role = Role::plain,
                  bool strong = false) {
  TableRow& row = block.table.rows.emplace_back();
  row.role = role;
  row.strong = strong;
  for (const Filling& text : texts)
    (&text == texts.begin() ? row.name : row.cells.emplace_back()) = fill({"$0", "$0"}, {text});
  return row;
}

/// A row of tokens, one a column, and a column for every place.
void add_tokens(Block& block, Text name, std::span<const int> tokens, std::size_t columns, bool strong) {
  std::vector<RunText>& cells = add_row(block, {name}, Role::plain, strong).cells;
  cells.resize(columns);
  for (std::size_t i = 0; i < tokens.size(); ++i) cells[i] = fill({"$0", "$0"}, {word_of(tokens[i])});
}

void number_columns(Block& block, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    block.table.columns.push_back(fill({"$0", "$0"}, {static_cast<int>(i)}));
}

/// tgt over tgt_y, so that a column reads "after this, say that".
void put_tokens(Sheet& sheet, const Sentence& sentence) {
  const std::size_t length = sentence.target.size();
  Block& block = put_table(sheet, kTokenFigures, {"喂什么，问什么", "What is fed, what is asked"}, 0, 0, {});
  number_columns(block, length);
  add_tokens(block, {"目标", "target"}, sentence.target, length, false);
  add_tokens(block, {"tgt（输入）", "tgt (fed)"}, sentence.fed, length, true);
  add_tokens(block, {"tgt_y（答案）", "tgt_y (asked)"}, sentence.asked, length, true);
}

void put_answers(Sheet& sheet, const Run& run, const Sentence& sentence) {
  const core::TensorView probabilities = run.tape().tensor(one_pass(Site::probabilities));
  const core::TensorView losses = run.tape().tensor(one_pass(Site::losses));
  Block& block = put_table(sheet, one_pass(Site::losses), {"答案与损失", "Answers and losses"}, 0, 1,
                           {{"读完", "after"}, {"该说", "say"}, {"概率 p", "p of it"}, {"−ln p", "−ln p"}});
  for (std::size_t t = 0; t < sentence.fed.size(); ++t) {
    const int answer = sentence.asked[t];
    const std::string p = fixed(probabilities.values[static_cast<int>(t) * kVocabulary + answer], 3);
    const std::string loss = fixed(losses.values[t], 3);
    const bool ignored = answer == kPad;
    add_row(block,
            {static_cast<int>(t), word_of(sentence.fed[t]), word_of(answer), p,
             ignored ? Filling(Text{"不算", "ignored"}) : Filling(loss)},
            ignored ? Role::plain : Role::output);
  }
}

void put_losses(Sheet& sheet, const Run& run) {
  const core::TensorView figures = run.tape().tensor(kLossFigures);
  Block& block = put_table(sheet, kLossFigures, {"逐个位置的损失", "The loss at each position"}, 0, 0,
                           {kOnePassTitle, kStepwiseTitle, {"相差", "apart"}});
  const int sums = figures.shape[0] - 1;
  for (int i = 0; i <= sums; ++i) {
    const float* values = figures.values + i * 3;
    add_row(block,
            {i == sums ? Filling(Text{"和", "sum"}) : Filling(i), six_digits(values[0]),
             six_digits(values[1]), thousands(static_cast<std::uint32_t>(values[2])) + " ULP"},
            values[2] == 0.0f ? Role::equal : Role::different, i == sums);
  }
}

void put_training(Sheet& sheet, const Experiment& experiment) {
  struct Line {
    Text name;
    Role role;
    const Training* training;
  };
  const Line lines[] = {{{"错一位", "shifted"}, Role::equal, experiment.shifted},
                        {{"没错位", "not shifted"}, Role::different, experiment.copying}};
  Block& block = put(sheet, kTrainingFigures, {"训练时的损失", "The loss in training"}, 1, 0);
  block.kind = BlockKind::plot;
  block.plot.x_name = {"步", "step"};
  block.plot.y_name = {"平均损失", "mean loss"};
  for (const Line& line : lines) {
    Series& series = block.plot.series.emplace_back();
    series.name = line.name;
    series.role = line.role;
    series.y = line.training->losses;
    for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<float>(i));
  }
  Block& said = put_table(sheet, kSaidFigures, {"训练后，从 <bos> 说起", "Then, from <bos> on"}, 1, 1,
                          {{"说的是", "says"}});
  for (const Line& line : lines) add_row(said, {line.name, sentence_text(line.training->said)}, line.role);
}

/// The padded prompt, the row to read marked under it, and the logits there.
void put_reading(Sheet& sheet, const Run& run, const Reading& reading) {
  const std::size_t length = reading.fed.size();
  Block& prompt = put_table(sheet, kReadFigures, {"补位后的提示", "The prompt, padded"}, 0, 0, {});
  number_columns(prompt, length);
  add_tokens(prompt, {"喂进去", "fed"}, reading.fed, length, true);
  add_tokens(prompt, {"这一行", "this row"}, {}, length, false);
  prompt.table.rows.back().cells[static_cast<std::size_t>(reading.row)] = {"↑ 读", "↑ read"};
  const core::TensorView figures = run.tape().tensor(kReadFigures);
  Block& block = put_table(sheet, kReadFigures, {"下一个词的 logits", "Logits of the next token"}, 1, 0,
                           {{"不补位", "no padding"}, {"“你”这一行", "row of 你"}, {"最后一行", "last row"}});
  for (int token = 0; token < kVocabulary; ++token) {
    const float* row = figures.values + token * 3;
    add_row(block, {word_of(token), fixed(row[0], 4), fixed(row[1], 4), fixed(row[2], 4)});
  }
  const float last = reading.last_difference;
  add_row(
      block,
      {Text{"相差", "apart"}, "–", thousands(reading.ulp) + " ULP", last == 0.0f ? "0 ULP" : fixed(last, 4)},
      Role::plain, true);
}

/// Rows whose answer is <pad>: no loss asks for them.
std::uint32_t ignored_rows(const Sentence& sentence) {
  std::uint32_t rows = 0;
  for (std::size_t t = 0; t < sentence.asked.size(); ++t)
    if (sentence.asked[t] == kPad) rows |= 1u << t;
  return rows;
}

Verdict equality(const Run& run) {
  const core::TensorView ulps = run.tape().tensor(kUlpFigures);
  const float largest = *std::max_element(ulps.values, ulps.values + ulps.size());
  if (largest == 0.0f) return {fill({"每行 0 ULP", "0 ULP in every row"}), Role::equal};
  return {fill({"$0 / $1 行相等", "$0 of $1 rows equal"}, {equal_rows(run), ulps.size()}), Role::different};
}

}  // namespace

int equal_rows(const Run& run) {
  const core::TensorView ulps = run.tape().tensor(kUlpFigures);
  return static_cast<int>(std::count(ulps.values, ulps.values + ulps.size(), 0.0f));
}

std::string sentence_text(std::span<const int> tokens) {
  std::string text;
  for (const int token : tokens) text += (text.empty() ? "" : " ") + std::string(word_of(token));
  return text;
}

void arrange(Experiment& experiment) {
  Run& run = experiment.run;
  Board& board = *run.board;
  board.title = {"教师强制", "Teacher forcing"};
  board.sheets.resize(kUnshifted + 1);
  std::vector<Sheet>& sheets = board.sheets;
  const Label probabilities = one_pass(Site::probabilities);

  put_tokens(sheets[kTokens], experiment.sentence);
  put(sheets[kOnePass], one_pass(Site::logits), {"logits", "Logits"}, 0, 0, "");
  put(sheets[kOnePass], probabilities, {"下一个词的概率", "Probabilities of the next token"}, 0, 1,
      "softmax");
  put(sheets[kStepwise], probabilities, kOnePassTitle, 0, 0);
  Block& again = put(sheets[kStepwise], stepwise(Site::probabilities), kStepwiseTitle, 0, 1);
  again.row_figures = kUlpFigures;
  again.row_figures_title = {"相差 ULP", "ULP apart"};
  again.verdict = equality(run);
  Block& shares = put(sheets[kLosses], probabilities, {"概率", "Probabilities"}, 0, 0);
  shares.unused_rows = ignored_rows(experiment.sentence);
  if (shares.unused_rows != 0)
    shares.verdict.text = fill({"淡的行：照算，损失不理", "pale rows: computed, ignored by the loss"});
  put_answers(sheets[kLosses], run, experiment.sentence);
  put_reading(sheets[kRead], run, experiment.reading);
  put_losses(sheets[kSums], run);
  put_tokens(sheets[kUnshifted], experiment.sentence);
  put_training(sheets[kUnshifted], experiment);
}

}  // namespace attn::lessons::teacher_forcing
