#include "lessons/teacher_forcing/training.h"

#include <algorithm>
#include <utility>

#include "nn/initialize.h"
#include "nn/optimizer.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::lessons::teacher_forcing {
namespace {

using tape::Tape;
using tape::Value;

constexpr int kSource[] = {0, 1, 2};  // I love you
constexpr nn::TransformerConfig kConfig{.vocabulary = kVocabulary,
                                        .source_vocabulary = 3,
                                        .d_model = 8,
                                        .n_heads = 2,
                                        .n_encoder_layers = 1,
                                        .n_decoder_layers = 1,
                                        .d_ff = 16,
                                        .output_projection = nn::OutputProjection::separate};
constexpr nn::AdamOptions kAdam{.learning_rate = 0.03};

nn::Transformer drawn_model(int seed) {
  nn::Transformer model = nn::make_transformer(kConfig);
  const core::Status drawn = nn::initialize_like_pytorch(model, static_cast<std::uint32_t>(seed));
  ATTN_CHECK(drawn.ok());  // of this config
  return model;
}

/// What is learned, and its gradients: the leaves that have one. The tape borrows them from the model, which
/// is the caller's to change.
std::vector<nn::ParameterGradient> learned_of(const Tape& tape, const tape::Gradients& gradients) {
  std::vector<nn::ParameterGradient> list;
  for (int i = 0; i < static_cast<int>(tape.entries().size()); ++i) {
    const core::TensorView gradient = gradients.of({i});
    if (tape.entry({i}).op != tape::Op::leaf || gradient.values == nullptr) continue;
    const std::span<const float> values = tape.tensor({i}).flat();
    list.push_back({{const_cast<float*>(values.data()), values.size()}, gradient.flat()});
  }
  return list;
}

/// The way back through this model, and no other op: the page loads what is named here.
void step_back(tape::Op op, tape::BackwardContext& at) {
  using tape::Op;
  if (op == Op::lookup) return tape::lookup_backward(at);
  if (op == Op::linear) return tape::linear_backward(at);
  if (op == Op::split_heads) return tape::split_heads_backward(at);
  if (op == Op::merge_heads) return tape::merge_heads_backward(at);
  if (op == Op::scores) return tape::scores_backward(at);
  if (op == Op::softmax) return tape::softmax_backward(at);
  if (op == Op::context) return tape::context_backward(at);
  if (op == Op::add) return tape::add_backward(at);
  if (op == Op::layer_norm) return tape::layer_norm_backward(at);
  if (op == Op::relu) return tape::relu_backward(at);
  if (op == Op::cross_entropy) return tape::cross_entropy_backward(at);
  ATTN_CHECK(op == Op::leaf);
}

/// The most probable token after the last of `fed`.
int next_token(Tape& tape, const nn::Transformer& model, std::span<const int> fed) {
  tape.clear();
  const core::TensorView logits = tape.tensor(record_logits(tape, model, fed, nn::Mask::causal()));
  const float* last = logits.values + logits.size() - kVocabulary;
  return static_cast<int>(std::max_element(last, last + kVocabulary) - last);
}

}  // namespace

Value record_logits(Tape& tape, const nn::Transformer& model, std::span<const int> fed, nn::Mask mask) {
  nn::TransformerMasks masks;
  masks.target = std::move(mask);
  const Value source = nn::embed(tape, model, tape::Stack::encoder, kSource);
  const Value target = nn::embed(tape, model, tape::Stack::decoder, fed);
  return nn::logits(tape, model, nn::transform(tape, model, source, target, masks));
}

Value record_tokens(Tape& tape, std::span<const int> tokens, const tape::Label& label) {
  const std::vector<float> ids(tokens.begin(), tokens.end());
  return tape.leaf({ids.data(), core::Shape{static_cast<int>(ids.size())}}, label);
}

Value record_losses(Tape& tape, Value logits, Value asked, kernels::Reduction reduction,
                    const tape::Label& label) {
  return tape::cross_entropy(tape, logits, asked, Value{}, {.ignore_index = kPad, .reduction = reduction},
                             label);
}

Sentence sentence_of(int pads, bool shifted) {
  Sentence sentence;
  for (const int token : {kBos, kWo, kAi, kNi, kEos}) sentence.target.push_back(token);
  for (int i = 0; i < pads; ++i) sentence.target.push_back(kPad);
  for (std::size_t i = 0; i + 1 < sentence.target.size(); ++i) {
    sentence.fed.push_back(sentence.target[i]);
    sentence.asked.push_back(sentence.target[shifted ? i + 1 : i]);
  }
  return sentence;
}

Training train(int seed, const Sentence& sentence, int steps) {
  Training training;
  nn::Transformer model = drawn_model(seed);
  nn::AdamState state;
  Tape tape;
  tape::Gradients gradients;
  for (int step = 0;; ++step) {
    tape.clear();
    const Value logits = record_logits(tape, model, sentence.fed, nn::Mask::causal());
    const Value loss =
        record_losses(tape, logits, record_tokens(tape, sentence.asked, {}), kernels::Reduction::mean, {});
    training.losses.push_back(tape.tensor(loss).values[0]);
    if (step == steps) break;
    const float one[] = {1.0f};
    tape::backward_by(tape, loss, one, gradients,
                      [](tape::Op op, tape::BackwardContext& at) { step_back(op, at); });
    nn::adam_step(kAdam, learned_of(tape, gradients), state);
    nn::pack_weights(model);
  }
  std::vector<int> fed{kBos};
  while (training.said.size() < kMostSaid && fed.back() != kEos) {
    fed.push_back(next_token(tape, model, fed));
    training.said.push_back(fed.back());
  }
  return training;
}

std::shared_ptr<const Models> models_of(int seed, int training_steps, const Run* previous) {
  if (previous != nullptr) {
    auto shown = std::static_pointer_cast<const Models>(previous->owner);
    if (shown != nullptr && shown->seed == seed && shown->training_steps == training_steps) return shown;
  }
  auto models = std::make_shared<Models>();
  models->seed = seed;
  models->training_steps = training_steps;
  models->model = drawn_model(seed);
  models->shifted = train(seed, sentence_of(0, true), training_steps);
  models->copying = train(seed, sentence_of(0, false), training_steps);
  return models;
}

}  // namespace attn::lessons::teacher_forcing
