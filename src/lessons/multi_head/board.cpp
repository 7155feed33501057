#include "lessons/multi_head/board.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"

namespace attn::lessons::multi_head {
namespace {

using tape::Label;
using tape::Site;

Block block(const Label& tensor, Text title, Role role, int band, int column, const char* note = "") {
  return {.tensor = tensor, .title = title, .note = note, .role = role, .band = band, .column = column};
}

Block of_heads(Site site, Text title, Role role, int band, int column, const char* note = "") {
  return block(label_of(site), title, role, band, column, note);
}

Block arcs(const Label& tensor, Text title, int column) {
  Block result = block(tensor, title, Role::plain, 0, column, " ");
  result.kind = BlockKind::arcs;
  return result;
}

Block arcs_of_all(const Label& tensor, Text title, int column) {
  Block result = arcs(tensor, title, column);
  result.all_heads = true;
  return result;
}

Block weight_matrix(Site site, Text title, Role role, int band, int column) {
  Block result = of_heads(site, title, role, band, column);
  result.narrow = true;
  return result;
}

Block output_weight(int band, int column) {
  return weight_matrix(Site::output_weight, {"W_o", "W_o"}, Role::plain, band, column);
}

Block table(const Label& tensor, Text title) {
  Block result = block(tensor, title, Role::plain, 0, 0, " ");
  result.kind = BlockKind::table;
  return result;
}

RunText same(const std::string& text) { return {text, text}; }

Block shape_table(const ArrowShapes& shapes, const ArrowShapes& document) {
  constexpr Text kNames[kArrows] = {{"X", "X"},
                                    {"Q = X·W_q", "Q = X·W_q"},
                                    {"Q 切成头", "Q by heads"},
                                    {"分数", "scores"},
                                    {"权重", "weights"},
                                    {"每个头的上下文", "context"},
                                    {"拼接", "concatenated"},
                                    {"输出 ·W_o", "output ·W_o"}};
  Block result = table(kShapeFigures, {"形状", "Shapes"});
  result.table.columns = {{"你的尺寸", "yours"}, {"文档的例子", "the document's"}};
  for (std::size_t i = 0; i < kArrows; ++i)
    result.table.rows.push_back(
        {.name = fill(kNames[i], {}),
         .cells = {same(core::to_string(shapes[i])), same(core::to_string(document[i]))},
         .strong = i == 2 || i == 6});
  return result;
}

Block count_table(const Counts& counts) {
  constexpr Text kNames[kCountedRows] = {{"参数", "parameters"},        {"× 算 Q、K、V", "× for Q, K, V"},
                                         {"× 算分数", "× for scores"},  {"× 权重·V", "× for weights·V"},
                                         {"× 乘 W_o", "× for W_o"},     {"× 合计", "× in all"},
                                         {"+ 合计", "+ in all"},        {"÷ 合计", "÷ in all"},
                                         {"指数 eˣ", "exponentials eˣ"}};
  Block result = table(kCountFigures, {"参数与运算", "Parameters and operations"});
  result.table.columns.push_back({"自注意力", "self-attention"});
  for (const int heads : kHeadCounts) result.table.columns.push_back(fill({"h = $0", "h = $0"}, {heads}));
  for (std::size_t row = 0; row < kCountedRows; ++row) {
    TableRow one{.name = fill(kNames[row], {}),
                 .cells = {},
                 .strong = row == kParameterCount || row == kMultiplications};
    for (const std::int64_t count : counts[row])
      one.cells.push_back(same(thousands(static_cast<std::uint32_t>(count))));
    result.table.rows.push_back(std::move(one));
  }
  return result;
}

Verdict equality(const tape::Tape& tape) {
  const Distance apart = distance_between(tape, label_of(Site::attention), single_label(Site::context));
  if (apart.ulp == 0) return {{"0 ULP", "0 ULP"}, Role::equal};
  return {fill({"最大相差 $0", "differs by up to $0"}, {distance_text(apart.largest)}), Role::different};
}

Verdict change(const tape::Tape& tape, int width) {
  const int columns = changed_columns(tape);
  return {fill({"$0 / $1 列变了", "$0 of $1 columns changed"}, {columns, width}),
          columns == 0 ? Role::equal : Role::different};
}

}  // namespace

Distance distance_between(const tape::Tape& tape, const Label& a, const Label& b) {
  const core::TensorView first = tape.tensor(a);
  const core::TensorView second = tape.tensor(b);
  Distance apart;
  for (int i = 0; i < first.size(); ++i) {
    apart.largest = std::max(apart.largest, std::fabs(first.values[i] - second.values[i]));
    apart.ulp = std::max(apart.ulp, core::ulp_distance(first.values[i], second.values[i]));
  }
  return apart;
}

std::string distance_text(float distance) {
  return distance < 0.01f ? exponent(distance) : fixed(distance, 2);
}

int changed_columns(const tape::Tape& tape) {
  const core::TensorView change = tape.tensor(kChange);
  const int width = change.shape[-1];
  int count = 0;
  for (int j = 0; j < width; ++j) {
    bool changed = false;
    for (int i = 0; i < change.shape[0]; ++i) changed = changed || change.values[i * width + j] != 0.0f;
    count += changed ? 1 : 0;
  }
  return count;
}

void arrange(Board& board, const Settings& settings, const ArrowShapes& shapes, const ArrowShapes& document,
             const Counts& counts) {
  constexpr Text kConcatenated{"拼接", "Concatenated"};
  constexpr Text kOutput{"输出", "Output"};
  const tape::Tape& tape = board.tape;
  board.title = {"多头注意力", "Multi-head attention"};
  const auto sheet = [&](std::vector<Block> blocks) { board.sheets.push_back({std::move(blocks)}); };

  sheet({weight_matrix(Site::embedding, {"X", "X"}, Role::plain, 0, 0),
         of_heads(Site::query, {"Q", "Q"}, Role::query, 0, 1),
         of_heads(Site::key, {"K", "K"}, Role::key, 0, 1),
         of_heads(Site::value, {"V", "V"}, Role::value, 0, 1),
         of_heads(Site::scores, {"分数", "Scores"}, Role::plain, 0, 2),
         of_heads(Site::weights, {"权重", "Weights"}, Role::plain, 0, 2),
         of_heads(Site::context, {"上下文", "Context"}, Role::output, 0, 3),
         weight_matrix(Site::concatenated, kConcatenated, Role::output, 0, 3), output_weight(0, 4),
         of_heads(Site::attention, kOutput, Role::output, 0, 4)});
  sheet({of_heads(Site::embedding, {"X", "X"}, Role::plain, 0, 0),
         weight_matrix(Site::query_weight, {"W_q", "W_q"}, Role::query, 0, 1),
         block(single_label(Site::query), {"Q，未切", "Q, whole"}, Role::query, 1, 0),
         of_heads(Site::query, {"Q，一个头", "Q, one head"}, Role::query, 1, 1)});
  sheet({of_heads(Site::query, {"Q", "Q"}, Role::query, 0, 0),
         of_heads(Site::key, {"K", "K"}, Role::key, 0, 0),
         of_heads(Site::value, {"V", "V"}, Role::value, 0, 0),
         of_heads(Site::scores, {"分数", "Scores"}, Role::plain, 0, 1, "Q·Kᵀ / √dₖ"),
         of_heads(Site::weights, {"权重", "Weights"}, Role::plain, 0, 1, "softmax"),
         of_heads(Site::context, {"上下文", "Context"}, Role::output, 0, 2, "weights·V")});
  sheet({arcs(label_of(Site::weights), {"这个头看谁", "Whom this head looks at"}, 0),
         arcs_of_all(label_of(Site::weights), {"所有头，一头一股", "All heads, a strand each"}, 1),
         arcs(kMeanWeights, {"各头平均看谁", "The mean of heads"}, 2),
         of_heads(Site::weights, {"这个头的权重", "This head's weights"}, Role::plain, 1, 0, " "),
         block(kMeanWeights, {"各头的平均", "Mean of heads"}, Role::plain, 1, 1, " ")});
  sheet({of_heads(Site::context, {"上下文，一个头", "Context of one head"}, Role::output, 0, 0),
         of_heads(Site::concatenated, kConcatenated, Role::output, 0, 1), output_weight(1, 0),
         of_heads(Site::attention, kOutput, Role::output, 1, 1)});
  sheet({shape_table(shapes, document)});
  sheet({count_table(counts)});
  sheet({of_heads(Site::concatenated, kConcatenated, Role::output, 0, 0), output_weight(0, 1),
         of_heads(Site::attention, kOutput, Role::output, 1, 0),
         block(kChange, {"输出变了多少", "Change of the output"}, Role::plain, 1, 1, " ")});
  board.sheets.back().blocks.back().verdict = change(tape, settings.d_model);
  sheet({block(single_label(Site::context), {"自注意力的输出", "Self-attention"}, Role::output, 0, 0,
               "softmax(…)·V"),
         of_heads(Site::attention, {"多头的输出", "Multi-head"}, Role::output, 0, 1, "Concat·W_o"),
         output_weight(1, 0)});
  board.sheets.back().blocks[1].verdict = equality(tape);
}

}  // namespace attn::lessons::multi_head
