#include "lessons/kv_cache/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "core/random.h"
#include "lessons/kv_cache/board.h"
#include "lessons/kv_cache/decode.h"
#include "nn/initialize.h"
#include "nn/transformer.h"
#include "tape/operations.h"
#include "tape/ops.h"

namespace attn::lessons::kv_cache {
namespace {

using core::Shape;
using core::Tensor;
using core::TensorView;
using tape::Block;
using tape::Label;
using tape::Site;
using tape::Stack;
using tape::Tape;
using tape::Value;

constexpr Label kOutput{Stack::decoder, -1, Block::none, Site::output};

struct Owned {
  nn::Transformer model;
  std::optional<Times> times;  // taken while the reader is at their step
};

std::uint32_t largest_ulp(std::span<const float> a, std::span<const float> b) {
  ATTN_CHECK(a.size() == b.size());
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, core::ulp_distance(a[i], b[i]));
  return largest;
}

std::span<const float> row(TensorView tensor, int index) {
  const auto width = static_cast<std::size_t>(tensor.shape[-1]);
  return tensor.flat().subspan(static_cast<std::size_t>(index) * width, width);
}

/// The first `rows` rows of every head.
std::uint32_t largest_ulp_of_rows(TensorView a, TensorView b, int rows) {
  std::uint32_t largest = 0;
  for (int head = 0; head < a.shape[0]; ++head)
    for (int i = 0; i < rows; ++i)
      largest = std::max(largest, largest_ulp(row(a, head * a.shape[1] + i), row(b, head * b.shape[1] + i)));
  return largest;
}

/// One run: what it works with, and where it writes.
struct Bench {
  const nn::Transformer& model;
  const Settings& settings;
  const Spoken& spoken;
  Tape& board;
  Findings& found;

