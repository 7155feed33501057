#include "lessons/mask_lab/experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lessons/mask_lab/gradient.h"
#include "lessons/mask_lab/judge.h"
#include "lessons/mask_lab/masks.h"
#include "nn/initialize.h"
#include "nn/mask.h"
#include "nn/parameters.h"
#include "nn/positions.h"
#include "tape/ops.h"

namespace attn::lessons::mask_lab {
namespace {

using core::Shape;
using core::Tensor;
using core::TensorView;
using tape::Label;
using tape::Site;
using tape::Stack;
using tape::Tape;
using tape::Value;

constexpr int kWidth = 8;
constexpr int kValueWidth = 3;
constexpr int kDifferentWords = 4;
constexpr std::array<const char*, kDifferentWords> kNames{"<pad>", "I", "saw", "a"};
constexpr std::array<int, kTokens> kSentence{1, 2, 3, 2};

struct Weights {
  Tensor table;
  nn::Linear query, key, value;
};

nn::Linear draw_linear(int out, core::TorchGenerator& generator) {
  nn::Linear linear;
  linear.weight = Tensor(Shape{out, kWidth});
  nn::fill_normal(linear.weight.flat(), generator);
  for (float& weight : linear.weight.flat()) weight /= std::sqrt(static_cast<float>(kWidth));
  nn::pack_weights(linear);
  return linear;
}

Weights draw_weights(int seed) {
  core::TorchGenerator generator(static_cast<std::uint32_t>(seed));
  Weights weights;
  weights.table = Tensor(Shape{kDifferentWords, kWidth});
  nn::fill_normal(weights.table.flat(), generator);
  weights.query = draw_linear(kWidth, generator);
  weights.key = draw_linear(kWidth, generator);
  weights.value = draw_linear(kValueWidth, generator);
  return weights;
}

/// What a sequence of words asks, answers and hands over.
struct Projected {
  Value scores;
  Value value;
};

Projected project(Tape& tape, const Weights& weights, std::span<const float> ids,
                  std::span<const float> places, Stack stack) {
  const int length = static_cast<int>(ids.size());
  const Value table =
      tape.leaf(weights.table.view(), {Stack::model, -1, tape::Block::none, Site::embedding_table});
  const Value tokens = tape.leaf({ids.data(), Shape{length}}, {stack, -1, tape::Block::none, Site::tokens});
  Tensor positions(Shape{length, kWidth});
  for (int t = 0; t < length; ++t)
    nn::fill_sinusoids(static_cast<int>(places[static_cast<std::size_t>(t)]), {},
                       {positions.values() + t * kWidth, 1, kWidth, kWidth});
  const Value words = tape::lookup(tape, table, tokens, {});
  const Value x = tape::add(tape, words, tape.leaf(positions.view(), {}),
                            {stack, -1, tape::Block::none, Site::embedding});
  const auto heads = [&](const nn::Linear& linear, Site site) {
    const Value weight = tape.leaf(linear.weight.view(), {});
    return tape::split_heads(tape, tape::linear(tape, x, weight, {}, linear.packed, {}), 1,
                             {stack, -1, tape::Block::self_attention, site});
  };
  const Value query = heads(weights.query, Site::query);
  const Value key = heads(weights.key, Site::key);
  const Value value = heads(weights.value, Site::value);
  return {tape::scores(tape, query, key, tape::root_of_width(tape, query),
                       {stack, -1, tape::Block::self_attention, Site::scores}),
          value};
}

/// Beside each table stand the sums of its rows.
void record_sums(Tape& tape, Value weights, int table) {
  const core::ConstMatrix rows = core::as_rows(tape.tensor(weights));
  Tensor sums(Shape{rows.rows});
  for (int i = 0; i < rows.rows; ++i)
    for (int j = 0; j < rows.columns; ++j) sums.values()[i] += rows.row(i)[j];
  tape.leaf(sums.view(), label_of(table, Site::row_sums));
}

Value record_softmax(Tape& tape, Value scores, Value mask, int table) {
  const Value weights = tape::softmax(tape, scores, mask, label_of(table, Site::weights));
  record_sums(tape, weights, table);
  return weights;
}

/// The scores of the row in float64 with `fill` added where the mask hides, less their maximum: what softmax
/// takes the exponential of.
Tensor added_in_double(TensorView scores, const Tensor& mask, float fill) {
  const core::ConstMatrix rows = core::as_rows(scores);
  Tensor result(scores.shape);
  std::vector<double> row(static_cast<std::size_t>(rows.columns));
  for (int i = 0; i < rows.rows; ++i) {
    for (int j = 0; j < rows.columns; ++j) {
      const double added = mask.values()[i * rows.columns + j] != 0.0f ? 0.0 : static_cast<double>(fill);
      row[static_cast<std::size_t>(j)] = static_cast<double>(rows.row(i)[j]) + added;
    }
    const double largest = *std::max_element(row.begin(), row.end());
    for (int j = 0; j < rows.columns; ++j)
      result.values()[i * rows.columns + j] = static_cast<float>(row[static_cast<std::size_t>(j)] - largest);
  }
  return result;
}

Tensor replaced_by(TensorView scores, const Tensor& mask, float fill) {
  Tensor result(scores.shape);
  for (int i = 0; i < scores.size(); ++i)
    result.values()[i] = mask.values()[i] != 0.0f ? scores.values[i] : fill;
  return result;
}

Value add_bias(Tape& tape, Value scores, const Tensor& bias, int table) {
  return tape::add(tape, scores, tape.leaf(bias.view(), {}), label_of(table, Site::biased_scores));
}

void record_fills(Tape& tape, Value scores, const Tensor& visible, float fill) {
  Tensor bias(visible.shape());
  for (int i = 0; i < bias.size(); ++i) bias.values()[i] = visible.values()[i] != 0.0f ? 0.0f : fill;
  record_softmax(tape, add_bias(tape, scores, bias, kAdded), {}, kAdded);
  // Dropout without rescaling: x where `keep` holds 1, else 0.
  Tensor keep(tape.tensor(scores).shape);
  std::copy_n(visible.values(), keep.size(), keep.values());
  const Value kept = tape.leaf(keep.view(), {});
  record_softmax(tape, tape::dropout(tape, scores, kept, 0.0f, label_of(kZeroBefore, Site::biased_scores)),
                 {}, kZeroBefore);
  const Value all = record_softmax(tape, scores, {}, kUnmasked);
  const Value after = tape::dropout(tape, all, kept, 0.0f, label_of(kZeroAfter, Site::weights));
  record_sums(tape, after, kZeroAfter);
  const Value shares = tape::divide_rows(tape, after, tape.find(label_of(kZeroAfter, Site::row_sums)),
                                         label_of(kRenormalised, Site::weights));
  record_sums(tape, shares, kRenormalised);
  const Tensor infinite = replaced_by(tape.tensor(scores), visible, -std::numeric_limits<float>::infinity());
  record_softmax(tape, tape.leaf(infinite.view(), label_of(kInfinity, Site::biased_scores)), {}, kInfinity);
  const Tensor shifted = added_in_double(tape.tensor(scores), visible, fill);
  record_softmax(tape, tape.leaf(shifted.view(), label_of(kAddedInDouble, Site::biased_scores)), {},
                 kAddedInDouble);
}

/// One text, three readers: nonzero is blocked, nonzero may be seen, the number is added.
void record_readers(Tape& tape, Value scores, const Tensor& text) {
  const int length = text.shape()[0];
  tape.leaf(text.view(), label_of(kWritten, Site::mask));
  std::vector<std::uint8_t> bits;
  for (const float value : text.flat()) bits.push_back(value != 0.0f ? 1 : 0);
  const nn::FloatMask added = nn::split_float_mask(text.view(), length);
  const auto read = [&](const nn::Mask& mask, Value from, int table) {
    const Tensor visible = mask.materialise(length, length);
    record_softmax(tape, from, tape.leaf(visible.view(), label_of(table, Site::mask)), table);
  };
  read(nn::Mask::from_pytorch_bool(bits, length, length), scores, kReadByMha);
  read(nn::Mask::from_onnx_bool(bits, Shape{length, length}), scores, kReadBySdpa);
  const Value biased = added.bias.size() > 0 ? add_bias(tape, scores, added.bias, kReadAsAdded) : scores;
  read(added.visible, biased, kReadAsAdded);
}

}  // namespace

Label label_of(int layer, Site site) { return {Stack::decoder, layer, tape::Block::self_attention, site}; }

Label unpadded_label(Site site) { return {Stack::encoder, 0, tape::Block::self_attention, site}; }

const char* fill_name(const Settings& settings) {
  static constexpr std::array<const char*, kFills.size()> kFillNames{"−1e9", "−1e4", "1e−9"};
  return kFillNames[static_cast<std::size_t>(settings.fill)];
}

Experiment run_experiment(const Settings& settings, std::span<const CellEdit> edits) {
  const Weights weights = draw_weights(settings.seed);
  const int first = first_word(settings);
  const int count = words_in(settings);
  Tensor ids(Shape{kTokens});
  Tensor places(Shape{2, kTokens});  // is a word; its position
  Tensor own_ids(Shape{count}), own_places(Shape{count});
  for (int t = 0; t < count; ++t) {
    own_ids.values()[t] = ids.values()[first + t] =
        static_cast<float>(kSentence[static_cast<std::size_t>(t)]);
    own_places.values()[t] = static_cast<float>(t);
    places.values()[first + t] = 1.0f;
  }
  const bool counted = settings.padding == Padding::left_counted;
  for (int t = 0; t < kTokens; ++t)
    places.values()[kTokens + t] = static_cast<float>(counted ? std::max(t - first, 0) : t);

  Experiment experiment;
  Run& run = experiment.run;
  for (const float id : ids.flat()) run.target_words.emplace_back(kNames[static_cast<std::size_t>(id)]);
  for (const float id : own_ids.flat()) run.source_words.emplace_back(kNames[static_cast<std::size_t>(id)]);
  run.board.emplace();
  run.board->title = {"掩码", "Masks"};
  Tape& tape = run.board->tape;

  const Tensor pairs = pair_mask(settings);
  const Tensor keys = key_mask(settings);
  Tensor visible = combined(pairs, keys);
  apply_edits(edits, mask_label(), visible);
  tape.leaf(pairs.view(), label_of(kPairs, Site::mask));
  tape.leaf(keys.view(), label_of(kKeys, Site::mask));
  const Value mask = tape.leaf(visible.view(), mask_label());
  tape.leaf(places.view(), places_label());

  const auto of = [&](const Tensor& tensor) { return tensor.flat(); };
  const Projected words =
      project(tape, weights, of(ids), places.flat().subspan(std::size_t{kTokens}), Stack::decoder);
  const Value reference = record_softmax(tape, words.scores, mask, kReference);
  tape::context(tape, reference, words.value, label_of(kReference, Site::context));
  record_gradient(tape, reference, words.value);
  record_fills(tape, words.scores, visible, kFills[static_cast<std::size_t>(settings.fill)]);
  record_readers(tape, words.scores, written(visible, settings.convention));

  const Projected own = project(tape, weights, of(own_ids), of(own_places), Stack::encoder);
  const Value own_mask = tape.leaf(without_padding(visible, settings).view(), unpadded_label(Site::mask));
  tape::softmax(tape, own.scores, own_mask, unpadded_label(Site::weights));

  experiment.facts = judge(tape, settings);
  run.board->sheets = make_sheets(experiment.facts, settings, run);
  return experiment;
}

}  // namespace attn::lessons::mask_lab
