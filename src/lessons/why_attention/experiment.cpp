#include "lessons/why_attention/experiment.h"

#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "nn/initialize.h"
#include "nn/parameters.h"
#include "tape/ops.h"

namespace attn::lessons::why_attention {
namespace {

using core::Shape;
using core::Tensor;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

constexpr int kVocabulary = 3;
constexpr int kValueWidth = 2;
constexpr int kWordOf[kWords] = {0, 1, 2, 1};
constexpr int kPartnerOf[kWords] = {1, 0, 3, 2};  // whom a word should look at: I saw | a saw
constexpr float kPartnerScore = 3.0f;

Tensor tensor_of(Shape shape, std::initializer_list<float> values) {
  Tensor tensor(shape);
  std::copy(values.begin(), values.end(), tensor.values());
  return tensor;
}

Tensor one_hot(std::span<const int> ids, int width) {
  Tensor tensor(Shape{static_cast<int>(ids.size()), width});
  for (std::size_t t = 0; t < ids.size(); ++t) tensor.values()[static_cast<int>(t) * width + ids[t]] = 1.0f;
  return tensor;
}

Tensor edited(Tensor tensor, const Label& label, std::span<const CellEdit> edits) {
  apply_edits(edits, label, tensor);
  return tensor;
}

Tensor drawn(Shape shape, core::TorchGenerator& generator) {
  Tensor tensor(shape);
  nn::fill_normal(tensor.flat(), generator);
  return tensor;
}

/// x·Wᵀ.
Value multiply(Tape& tape, Value x, Tensor weight, const Label& weight_label, const Label& label) {
  nn::Linear linear;
  linear.weight = std::move(weight);
  nn::pack_weights(linear);
  return tape::linear(tape, x, tape.leaf(linear.weight.view(), weight_label), {}, linear.packed, label);
}

Value heads_of(Tape& tape, Value x, const Label& label = {}) { return tape::split_heads(tape, x, 1, label); }

/// One vector at a time through a function: tanh(x·Wᵀ).
void record_function(Tape& tape, Value words, Tensor weight) {
  const Value inner = multiply(tape, words, std::move(weight), function_label(Site::linear1_weight),
                               function_label(Site::hidden));
  tape::tanh(tape, inner, function_label(Site::feed_forward));
}

/// Queries and keys that know nothing but the position: each word finds its partner.
void record_goal(Tape& tape, Value values, bool look_around) {
  static constexpr int kOwn[kWords] = {0, 1, 2, 3};
  Tensor partners = one_hot(kPartnerOf, kWords);
  for (float& value : partners.flat()) value *= kPartnerScore;
  const Tensor places = one_hot(kOwn, kWords);
  const Value query = heads_of(tape, tape.leaf(partners.view(), {}), label_of(kGoal, Site::query));
  const Value key = heads_of(tape, tape.leaf(places.view(), {}), label_of(kGoal, Site::key));
  const Value scores = tape::scores(tape, query, key, 1.0f, label_of(kGoal, Site::scores));
  Tensor visible = places;
  if (look_around) std::fill(visible.flat().begin(), visible.flat().end(), 1.0f);
  const Value mask = tape.leaf(visible.view(), label_of(kGoal, Site::mask));
  const Value weights = tape::softmax(tape, scores, mask, label_of(kGoal, Site::weights));
  tape::context(tape, weights, values, label_of(kGoal, Site::context));
}

void record_scores(Tape& tape, Value words, std::span<const CellEdit> edits) {
  const Value heads = heads_of(tape, words);
  tape::scores(tape, heads, heads, 1.0f, label_of(kRaw, Site::scores));
  const auto asked = [&](Site weight, Site result, std::initializer_list<float> given) {
    const Label label = label_of(kAsked, weight);
    return heads_of(
        tape, multiply(tape, words, edited(tensor_of(Shape{2, kVocabulary}, given), label, edits), label, {}),
        label_of(kAsked, result));
  };
  // By hand: saw asks for what I and a answer, I and a ask for what saw answers.
  const Value query = asked(Site::query_weight, Site::query, {0.0f, 2.0f, 0.0f, 1.0f, 0.0f, 1.0f});
  const Value key = asked(Site::key_weight, Site::key, {1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f});
  tape::scores(tape, query, key, 1.0f, label_of(kAsked, Site::scores));
}

void record_sum(Tape& tape, Value weights, Layer layer) {
  float sum = 0.0f;
  for (const float weight : tape.tensor(weights).flat()) sum += weight;
  tape.leaf({&sum, Shape{1}}, label_of(layer, Site::row_sums));
}

/// The first word's new vector: added up by scores, by shares, of values.
void record_sums(Tape& tape, Value words, Tensor value_weight, std::span<const CellEdit> edits) {
  const Label given = label_of(kSummed, Site::scores);
  const Tensor numbers = edited(tensor_of(Shape{1, 1, kWords}, {5.0f, 2.0f, 1.0f, 2.0f}), given, edits);
  const Value scores = tape.leaf(numbers.view(), given);
  const Value heads = heads_of(tape, words);
  record_sum(tape, scores, kSummed);
  tape::context(tape, scores, heads, label_of(kSummed, Site::context));
  const Value shares = tape::softmax(tape, scores, {}, label_of(kShared, Site::weights));
  record_sum(tape, shares, kShared);
  tape::context(tape, shares, heads, label_of(kShared, Site::context));
  const Value values = heads_of(
      tape, multiply(tape, words, std::move(value_weight), label_of(kLearned, Site::value_weight), {}),
      label_of(kLearned, Site::value));
  tape::context(tape, shares, values, label_of(kLearned, Site::context));
}

void record_vectors(Tape& tape, Pair which, std::span<const CellEdit> edits) {
  const Label label = vectors_label(which);
  const Tensor pair = edited(tensor_of(Shape{2, 2}, {3.0f, 1.0f, 1.0f, 2.0f}), label, edits);
  const Value vectors = heads_of(tape, tape.leaf(pair.view(), label));
  tape::merge_heads(tape, tape::scores(tape, vectors, vectors, 1.0f, {}), products_label(which));
}

}  // namespace

Label label_of(Layer layer, Site site) {
  return {tape::Stack::encoder, layer, tape::Block::self_attention, site};
}

Run run_experiment(const Settings& settings, std::span<const CellEdit> edits) {
  core::TorchGenerator generator(static_cast<std::uint32_t>(settings.seed));
  Tensor function =
      edited(drawn(Shape{kVocabulary, kVocabulary}, generator), function_label(Site::linear1_weight), edits);
  Tensor value_weight = edited(drawn(Shape{kValueWidth, kVocabulary}, generator),
                               label_of(kLearned, Site::value_weight), edits);
  Run run;
  run.source_words = {"I", "saw", "a", "saw"};
  run.board.emplace();
  run.board->title = {"为什么要有注意力", "Why attention"};
  Tape& tape = run.board->tape;
  const Value words = tape.leaf(one_hot(kWordOf, kVocabulary).view(), words_label());
  record_function(tape, words, std::move(function));
  for (const Pair pair : {Pair::shown, Pair::asked}) record_vectors(tape, pair, edits);
  record_scores(tape, words, edits);
  record_goal(tape, heads_of(tape, words), settings.look_around);
  record_sums(tape, words, std::move(value_weight), edits);
  run.board->sheets = make_sheets(run);
  return run;
}

std::span<const float> row_of(const Run& run, const Label& label, int row) {
  const core::TensorView tensor = run.tape().tensor(label);
  const auto width = static_cast<std::size_t>(tensor.shape[-1]);
  return tensor.flat().subspan(static_cast<std::size_t>(row) * width, width);
}

Angle angle_between(float uu, float uw, float ww) {
  constexpr float kDegrees = 57.29578f;  // 180/π
  Angle angle{.length_u = std::sqrt(uu), .length_w = std::sqrt(ww), .product = uw};
  if (angle.exists()) {
    angle.cosine = std::clamp(uw / angle.length_u / angle.length_w, -1.0f, 1.0f);
    angle.degrees = std::acos(angle.cosine) * kDegrees;
  }
  return angle;
}

Angle angle_of(const Run& run, Pair pair) {
  const std::span<const float> products = run.tape().tensor(products_label(pair)).flat();
  return angle_between(products[0], products[1], products[3]);
}

std::string degrees_text(const Angle& angle, int decimals) {
  constexpr int kMost = 6;
  if (!angle.exists()) return "–";
  std::string text = fixed(angle.degrees, decimals);
  while (angle.sign() != 0 && decimals < kMost && text == fixed(90.0f, decimals))
    text = fixed(angle.degrees, ++decimals);
  return text + "°";
}

std::string largest_words(const Run& run, const Label& label, int row) {
  const std::span<const float> values = row_of(run, label, row);
  const float largest = *std::max_element(values.begin(), values.end());
  std::string words;
  for (std::size_t j = 0; j < values.size(); ++j)
    if (values[j] == largest) words += (words.empty() ? "" : ", ") + run.source_words[j];
  return words;
}

int told_apart(const Run& run, int row) {
  const std::span<const float> mixture = row_of(run, label_of(kGoal, Site::context), row);
  return mixture[0] > mixture[2] ? 1 : mixture[0] < mixture[2] ? -1 : 0;
}

}  // namespace attn::lessons::why_attention
