#include "lessons/self_attention/experiment.h"

#include "lessons/numbers.h"
#include "lessons/self_attention/batch.h"
#include "lessons/self_attention/columns.h"
#include "nn/initialize.h"
#include "nn/mask.h"
#include "tape/ops.h"

namespace attn::lessons::self_attention {
namespace {

using core::Shape;
using core::Tensor;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

/// Rows of the table that is drawn; both "saw" are one word.
constexpr int kDifferentWords = 3;

nn::Linear draw_weight(int out, int in, Site site, core::TorchGenerator& generator,
                       std::span<const CellEdit> edits) {
  nn::Linear linear;
  linear.weight = Tensor(Shape{out, in});
  nn::fill_normal(linear.weight.flat(), generator);
  apply_edits(edits, label_of(site), linear.weight);
  nn::pack_weights(linear);
  return linear;
}

Tensor draw_words(const Settings& settings, std::span<const std::string> words,
                  core::TorchGenerator& generator, std::span<const CellEdit> edits) {
  Tensor table(Shape{kDifferentWords, settings.d_model});
  nn::fill_normal(table.flat(), generator);
  const std::vector<std::string> known(kSentence, kSentence + kDifferentWords);
  Tensor rows = embed_words(words, known, table, settings.seed);
  for (CellEdit edit : edits) {  // of X as it is shown in either way
    if (edit.tensor == columns_label(Site::embedding))
      edit = {label_of(Site::embedding), 0, edit.column, edit.row, edit.value};
    apply_edits(std::span(&edit, 1), label_of(Site::embedding), rows);
  }
  return rows;
}

Value project(Tape& tape, Value x, const nn::Linear& linear, Site weight, Site result,
              std::span<const CellEdit> edits) {
  const Value w = tape.borrow(linear.weight.view(), label_of(weight));
  const Value rows = tape::linear(tape, x, w, Value{}, linear.packed, Label{});
  return tape::split_heads(tape, with_edits(tape, rows, result, edits), 1, label_of(result));
}

Value record_mask(Tape& tape, bool causal, int length) {
  const nn::Mask mask = causal ? nn::Mask::causal() : nn::Mask::none();
  return tape.leaf(mask.materialise(length, length).view(), label_of(Site::mask));
}

/// The tensors of one way to write it, and its notes.
struct Way {
  Label (*label)(Site);
  const char* scores;
  const char* output;
};

Sheet make_sheet(const Way& way) {
  Sheet sheet;
  const auto block = [&](Site site, Text title, Role role, int column, const char* note = "") -> Block& {
    sheet.blocks.push_back(
        {.tensor = way.label(site), .title = title, .note = note, .role = role, .column = column});
    return sheet.blocks.back();
  };
  block(Site::embedding, {"X", "X"}, Role::plain, 0);
  block(Site::query_weight, {"W_q", "W_q"}, Role::query, 1);
  block(Site::key_weight, {"W_k", "W_k"}, Role::key, 1);
  block(Site::value_weight, {"W_v", "W_v"}, Role::value, 1);
  block(Site::query, {"Q", "Q"}, Role::query, 2);
  block(Site::key, {"K", "K"}, Role::key, 2);
  block(Site::value, {"V", "V"}, Role::value, 2);
  block(Site::scores, {"分数 α", "Scores α"}, Role::plain, 3, way.scores).short_title = {"分数", "Scores"};
  sheet.blocks.back().unmasked = true;
  block(Site::scores, {"遮住之后", "After the mask"}, Role::plain, 3, " ").short_title = {"遮住", "Masked"};
  sheet.blocks.back().in_place = true;
  block(Site::weights, {"权重 α′", "Weights α′"}, Role::plain, 3, "softmax").short_title = {"权重",
                                                                                            "Weights"};
  sheet.blocks.back().in_place = true;
  sheet.blocks.push_back({.kind = BlockKind::arcs,
                          .tensor = label_of(Site::weights),
                          .title = {"谁看谁", "Who looks at whom"},
                          .note = " ",
                          .column = 4});
  Block& output = block(Site::context, {"输出 B", "Output B"}, Role::output, 4, way.output);
  output.short_title = {"输出", "Output"};
  output.at_bottom = true;
  for (Block& one : sheet.blocks)
    if (one.column <= 1) one.narrow = true;
  return sheet;
}

/// After everything is recorded.
void arrange(Board& board, const Batch& batch) {
  board.title = {"自注意力", "Self-attention"};
  board.sheets = {make_sheet({label_of, "Q·Kᵀ / √dₖ", "α′·V"}),
                  make_sheet({columns_label, "Kᵀ·Q / √dₖ", "V·α′"})};
  const std::uint32_t ulp = ulp_between_ways(board.tape);
  for (Block& block : board.sheets[1].blocks)
    if (block.tensor == columns_label(Site::context))
      block.verdict = {fill({"与写成行：$0 ULP", "$0 ULP from rows"}, {thousands(ulp)}),
                       ulp == 0 ? Role::equal : Role::different};
  board.sheets.push_back(shape_sheet(board.tape, batch));
}

}  // namespace

Label label_of(Site site) {
  if (site == Site::embedding) return {tape::Stack::encoder, -1, tape::Block::none, site};
  return {tape::Stack::encoder, 0, tape::Block::self_attention, site};
}

Run run_experiment(const Settings& settings, std::span<const std::string> words,
                   std::span<const CellEdit> edits) {
  core::TorchGenerator generator(static_cast<std::uint32_t>(settings.seed));
  const Tensor rows = draw_words(settings, words, generator, edits);
  auto weights = std::make_shared<Weights>();
  weights->query = draw_weight(settings.d_k, settings.d_model, Site::query_weight, generator, edits);
  weights->key = draw_weight(settings.d_k, settings.d_model, Site::key_weight, generator, edits);
  weights->value = draw_weight(settings.d_v, settings.d_model, Site::value_weight, generator, edits);

  Run run;
  run.owner = weights;
  run.source_words = {words.begin(), words.end()};
  Tape& tape = run.board.emplace().tape;
  const Value x = tape.leaf(rows.view(), label_of(Site::embedding));
  const Value query = project(tape, x, weights->query, Site::query_weight, Site::query, edits);
  const Value key = project(tape, x, weights->key, Site::key_weight, Site::key, edits);
  const Value value = project(tape, x, weights->value, Site::value_weight, Site::value, edits);
  const Value scores =
      tape::scores(tape, query, key, tape::root_of_width(tape, query), label_of(Site::scores));
  const Value mask = record_mask(tape, settings.causal, rows.shape()[0]);
  const Value attention = tape::softmax(tape, scores, mask, label_of(Site::weights));
  tape::context(tape, attention, value, label_of(Site::context));
  record_columns(tape, x, mask, edits);
  const Batch batch = run_batch(settings, *weights, generator);
  record_shapes(tape, batch);
  arrange(*run.board, batch);
  return run;
}

}  // namespace attn::lessons::self_attention