  TensorView rows(int first, int count) const { return core::rows_of(spoken.words.view(), first, count); }
  TensorView shown(const Label& label) const { return board.tensor(label); }
};

/// A row of weights of each step (H, 1, t + 1), put together to (H, S, S).
void keep_weights(const Tape& tape, const Settings& settings, int t, Tensor& weights) {
  const TensorView one = tape.tensor(of_steps(settings, Site::weights));
  for (int head = 0; head < one.shape[0]; ++head) {
    const std::span<const float> from = row(one, head);
    std::copy(from.begin(), from.end(), weights.values() + (head * settings.length + t) * settings.length);
  }
}

/// The token the model draws after an output, at temperature 1.
int next_token(Tape& tape, const nn::Transformer& model, Value output, int seed, int t) {
  const Value chances = tape::softmax(tape, nn::logits(tape, model, output), {}, {});
  const float drawn =
      core::RandomStream{static_cast<std::uint64_t>(seed)}.uniform(static_cast<std::uint64_t>(t));
  float sum = 0.0f;
  int token = 0;
  for (const float chance : tape.tensor(chances).flat().first(kVocabulary - 1)) {
    sum += chance;
    if (drawn < sum) break;
    ++token;
  }
  return token;
}

/// Compares the keys and values of the pass over all tokens but the newest with those of the whole pass, in
/// every layer, and shows the last layer's keys.
void keep_shared_rows(const Bench& bench, const Tape& shorter) {
  for (int layer = 0; layer < bench.settings.n_layers; ++layer)
    for (const Site site : {Site::key, Site::value}) {
      const Label label{Stack::decoder, layer, Block::self_attention, site};
      const TensorView before = shorter.tensor(label);
      bench.found.shared_rows_ulp = std::max(
          bench.found.shared_rows_ulp, largest_ulp_of_rows(before, bench.shown(label), before.shape[1]));
    }
  bench.board.leaf(shorter.tensor(of_pass(bench.settings, Site::key)), of_steps(bench.settings, Site::key));
}

/// Each pass over the first 1, 2, … tokens: multiplications, and the output of its newest row.
struct Passes {
  std::vector<std::int64_t> multiplications;
  std::vector<float> newest;  // (S, d_model)
};

Passes run_passes(const Bench& bench) {
  Passes passes;
  for (int t = 1; t <= bench.settings.length; ++t) {
    Tape tape;
    const Value x = tape.borrow(bench.rows(0, t), {});
    const TensorView output = tape.tensor(nn::decode(tape, bench.model, x, nn::Mask::causal()));
    passes.multiplications.push_back(tape::operations_of(tape).multiplications);
    const std::span<const float> newest = row(output, t - 1);
    passes.newest.insert(passes.newest.end(), newest.begin(), newest.end());
    if (t + 1 == bench.settings.length) keep_shared_rows(bench, tape);
  }
  return passes;
}

void record_steps(const Bench& bench) {
  const Passes passes = run_passes(bench);
  const Tensor& weights = bench.spoken.weights;
  bench.found.weights_ulp =
      largest_ulp(weights.flat(), bench.shown(of_pass(bench.settings, Site::weights)).flat());
  bench.found.cached_numbers = bench.spoken.cached_numbers;
  bench.board.leaf(weights.view(), of_steps(bench.settings, Site::weights));
  const int length = bench.settings.length;
  std::vector<float> values;
  std::int64_t total_without = 0;
  std::int64_t total_with = 0;
  const TensorView newest{passes.newest.data(), bench.spoken.words.shape()};
  for (int t = 0; t < length; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const std::uint32_t ulp = largest_ulp(row(newest, t), row(bench.spoken.outputs.view(), t));
    bench.found.steps_ulp = std::max(bench.found.steps_ulp, ulp);
    total_without += passes.multiplications[at];
    total_with += bench.spoken.multiplications[at];
    for (const std::int64_t number : {std::int64_t{t + 1}, std::int64_t{ulp}, passes.multiplications[at],
                                      bench.spoken.multiplications[at], total_without, total_with})
      values.push_back(static_cast<float>(number));
  }
  bench.board.leaf({values.data(), Shape{length, 6}}, label_of(Figure::steps));
}

nn::Mask mask_of(Corner corner, int queries, int keys) {
  return corner == Corner::top_left ? nn::Mask::causal() : nn::Mask::causal_bottom_right(queries, keys);
}

/// All but the last T tokens at once, then those T at once under a corner.
void decode_with_corner(const Bench& bench, Corner corner) {
  const int length = bench.settings.length;
  const int added = bench.settings.new_tokens;
  const int before = length - added;
  Tensor weights(Shape{bench.settings.n_heads, length, length});
  std::vector<Past> past;
  Tape tape;
  const auto decode = [&](int first, int count, const nn::Mask& mask) {
    const Value output =
        decode_with_past(tape, bench.model, tape.borrow(bench.rows(first, count), {}), mask, past);
    const TensorView part = tape.tensor(of_steps(bench.settings, Site::weights));
    for (int head = 0; head < part.shape[0]; ++head)
      for (int i = 0; i < count; ++i) {
        const std::span<const float> from = row(part, head * count + i);
        std::copy(from.begin(), from.end(), weights.values() + (head * length + first + i) * length);
      }
    return tape.tensor(output);
  };
  if (before > 0) decode(0, before, nn::Mask::causal());
  const TensorView output = decode(before, added, mask_of(corner, added, length));
  const std::span<const float> newest = row(output, added - 1);
  const std::span<const float> expected = row(bench.shown(kOutput), length - 1);
  const auto at = static_cast<std::size_t>(corner);
  bench.found.newest_ulp[at] = largest_ulp(newest, expected);
  for (std::size_t i = 0; i < newest.size(); ++i)
    bench.found.newest_difference[at] =
        std::max(bench.found.newest_difference[at], std::fabs(newest[i] - expected[i]));
  if (corner == bench.settings.corner) bench.board.leaf(weights.view(), corner_weights());
}

void record_corners(const Bench& bench) {
  const int queries = bench.settings.new_tokens;
  const int keys = bench.settings.length;
  for (const Figure which : {Figure::top_left, Figure::bottom_right}) {
    const Corner corner = which == Figure::top_left ? Corner::top_left : Corner::bottom_right;
    const Tensor mask = mask_of(corner, queries, keys).materialise(queries, keys);
    std::vector<float> seen;
    for (int i = 0; i < queries; ++i) {
      const std::span<const float> flags = row(mask.view(), i);
      seen.push_back(static_cast<float>(std::count(flags.begin(), flags.end(), 1.0f)));
    }
    bench.board.leaf(mask.view(), label_of(which));
    bench.board.leaf({seen.data(), Shape{queries}}, keys_seen(which));
    decode_with_corner(bench, corner);
  }
}

}  // namespace

