#include "lessons/teacher_forcing/board.h"

#include <algorithm>

#include "lessons/numbers.h"

namespace attn::lessons::teacher_forcing {
namespace {

using tape::Label;
using tape::Site;

constexpr Text kOnePassTitle{"一次算完", "One pass"};
constexpr Text kStepwiseTitle{"逐词算", "Word by word"};

RunText same(std::string text) { return {text, text}; }

Block block(BlockKind kind, const Label& tensor, Text title, int band, int column) {
  return {.kind = kind, .tensor = tensor, .title = title, .band = band, .column = column};
}

Block matrix(const Label& tensor, Text title, int column, const char* note = "") {
  Block result = block(BlockKind::matrix, tensor, title, 0, column);
  result.note = note;
  return result;
}

TableRow row_of(Text name, std::vector<RunText> cells, bool strong = false) {
  return {.name = fill(name, {}), .cells = std::move(cells), .strong = strong};
}

/// tgt over tgt_y, so that a column reads "after this, say that".
Block token_table(const Sentence& sentence) {
  const std::size_t length = sentence.target.size();
  const auto words = [&](const std::vector<int>& tokens) {
    std::vector<RunText> cells(length);
    for (std::size_t i = 0; i < tokens.size(); ++i) cells[i] = same(word_of(tokens[i]));
    return cells;
  };
  Block result =
      block(BlockKind::table, kTokenFigures, {"喂什么，问什么", "What is fed, what is asked"}, 0, 0);
  for (std::size_t i = 0; i < length; ++i) result.table.columns.push_back(same(std::to_string(i)));
  result.table.rows = {row_of({"目标", "target"}, words(sentence.target)),
                       row_of({"tgt（输入）", "tgt (fed)"}, words(sentence.fed), true),
                       row_of({"tgt_y（答案）", "tgt_y (asked)"}, words(sentence.asked), true)};
  return result;
}

Block answer_table(const Run& run, const Sentence& sentence) {
  const core::TensorView probabilities = run.tape().tensor(one_pass(Site::probabilities));
  const core::TensorView losses = run.tape().tensor(one_pass(Site::losses));
  Block result = block(BlockKind::table, one_pass(Site::losses), {"答案与损失", "Answers and losses"}, 0, 1);
  result.table.columns = {{"读完", "after"}, {"该说", "say"}, {"概率 p", "p of it"}, {"−ln p", "−ln p"}};
  for (std::size_t t = 0; t < sentence.fed.size(); ++t) {
    const int answer = sentence.asked[t];
    const float p = probabilities.values[static_cast<int>(t) * kVocabulary + answer];
    TableRow row;
    row.name = same(std::to_string(t));
    row.cells = {same(word_of(sentence.fed[t])), same(word_of(answer)), same(fixed(p, 3)),
                 answer == kPad ? RunText{"不算", "ignored"} : same(fixed(losses.values[t], 3))};
    row.role = answer == kPad ? Role::plain : Role::output;
    result.table.rows.push_back(std::move(row));
  }
  return result;
}

Block loss_table(const Run& run) {
  const core::TensorView figures = run.tape().tensor(kLossFigures);
  Block result = block(BlockKind::table, kLossFigures, {"逐个位置的损失", "The loss at each position"}, 0, 0);
  result.table.columns = {fill(kOnePassTitle, {}), fill(kStepwiseTitle, {}), {"相差", "apart"}};
  const int sums = figures.shape[0] - 1;
  for (int i = 0; i <= sums; ++i) {
    const float* values = figures.values + i * 3;
    TableRow row;
    row.name = i == sums ? RunText{"和", "sum"} : same(std::to_string(i));
    row.cells = {same(six_digits(values[0])), same(six_digits(values[1])),
                 same(thousands(static_cast<std::uint32_t>(values[2])) + " ULP")};
    row.role = values[2] == 0.0f ? Role::equal : Role::different;
    row.strong = i == sums;
    result.table.rows.push_back(std::move(row));
  }
  return result;
}

Block training_plot(const Experiment& experiment) {
  Block result = block(BlockKind::plot, kTrainingFigures, {"训练时的损失", "The loss in training"}, 1, 0);
  result.plot.x_name = {"步", "step"};
  result.plot.y_name = {"平均损失", "mean loss"};
  const auto add = [&](Text name, Role role, const Training& training) {
    Series series{.name = name, .form = SeriesForm::line, .role = role};
    for (const float loss : training.losses) {
      series.x.push_back(static_cast<float>(series.x.size()));
      series.y.push_back(loss);
    }
    result.plot.series.push_back(std::move(series));
  };
  add({"错一位", "shifted"}, Role::equal, *experiment.shifted);
  add({"没错位", "not shifted"}, Role::different, *experiment.copying);
  return result;
}

Block said_table(const Experiment& experiment) {
  Block result =
      block(BlockKind::table, kSaidFigures, {"训练后，从 <bos> 说起", "Then, from <bos> on"}, 1, 1);
  result.table.columns = {{"说的是", "says"}};
  result.table.rows = {row_of({"错一位", "shifted"}, {same(sentence_text(experiment.shifted->said))}),
                       row_of({"没错位", "not shifted"}, {same(sentence_text(experiment.copying->said))})};
  result.table.rows[0].role = Role::equal;
  result.table.rows[1].role = Role::different;
  return result;
}

/// The prompt alone and padded; the row to read is marked under it.
Block prompt_table(const Reading& reading) {
  Block result = block(BlockKind::table, kReadFigures, {"补位前后的提示", "The prompt, padded"}, 0, 0);
  std::vector<RunText> words, marks;
  for (std::size_t i = 0; i < reading.fed.size(); ++i) {
    result.table.columns.push_back(same(std::to_string(i)));
    words.push_back(same(word_of(reading.fed[i])));
    marks.push_back(static_cast<int>(i) == reading.row ? RunText{"↑ 读", "↑ read"} : RunText{});
  }
  result.table.rows = {row_of({"喂进去", "fed"}, std::move(words), true),
                       row_of({"这一行", "this row"}, std::move(marks))};
  return result;
}

Block reading_table(const Run& run, const Reading& reading) {
  const core::TensorView figures = run.tape().tensor(kReadFigures);
  Block result =
      block(BlockKind::table, kReadFigures, {"下一个词的 logits", "Logits of the next token"}, 1, 0);
  result.table.columns = {{"不补位", "no padding"}, {"“你”这一行", "row of 你"}, {"最后一行", "last row"}};
  for (int token = 0; token < kVocabulary; ++token) {
    const float* row = figures.values + token * 3;
    result.table.rows.push_back(
        {.name = same(word_of(token)),
         .cells = {same(fixed(row[0], 4)), same(fixed(row[1], 4)), same(fixed(row[2], 4))}});
  }
  const float last = reading.last_difference;
  result.table.rows.push_back({.name = {"相差", "apart"},
                               .cells = {same("–"), same(thousands(reading.ulp) + " ULP"),
                                         same(last == 0.0f ? "0 ULP" : fixed(last, 4))},
                               .strong = true});
  return result;
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
  if (largest == 0.0f) return {{"每行 0 ULP", "0 ULP in every row"}, Role::equal};
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
  const auto sheet = [&](std::vector<Block> blocks) { board.sheets.push_back({std::move(blocks)}); };
  const Label probabilities = one_pass(Site::probabilities);

  sheet({token_table(experiment.sentence)});
  sheet({matrix(one_pass(Site::logits), {"logits", "Logits"}, 0),
         matrix(probabilities, {"下一个词的概率", "Probabilities of the next token"}, 1, "softmax")});
  Block again = matrix(stepwise(Site::probabilities), kStepwiseTitle, 1, " ");
  again.row_figures = kUlpFigures;
  again.row_figures_title = {"相差 ULP", "ULP apart"};
  again.verdict = equality(run);
  sheet({matrix(probabilities, kOnePassTitle, 0, " "), again});
  Block shared = matrix(probabilities, {"概率", "Probabilities"}, 0, " ");
  shared.unused_rows = ignored_rows(experiment.sentence);
  if (shared.unused_rows != 0)
    shared.verdict.text = {"淡的行：照算，损失不理", "pale rows: computed, ignored by the loss"};
  sheet({shared, answer_table(run, experiment.sentence)});
  sheet({prompt_table(experiment.reading), reading_table(run, experiment.reading)});
  sheet({loss_table(run)});
  sheet({token_table(experiment.sentence), training_plot(experiment), said_table(experiment)});
}

}  // namespace attn::lessons::teacher_forcing
