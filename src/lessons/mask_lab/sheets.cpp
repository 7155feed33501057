// The sheets of `mask-lab`: which tables stand together.
#include "lessons/mask_lab/judge.h"
#include "lessons/mask_lab/masks.h"
#include "lessons/numbers.h"

namespace attn::lessons::mask_lab {
namespace {

using tape::Site;

struct TableText {
  Text title;
  Text short_title;
  const char* note;
};

const TableText& text_of(int table, const Settings& settings) {
  static constexpr TableText kAddedTexts[] = {
      {{"加 −1e9，再 softmax", "−1e9 added before softmax"}, {"+ (−1e9)", "+ (−1e9)"}, "softmax(s − 1e9)"},
      {{"加 −1e4，再 softmax", "−1e4 added before softmax"}, {"+ (−1e4)", "+ (−1e4)"}, "softmax(s − 1e4)"},
      {{"加 1e−9，再 softmax", "1e−9 added before softmax"}, {"+ 1e−9", "+ 1e−9"}, "softmax(s + 1e−9)"},
  };
  static constexpr TableText kTexts[] = {
      {{"−∞：掩码当判断", "−∞: the mask decides"}, {"−∞", "−∞"}, "softmax(s − ∞)"},
      {},
      {{"填 0，再 softmax", "0 before softmax"}, {"前填 0", "0 before"}, "e⁰ = 1"},
      {{"softmax 之后乘 0", "× 0 after softmax"}, {"后乘 0", "× 0 after"}, "softmax(s) · m"},
      {{"乘 0，再除以行和", "× 0, then ÷ row sum"}, {"再归一", "÷ row sum"}, "… / Σ"},
      {{"填 −∞，照公式算", "−∞, by the formula"}, {"照公式", "formula"}, "softmax(s)"},
      {{"同样加，用 float64", "The same in float64"}, {"float64", "float64"}, " "},
      {{"MHA 读：1 = 遮住", "MHA reads: 1 = blocked"}, {"MHA 读", "MHA reads"}, " "},
      {{"SDPA、ONNX 读：1 = 可看", "SDPA, ONNX read: 1 = visible"}, {"SDPA 读", "SDPA reads"}, " "},
      {{"当浮点掩码：加到分数上", "As a float mask: added"}, {"浮点读", "Float: added"}, " "},
      {},
  };
  if (table == kAdded) return kAddedTexts[settings.fill];
  return kTexts[table];
}

/// The rows in which padding looks: computed, but no loss asks for them.
std::uint32_t padding_rows(const Settings& settings) {
  std::uint32_t rows = 0;
  for (int t = 0; t < kTokens; ++t)
    if (is_pad(settings, t)) rows |= 1u << t;
  return rows;
}

Block weights_block(const Facts& facts, const Settings& settings, int table, int band, int column) {
  const TableText& text = text_of(table, settings);
  return {.tensor = label_of(table, Site::weights),
          .title = text.title,
          .short_title = text.short_title,
          .note = text.note,
          .band = band,
          .column = column,
          .mask = mask_label(),
          .row_figures = label_of(table, Site::row_sums),
          .row_figures_title = {"行和", "Sum"},
          .shows_nan = table == kInfinity || table == kRenormalised,
          .verdict = verdict_of(facts, table)};
}

/// A block whose note is its own, or blank.
Block plain_block(const tape::Label& tensor, Text title, int band, int column, const char* note = " ") {
  return {.tensor = tensor, .title = title, .note = note, .band = band, .column = column};
}

/// A mask, with what its 1 means.
Block mask_of(const tape::Label& tensor, Text title, Text short_title, int column) {
  Block block = plain_block(tensor, title, 0, column);
  block.short_title = short_title;
  return block;
}

Block mask_block(int column) {
  return mask_of(mask_label(), {"掩码：1 = 可看", "Mask: 1 = visible"}, {"掩码", "Mask"}, column);
}

Block written_block(const Settings& settings) {
  static constexpr Text kTitles[] = {{"写给 MHA：1 = 遮住", "For MHA: 1 = blocked"},
                                     {"写给 SDPA、ONNX：1 = 可看", "For SDPA, ONNX: 1 = visible"},
                                     {"浮点掩码：加到分数上", "Float mask: added"}};
  Block block = plain_block(label_of(kWritten, Site::mask),
                            kTitles[static_cast<std::size_t>(settings.convention)], 0, 1);
  block.as_numbers = true;
  block.shows_nan = settings.convention == Convention::added;
  return block;
}

Block places_table(const Settings& settings, const Run& run) {
  Block block = plain_block(places_label(), {"位置编号", "Positions"}, 0, 0);
  block.kind = BlockKind::table;
  const core::TensorView places = run.tape().tensor(places_label());
  const int length = places.shape[1];
  TableRow own{{"没有填充时", "without padding"}, {}};
  TableRow now{{"现在", "now"}, {}, Role::plain, true};
  for (int t = 0; t < length; ++t) {
    const std::string& word = run.target_words[static_cast<std::size_t>(t)];
    block.table.columns.push_back({word, word});
    const int alone = t - first_word(settings);
    const std::string without = is_pad(settings, t) ? "–" : std::to_string(alone);
    const std::string with = fixed(places.values[length + t], 0);
    own.cells.push_back({without, without});
    now.cells.push_back({with, with});
  }
  block.table.rows = {own, now};
  return block;
}

/// Where there is only one table, nothing needs telling apart.
Block only_weights(const Facts& facts, const Settings& settings, int column) {
  Block block = weights_block(facts, settings, kReference, 0, column);
  block.title = {"权重", "Weights"};
  block.short_title = {};
  block.note = "softmax";
  block.unused_rows = padding_rows(settings);
  if (facts.empty_row < 0) block.verdict.text = fill({"每行和为 1", "every row sums to 1"});
  if (block.unused_rows != 0 && facts.empty_row < 0)
    block.verdict.text = fill({"淡的行：照算，损失不理", "pale rows: the loss ignores them"});
  return block;
}

Block arcs_block(int column) {
  Block block = plain_block(label_of(kReference, Site::weights), {"谁看谁", "Who looks at whom"}, 0, column);
  block.kind = BlockKind::arcs;
  return block;
}

/// One place where scores are masked and become weights.
Sheet grid_sheet(const Facts& facts, const Settings& settings) {
  Block scores = plain_block(scores_label(), {"分数 s", "Scores s"}, 0, 1, "q·kᵀ / √dₖ");
  scores.short_title = {"分数", "Scores"};
  scores.unmasked = true;
  Block masked = plain_block(scores_label(), {"遮住之后", "After the mask"}, 0, 1);
  masked.short_title = {"遮住", "Masked"};
  masked.mask = mask_label();
  masked.in_place = true;
  Block weights = only_weights(facts, settings, 1);
  weights.in_place = true;
  return {{mask_block(0), scores, masked, weights, arcs_block(2)}};
}

Sheet combined_sheet(const Facts& facts, const Settings& settings) {
  const Text keys = settings.wrong_axis ? Text{"填充，错轴：1 = 可看", "Padding, wrong axis"}
                                        : Text{"填充：1 = 可看", "Padding: 1 = visible"};
  return {
      {mask_of(label_of(kPairs, Site::mask), {"成对：1 = 可看", "Pairs: 1 = visible"}, {"成对", "Pairs"}, 0),
       mask_of(label_of(kKeys, Site::mask), keys, {"填充", "Padding"}, 0), mask_block(1),
       only_weights(facts, settings, 2), arcs_block(3)}};
}

Sheet five_fills_sheet(const Facts& facts, const Settings& settings) {
  Sheet sheet{{mask_block(0)}};
  for (int table = kReference; table <= kRenormalised; ++table)
    sheet.blocks.push_back(weights_block(facts, settings, table, 1, table));
  return sheet;
}

/// Of the row that sees nothing.
Verdict zero_row(const Facts& facts) {
  return {fill({"行 $0：恰好是 0", "row $0: exactly 0"}, {facts.empty_row}), Role::equal};
}

Sheet nobody_sheet(const Facts& facts, const Settings& settings) {
  Block infinite =
      plain_block(label_of(kInfinity, Site::biased_scores), {"分数填 −∞", "Scores with −∞"}, 1, 0);
  infinite.short_title = {"分数", "Scores"};
  infinite.shows_nan = true;
  infinite.origin = {"分数，遮住的格子换成 −∞", "scores, with −∞ in place of hidden ones"};
  Block context = plain_block(label_of(kReference, Site::context), {"输出", "Output"}, 0, 2, "α′·V");
  context.role = Role::output;
  Block gradient = plain_block(gradient_label(), {"分数的梯度", "Gradient of the scores"}, 0, 3, "∂ΣB / ∂s");
  gradient.short_title = {"梯度", "Gradient"};
  gradient.mask = mask_label();
  gradient.origin = {"由输出之和反向传播得来", "from the sum of all outputs, by backpropagation"};
  for (Block* block : {&context, &gradient})
    if (facts.empty_row >= 0) block->verdict = zero_row(facts);
  return {{mask_block(0), weights_block(facts, settings, kReference, 0, 1), context, gradient, infinite,
           weights_block(facts, settings, kInfinity, 1, 1), weights_block(facts, settings, kAdded, 1, 2),
           weights_block(facts, settings, kAddedInDouble, 1, 3)}};
}

Sheet conventions_sheet(const Facts& facts, const Settings& settings) {
  Sheet sheet{{mask_block(0), written_block(settings)}};
  for (int table = kReadByMha; table <= kReadAsAdded; ++table)
    sheet.blocks.push_back(weights_block(facts, settings, table, 1, table - kReadByMha));
  return sheet;
}

Sheet positions_sheet(const Facts& facts, const Settings& settings, const Run& run) {
  Block now = weights_block(facts, settings, kReference, 1, 1);
  now.unused_rows = padding_rows(settings);
  now.title = {"现在的权重", "Weights now"};
  now.short_title = {};
  now.verdict.role = facts.shift_ulp == 0 ? Role::equal : Role::different;
  now.verdict.text = facts.shift_ulp == 0 ? fill({"0 ULP", "0 ULP"})
                                          : fill({"相差 $0", "differs by $0"}, {shift_text(facts)});
  return {{places_table(settings, run),
           plain_block(unpadded_label(Site::weights), {"没有填充的权重", "Weights without padding"}, 1, 0),
           now}};
}

}  // namespace

std::vector<Sheet> make_sheets(const Facts& facts, const Settings& settings, const Run& run) {
  return {grid_sheet(facts, settings),        combined_sheet(facts, settings),
          five_fills_sheet(facts, settings),  nobody_sheet(facts, settings),
          conventions_sheet(facts, settings), positions_sheet(facts, settings, run)};
}

}  // namespace attn::lessons::mask_lab
