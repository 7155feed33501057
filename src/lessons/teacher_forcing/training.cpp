#include "lessons/teacher_forcing/training.h"

#include <algorithm>

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

/// One parameter of a model and where its gradient goes.
struct Learned {
  core::Tensor* parameter;
  std::vector<float> gradient;
};

std::vector<Learned> learned_of(nn::Transformer& model) {
  std::vector<Learned> list;
  nn::for_each_parameter(model, [&](std::string_view, core::Tensor& parameter) {
    list.push_back({&parameter, std::vector<float>(parameter.flat().size())});
  });
  return list;
}

void take_step(const tape::Gradients& gradients, std::vector<Learned>& learned, nn::AdamState& state) {
  std::vector<nn::ParameterGradient> list;
  list.reserve(learned.size());
  for (Learned& one : learned) {
    std::fill(one.gradient.begin(), one.gradient.end(), 0.0f);
    gradients.accumulate_into(one.parameter->view(), one.gradient);
    list.push_back({one.parameter->flat(), one.gradient});
  }
  nn::adam_step(kAdam, list, state);
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

Value record_logits(Tape& tape, const nn::Transformer& model, std::span<const int> fed,
                    const nn::Mask& mask) {
  nn::TransformerMasks masks;
  masks.target = mask;
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
  sentence.target = {kBos, kWo, kAi, kNi, kEos};
  sentence.target.insert(sentence.target.end(), static_cast<std::size_t>(pads), kPad);
  sentence.fed.assign(sentence.target.begin(), sentence.target.end() - 1);
  sentence.asked.assign(sentence.target.begin() + 1, sentence.target.end());
  if (!shifted) sentence.asked = sentence.fed;
  return sentence;
}

Training train(nn::Transformer model, const Sentence& sentence, int steps) {
  Training training;
  std::vector<Learned> learned = learned_of(model);
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
    const float seed[] = {1.0f};
    tape::backward_by(tape, loss, seed, gradients,
                      [](tape::Op op, tape::BackwardContext& at) { step_back(op, at); });
    take_step(gradients, learned, state);
    nn::pack_weights(model);
  }
  std::vector<int> fed{kBos};
  while (training.said.size() < kMostSaid && fed.back() != kEos) {
    fed.push_back(next_token(tape, model, fed));
    training.said.push_back(fed.back());
  }
  return training;
}

core::Result<std::shared_ptr<const Models>> models_of(int seed, int training_steps, const Run* previous) {
  if (previous != nullptr) {
    auto shown = std::static_pointer_cast<const Models>(previous->owner);
    if (shown != nullptr && shown->seed == seed && shown->training_steps == training_steps) return shown;
  }
  auto models = std::make_shared<Models>(Models{seed, training_steps, nn::make_transformer(kConfig), {}, {}});
  if (core::Status drawn = nn::initialize_like_pytorch(models->model, static_cast<std::uint32_t>(seed));
      !drawn.ok())
    return drawn.failure();
  models->shifted = train(models->model, sentence_of(0, true), training_steps);
  models->copying = train(models->model, sentence_of(0, false), training_steps);
  return std::shared_ptr<const Models>(std::move(models));
}

}  // namespace attn::lessons::teacher_forcing
