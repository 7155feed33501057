#include "lessons/multi_head/experiment.h"

#include <algorithm>
#include <cmath>

#include "lessons/edits.h"
#include "lessons/multi_head/board.h"
#include "lessons/multi_head/measure.h"
#include "nn/initialize.h"
#include "tape/ops.h"

namespace attn::lessons::multi_head {
namespace {

using core::Shape;
using core::Tensor;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

/// What the run owns: the tape borrows the weights.
struct Owned {
  Weights weights;
  ArrowShapes document;
};

void make_identity(Tensor& matrix) {
  const int width = matrix.shape()[0];
  std::fill_n(matrix.values(), matrix.size(), 0.0f);
  for (int i = 0; i < width; ++i) matrix.values()[i * width + i] = 1.0f;
}

nn::Linear draw_weight(int d_model, Site site, float variance, core::TorchGenerator& generator,
                       std::span<const CellEdit> edits, bool identity = false) {
  nn::Linear linear;
  linear.weight = Tensor(Shape{d_model, d_model});
  nn::fill_normal(linear.weight.flat(), generator);
  const float deviation = std::sqrt(variance / static_cast<float>(d_model));
  for (float& value : linear.weight.flat()) value *= deviation;
  if (identity) make_identity(linear.weight);
  apply_edits(edits, label_of(site), linear.weight);
  nn::pack_weights(linear);
  return linear;
}

/// Query, key and value, by heads.
struct Projected {
  Value query, key, value;
};

/// softmax(q·kᵀ/√d_k)·v of every head, under the labels that `at` gives.
Value attend(Tape& tape, const Projected& rows, int heads, Label (*at)(Site)) {
  const Value query = tape::split_heads(tape, rows.query, heads, at(Site::query));
  const Value key = tape::split_heads(tape, rows.key, heads, at(Site::key));
  const Value value = tape::split_heads(tape, rows.value, heads, at(Site::value));
  const Value scores = tape::scores(tape, query, key, tape::root_of_width(tape, query), at(Site::scores));
  const Value weights = tape::softmax(tape, scores, Value{}, at(Site::weights));
  return tape::context(tape, weights, value, at(Site::context));
}

/// The context of one head set to exactly 0; the others keep their bits.
Value switch_off(Tape& tape, Value context, int head) {
  const Shape shape = tape.tensor(context).shape;
  Tensor keep(shape);
  const int size = shape[1] * shape[2];
  std::fill_n(keep.values(), keep.size(), 1.0f);
  std::fill_n(keep.values() + head * size, size, 0.0f);
  return tape::dropout(tape, context, tape.leaf(keep.view(), Label{}), 0.0f, Label{});
}

/// Heads side by side, then W_o.
Value mix(Tape& tape, Value context, Value output_weight, const nn::Linear& output, Label concatenated,
          Label result) {
  return tape::linear(tape, tape::merge_heads(tape, context, concatenated), output_weight, Value{},
                      output.packed, result);
}

void record(Tape& tape, const Settings& settings, const Tensor& words, const Weights& weights,
            std::span<const CellEdit> edits) {
  const Value x = tape.leaf(words.view(), label_of(Site::embedding));
  const auto project = [&](const nn::Linear& linear, Site site, Site result) {
    const Value weight = tape.borrow(linear.weight.view(), label_of(site));
    return with_edits(tape, tape::linear(tape, x, weight, Value{}, linear.packed, Label{}), edits,
                      {{single_label(result)}, {label_of(result), settings.d_model / settings.heads}});
  };
  const Projected rows{project(weights.query, Site::query_weight, Site::query),
                       project(weights.key, Site::key_weight, Site::key),
                       project(weights.value, Site::value_weight, Site::value)};
  attend(tape, rows, 1, single_label);
  const Value context = attend(tape, rows, settings.heads, label_of);
  tape::mean_heads(tape, tape.find(label_of(Site::weights)), kMeanWeights);
  const Value output_weight = tape.borrow(weights.output.weight.view(), label_of(Site::output_weight));
  const Value with_all = mix(tape, context, output_weight, weights.output, Label{}, kWithEveryHead);
  const int off = head_off(settings);
  const Value output = mix(tape, off < 0 ? context : switch_off(tape, context, off), output_weight,
                           weights.output, label_of(Site::concatenated), label_of(Site::attention));
  tape::subtract(tape, output, with_all, kChange);
}

}  // namespace

Label label_of(Site site) {
  if (site == Site::embedding) return {tape::Stack::encoder, -1, tape::Block::none, site};
  return {tape::Stack::encoder, 0, tape::Block::self_attention, site};
}

Label single_label(Site site) { return {tape::Stack::model, -1, tape::Block::self_attention, site}; }

int head_off(const Settings& settings) {
  return settings.off == Off::none ? -1 : settings.off == Off::first ? 0 : settings.heads - 1;
}

Run run_experiment(const Settings& settings, std::span<const std::string> words,
                   std::span<const CellEdit> edits, const Run* previous) {
  core::TorchGenerator generator(static_cast<std::uint32_t>(settings.seed));
  const std::vector<std::string> known = own_words(kSentenceRule);
  Tensor table(Shape{static_cast<int>(known.size()), settings.d_model});
  nn::fill_normal(table.flat(), generator);
  Tensor rows = embed_words(words, known, table, settings.seed);
  apply_edits(edits, label_of(Site::embedding), rows);
  auto owned = std::make_shared<Owned>();
  Weights& weights = owned->weights;
  weights.query = draw_weight(settings.d_model, Site::query_weight, 2.0f, generator, edits);
  weights.key = draw_weight(settings.d_model, Site::key_weight, 2.0f, generator, edits);
  weights.value = draw_weight(settings.d_model, Site::value_weight, 1.0f, generator, edits);
  weights.output =
      draw_weight(settings.d_model, Site::output_weight, 1.0f, generator, edits, settings.identity);
  owned->document = previous != nullptr ? std::static_pointer_cast<const Owned>(previous->owner)->document
                                        : document_shapes();

  Run run;
  run.owner = owned;
  run.source_words = {words.begin(), words.end()};
  Board& board = run.board.emplace();
  record(board.tape, settings, rows, weights, edits);
  const ArrowShapes shapes = shapes_of(board.tape);
  const Counts counts = count_all(rows, weights);
  record_figures(board.tape, shapes, owned->document, counts);
  arrange(board, settings, shapes, owned->document, counts);
  return run;
}

}  // namespace attn::lessons::multi_head
