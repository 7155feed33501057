// The sheets of `why-attention`.
#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/why_attention/experiment.h"

namespace attn::lessons::why_attention {
namespace {

using tape::Site;

Block block_of(const tape::Label& tensor, Text title, const char* note, Role role, int column, int band = 0) {
  return {.tensor = tensor, .title = title, .note = note, .role = role, .band = band, .column = column};
}

Block words_block(int column) {
  return block_of(words_label(), {"词 X", "Words X"}, "one-hot", Role::plain, column);
}

RunText part_of_speech(const Run& run, int word) {
  static constexpr Text kFixed[] = {{"代词", "pronoun"}, {}, {"限定词", "article"}, {}};
  static constexpr Text kOfSaw[] = {
      {"名词：锯子", "noun: a tool"}, {"？", "?"}, {"动词：看见", "verb: to see"}};
  const bool saw = word == kFirstSaw || word == kSecondSaw;
  return fill(saw ? kOfSaw[told_apart(run, word) + 1] : kFixed[word], {});
}

Block speech_table(const Run& run) {
  Block block =
      block_of(label_of(kGoal, Site::context), {"每个词是什么", "What each word is"}, " ", Role::plain, 0, 1);
  block.kind = BlockKind::table;
  TableRow looks{{"最看重", "looks most at"}, {}};
  TableRow speech{{"所以是", "so it is"}, {}, Role::plain, true};
  for (int t = 0; t < kWords; ++t) {
    const std::string& word = run.source_words[static_cast<std::size_t>(t)];
    const std::string most = largest_words(run, label_of(kGoal, Site::weights), t);
    block.table.columns.push_back({word, word});
    looks.cells.push_back({most, most});
    speech.cells.push_back(part_of_speech(run, t));
  }
  block.table.rows = {looks, speech};
  return block;
}

Sheet sentence_sheet(const Run& run) {
  Block arcs = block_of(label_of(kGoal, Site::weights), {"谁看谁", "Who looks at whom"}, " ", Role::plain, 0);
  arcs.kind = BlockKind::arcs;
  return {{arcs, speech_table(run)}};
}

Sheet alone_sheet(const Run& run) {
  Block output = block_of(function_label(Site::feed_forward), {"只看自己的结果", "From the word alone"},
                          "tanh(W·x)", Role::output, 2);
  std::uint32_t ulp = 0;
  const std::span<const float> first = row_of(run, output.tensor, kFirstSaw);
  const std::span<const float> second = row_of(run, output.tensor, kSecondSaw);
  for (std::size_t j = 0; j < first.size(); ++j) ulp = std::max(ulp, core::ulp_distance(first[j], second[j]));
  output.verdict = {fill({"两个 saw：$0 ULP", "both saws: $0 ULP"}, {static_cast<int>(ulp)}),
                    ulp == 0 ? Role::equal : Role::different};
  Block function =
      block_of(function_label(Site::linear1_weight), {"任意函数 W", "Any function W"}, " ", Role::plain, 1);
  function.short_title = {"W", "W"};
  return {{words_block(0), function, output}};
}

Block angle_table(const Run& run, Pair pair) {
  const Angle angle = angle_of(run, pair);
  Block block = block_of(products_label(pair), {"内积", "Inner product"}, " ", Role::plain, 1);
  block.kind = BlockKind::table;
  block.table.columns = {{"现在", "now"}};
  const auto row = [&](Text name, const std::string& value, bool strong = false) {
    block.table.rows.push_back({fill(name, {}), {{value, value}}, Role::plain, strong});
  };
  row({"u 的长度 |u|", "length |u|"}, fixed(angle.length_u, 2));
  row({"w 的长度 |w|", "length |w|"}, fixed(angle.length_w, 2));
  row({"夹角 θ", "angle θ"}, degrees_text(angle, 1));
  row({"cos θ", "cos θ"}, angle.exists() ? fixed(angle.cosine, 3) : "–");
  row({"u·w = |u||w|cos θ", "u·w = |u||w|cos θ"}, fixed(angle.product, 2), true);
  return block;
}

Sheet angle_sheet(const Run& run, Pair pair) {
  Block vectors = block_of(vectors_label(pair), {"两个向量 u、w", "Two vectors u, w"}, " ", Role::plain, 0);
  vectors.kind = BlockKind::vectors;
  vectors.row_names = {"u", "w"};
  return {{vectors, angle_table(run, pair),
           block_of(vectors_label(pair), {"坐标：行 0 是 u，行 1 是 w", "Row 0 is u, row 1 is w"}, " ",
                    Role::plain, 1)}};
}

/// Whom the second saw would look at by these scores.
Block scores_block(const Run& run, Layer layer, Text title, const char* note, int column) {
  Block block = block_of(label_of(layer, Site::scores), title, note, Role::plain, column);
  const std::string most = largest_words(run, block.tensor, kSecondSaw);
  block.verdict = {fill({"saw → $0", "saw → $0"}, {most}),
                   most.find("saw") == std::string::npos ? Role::equal : Role::different};
  return block;
}

Block raw_block(const Run& run, int column) {
  return scores_block(run, kRaw, {"直接内积", "Plain products"}, "X·Xᵀ", column);
}

Sheet queries_sheet(const Run& run) {
  return {{raw_block(run, 0),
           block_of(label_of(kAsked, Site::query_weight), {"W_q", "W_q"}, " ", Role::query, 1),
           block_of(label_of(kAsked, Site::key_weight), {"W_k", "W_k"}, " ", Role::key, 1),
           block_of(label_of(kAsked, Site::query), {"Q", "Q"}, " ", Role::query, 2),
           block_of(label_of(kAsked, Site::key), {"K", "K"}, " ", Role::key, 2),
           scores_block(run, kAsked, {"问与答", "Query meets key"}, "Q·Kᵀ", 3)}};
}

Block shares_block(int column, int band) {
  Block block = block_of(label_of(kShared, Site::weights), {"份额 α′", "Shares α′"}, "softmax", Role::plain,
                         column, band);
  block.row_figures = label_of(kShared, Site::row_sums);
  block.row_figures_title = {"和", "Sum"};
  return block;
}

Sheet sum_sheet() {
  Block given = block_of(label_of(kSummed, Site::scores), {"分数 α", "Scores α"}, " ", Role::plain, 1);
  given.row_figures = label_of(kSummed, Site::row_sums);
  given.row_figures_title = {"和", "Sum"};
  return {
      {words_block(0), given, shares_block(1, 0),
       block_of(label_of(kSummed, Site::context), {"b：按分数加", "b: by scores"}, "α·X", Role::output, 2),
       block_of(label_of(kShared, Site::context), {"b：按份额加", "b: by shares"}, "α′·X", Role::output, 2)}};
}

Sheet values_sheet() {
  return {
      {words_block(0), block_of(label_of(kLearned, Site::value_weight), {"W_v", "W_v"}, " ", Role::value, 1),
       block_of(label_of(kLearned, Site::value), {"V", "V"}, "X·W_vᵀ", Role::value, 2), shares_block(3, 0),
       block_of(label_of(kLearned, Site::context), {"输出 b", "Output b"}, "α′·V", Role::output, 3)}};
}

}  // namespace

std::vector<Sheet> make_sheets(const Run& run) {
  return {sentence_sheet(run),
          alone_sheet(run),
          angle_sheet(run, Pair::shown),
          {{words_block(0), raw_block(run, 1)}},
          queries_sheet(run),
          sum_sheet(),
          values_sheet(),
          angle_sheet(run, Pair::asked)};
}

}  // namespace attn::lessons::why_attention
