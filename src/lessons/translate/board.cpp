#include "lessons/translate/board.h"

#include <algorithm>

#include "lessons/numbers.h"

namespace attn::lessons::translate {
namespace {

using io::Vocabulary;
using tape::Label;

RunText same(std::string text) { return {text, text}; }

Block block(BlockKind kind, const Label& tensor, Text title, int column, const char* note = " ") {
  return {.kind = kind, .tensor = tensor, .title = title, .note = note, .column = column};
}

Block rows_of_words(const Label& tensor, Text title, int column, const char* note = "") {
  Block result = block(BlockKind::matrix, tensor, title, column, note);
  result.narrow = true;
  return result;
}

Block number_table(const Experiment& experiment) {
  Block result = block(BlockKind::table, kSourceTokens, {"查词表", "Looked up"}, 0);
  result.table.columns = {{"编号", "number"}};
  for (std::size_t i = 0; i < experiment.source.size(); ++i)
    result.table.rows.push_back({.name = same(experiment.run.source_words[i]),
                                 .cells = {same(std::to_string(experiment.source[i]))}});
  return result;
}

Block falling(const Settings& settings) {
  Block result =
      block(BlockKind::falling, attention_of(settings), {"记忆 → 译文", "Memory → translation"}, 0);
  result.keys = kMemory;
  result.written = true;
  return result;
}

Block attention(const Settings& settings) {
  constexpr Text kMean{"交叉注意力，各头平均", "Cross-attention, mean of heads"};
  constexpr Text kHead{"交叉注意力，一个头", "Cross-attention, one head"};
  Block result = block(BlockKind::matrix, attention_of(settings), settings.mean ? kMean : kHead, 1);
  result.short_title = {"交叉注意力", "Cross-attention"};
  result.written = true;
  return result;
}

/// What the bars are of: "T = 2, top-k = 5".
std::string sampling_note(const Settings& settings) {
  if (settings.temperature <= 0.0f) return "softmax";
  std::string note = "T = " + six_digits(settings.temperature);
  if (settings.top_k > 0) note += ", top-k = " + std::to_string(settings.top_k);
  return note;
}

Block candidates(const Settings& settings, int column) {
  Block result = block(BlockKind::candidates, kProbabilities, {"下一个字", "Next character"}, column);
  result.note = sampling_note(settings);
  result.choice = kWritten;
  return result;
}

/// A row a step: what was fed last, what was written, how probable it was.
Block step_table(const Experiment& experiment) {
  const core::TensorView probabilities = experiment.run.tape().tensor(kProbabilities);
  const std::vector<int>& written = experiment.shown.tokens;
  Block result = block(BlockKind::table, kWritten, {"一步一步", "Step by step"}, 1);
  result.table.columns = {{"喂入", "fed"}, {"写下", "written"}, {"概率", "p"}};
  for (std::size_t t = 0; t < written.size(); ++t) {
    const int fed = t == 0 ? Vocabulary::kBos : written[t - 1];
    const float p = probabilities.values[t * static_cast<std::size_t>(probabilities.shape[-1]) +
                                         static_cast<std::size_t>(written[t])];
    result.table.rows.push_back({.name = same(std::to_string(t + 1)),
                                 .cells = {same(symbol_of(experiment, fed)),
                                           same(symbol_of(experiment, written[t])), same(fixed(p, 3))},
                                 .strong = t + 1 == written.size()});
  }
  return result;
}

Block vocabulary(const Experiment& experiment) {
  Block result = block(BlockKind::words, kSourceTokens, {"它认识的英文词", "The English words it knows"}, 0);
  const Vocabulary& source = experiment.translator->source;
  for (int id = Vocabulary::kSpecials; id < source.size(); ++id)
    result.row_names.push_back(source.symbol(id));
  std::sort(result.row_names.begin(), result.row_names.end());
  return result;
}

Verdict equality(const Experiment& experiment) {
  const std::uint32_t apart = distance_of_passes(experiment);
  if (apart == 0) return {{"逐步与一遍：0 ULP", "steps and one pass: 0 ULP"}, Role::equal};
  return {fill({"相差 $0 ULP", "$0 ULP apart"}, {thousands(apart)}), Role::different};
}

}  // namespace

void arrange(Experiment& experiment, const Settings& settings) {
  Board& board = *experiment.run.board;
  board.title = {"翻译", "Translation"};
  const auto sheet = [&](std::vector<Block> blocks) { board.sheets.push_back({std::move(blocks)}); };
  Block input = rows_of_words(kEmbedding, {"编码器的输入", "The encoder’s input"}, 1);
  Block memory = rows_of_words(kMemory, {"记忆", "Memory"}, 1);
  memory.role = Role::memory;

  sheet({number_table(experiment), rows_of_words(kPosition, {"位置编码", "Positions"}, 1), input});
  input.column = 0;
  memory.column = 0;
  memory.band = 1;
  sheet({input, memory});
  sheet({falling(settings), attention(settings), candidates(settings, 1)});
  Block table = step_table(experiment);
  table.verdict = equality(experiment);
  sheet({falling(settings), table});
  sheet({vocabulary(experiment)});
}

}  // namespace attn::lessons::translate