Label label_of(Figure which) { return {Stack::model, static_cast<int>(which), Block::none, Site::figures}; }
Label keys_seen(Figure mask) {
  constexpr int kFigures = static_cast<int>(Figure::bottom_right) + 1;
  return {Stack::model, kFigures + static_cast<int>(mask), Block::none, Site::figures};
}
Label of_pass(const Settings& settings, Site site) {
  return {Stack::decoder, settings.n_layers - 1, Block::self_attention, site};
}
Label of_steps(const Settings& settings, Site site) {
  return {Stack::model, settings.n_layers - 1, Block::self_attention, site};
}
Label corner_weights() { return {Stack::model, -1, Block::self_attention, Site::weights}; }

float figure(const Run& run, int step, Column column) {
  const core::ConstMatrix figures = core::as_matrix(run.tape().tensor(label_of(Figure::steps)));
  ATTN_CHECK(step >= 0 && step < figures.rows);
  return figures.row(step)[static_cast<int>(column)];
}

core::Result<nn::Transformer> make_model(const Settings& settings) {
  const nn::TransformerConfig config{.family = nn::Family::decoder_only,
                                     .vocabulary = kVocabulary,
                                     .d_model = settings.d_model,
                                     .n_heads = settings.n_heads,
                                     .n_decoder_layers = settings.n_layers,
                                     .d_ff = 2 * settings.d_model,
                                     .positions = nn::Positions::sinusoidal,
                                     .max_positions = kTimedTokens.back(),
                                     .output_projection = nn::OutputProjection::separate};
  if (core::Status valid = nn::validate(config); !valid.ok()) return valid.failure();
  nn::Transformer model = nn::make_transformer(config);
  if (core::Status drawn = nn::initialize_like_pytorch(model, static_cast<std::uint32_t>(settings.seed));
      !drawn.ok())
    return drawn.failure();
  return model;
}

Spoken speak(const nn::Transformer& model, const Settings& settings, std::span<const CellEdit> edits) {
  const int length = settings.length;
  const int width = settings.d_model;
  Spoken spoken{.tokens = {0},
                .words = Tensor(Shape{length, width}),
                .outputs = Tensor(Shape{length, width}),
                .weights = Tensor(Shape{settings.n_heads, length, length})};
  std::vector<Past> past;
  Tape embedded, tape;
  for (int t = 0; t < length; ++t) {
    embedded.clear();
    const TensorView x = embedded.tensor(nn::embed(embedded, model, Stack::decoder, spoken.tokens));
    std::copy_n(x.values + t * width, width, spoken.words.values() + t * width);
    apply_edits(edits, kWords, spoken.words);
    const auto first = static_cast<int>(tape.entries().size());
    const Value output =
        decode_with_past(tape, model, tape.borrow(core::rows_of(spoken.words.view(), t, 1), {}),
                         nn::Mask::causal_bottom_right(1, t + 1), past);
    spoken.multiplications.push_back(tape::operations_of(tape, first).multiplications);
    std::copy_n(tape.tensor(output).values, width, spoken.outputs.values() + t * width);
    keep_weights(tape, settings, t, spoken.weights);
    if (t + 1 < length) spoken.tokens.push_back(next_token(tape, model, output, settings.seed, t));
  }
  for (const Past& layer : past)
    spoken.cached_numbers += tape.tensor(layer.key).size() + tape.tensor(layer.value).size();
  return spoken;
}

core::Result<Experiment> run_experiment(const Settings& settings, std::span<const CellEdit> edits,
                                        const Run* previous) {
  core::Result<nn::Transformer> made = make_model(settings);
  if (!made.ok()) return made.failure();
  auto owned = std::make_shared<Owned>();
  owned->model = std::move(made).value();
  if (settings.timed) {
    if (previous != nullptr) owned->times = std::static_pointer_cast<const Owned>(previous->owner)->times;
    if (!owned->times) {
      core::Result<Times> measured = measure();
      if (!measured.ok()) return measured.failure();
      owned->times = measured.value();
    }
  }
  const Spoken spoken = speak(owned->model, settings, edits);

  Experiment experiment;
  Run& run = experiment.run;
  run.owner = owned;
  for (const int token : spoken.tokens) run.target_words.emplace_back(1, letter_of(token));
  run.source_words = run.target_words;
  run.board.emplace();
  run.board->title = {"键值缓存", "Key-value cache"};
  Tape& tape = run.board->tape;
  nn::decode(tape, owned->model, tape.leaf(spoken.words.view(), kWords), nn::Mask::causal());
  const Bench bench{owned->model, settings, spoken, tape, experiment.findings};
  record_steps(bench);
  record_corners(bench);
  run.board->sheets = make_sheets(experiment, settings, owned->times);
  return experiment;
}

}  // namespace attn::lessons::kv_cache
