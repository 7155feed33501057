// The part of the reference run that learns.
#include <array>
#include <vector>

#include "core/bits.h"
#include "nn/optimizer.h"
#include "nn/transformer.h"
#include "support/random_model.h"
#include "support/reference_run.h"
#include "tape/backward.h"
#include "tape/ops.h"

namespace attn::test {
namespace {

constexpr int kBatch = 3;
constexpr int kSource = 6;
constexpr int kTarget = 5;
constexpr int kPadding = 0;
constexpr std::array<int, kBatch> kSourceLengths{6, 2, 4};
constexpr std::array<int, kBatch> kTargetLengths{5, 3, 1};

constexpr nn::TransformerConfig kConfig{.vocabulary = 11,
                                        .d_model = 12,
                                        .n_heads = 3,
                                        .n_encoder_layers = 2,
                                        .n_decoder_layers = 2,
                                        .d_ff = 21,
                                        .activation = nn::Activation::gelu,
                                        .norm_first = true,
                                        .positions = nn::Positions::sinusoidal,
                                        .max_positions = 8,
                                        .scale_embedding = true,
                                        .output_projection = nn::OutputProjection::tied};

/// Random ids from 1 on, `kPadding` beyond each sequence's length.
std::vector<int> padded(std::span<const int> lengths, int width, std::uint64_t seed) {
  std::vector<int> ids =
      random_tokens(static_cast<int>(lengths.size()) * width, kConfig.vocabulary - 1, seed);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool there = static_cast<int>(i) % width < lengths[i / static_cast<std::size_t>(width)];
    ids[i] = there ? ids[i] + 1 : kPadding;
  }
  return ids;
}

tape::Value record_loss(tape::Tape& tape, const nn::Transformer& model, nn::Dropout& dropout) {
  const std::vector<int> source = padded(kSourceLengths, kSource, 31);
  const std::vector<int> target = padded(kTargetLengths, kTarget, 32);
  const std::vector<int> labels = padded(kTargetLengths, kTarget, 33);
  const nn::Mask source_there = nn::Mask::lengths(kSourceLengths);
  const nn::TransformerMasks masks{
      source_there, nn::Mask::causal().and_also(nn::Mask::lengths(kTargetLengths)), source_there};
  const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, {source, kBatch, {}}, &dropout);
  const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, {target, kBatch, {}}, &dropout);
  const tape::Value logits = nn::logits(tape, model, nn::transform(tape, model, x, y, masks, &dropout));
  std::vector<float> classes(labels.begin(), labels.end());
  const tape::Value expected = tape.leaf({classes.data(), core::Shape{kBatch, kTarget}}, {});
  return tape::cross_entropy(tape, logits, expected, {}, {.ignore_index = kPadding, .label_smoothing = 0.1f},
                             {});
}

std::uint64_t hash_of(std::span<const float> values, std::uint64_t hash) {
  return core::fnv1a(values.data(), values.size_bytes(), hash);
}

std::uint64_t train(const nn::AdamOptions& options, std::uint64_t hash) {
  constexpr std::uint32_t kSteps = 3;
  nn::Transformer model = random_transformer(kConfig, 41);
  nn::AdamState state;
  tape::Tape tape;
  tape::Gradients gradients;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    tape.clear();
    nn::Dropout dropout(0.1f, 7, step);
    const tape::Value loss = record_loss(tape, model, dropout);
    const float seed[] = {1.0f};
    tape::backward(tape, loss, seed, gradients);
    hash = hash_of(tape.tensor(loss).flat(), hash);

    std::vector<std::vector<float>> memory;
    std::vector<nn::ParameterGradient> list;
    nn::for_each_parameter(model, [&](std::string_view, core::Tensor& parameter) {
      memory.emplace_back(parameter.flat().size(), 0.0f);
      gradients.accumulate_into(parameter.view(), memory.back());
      hash = hash_of(memory.back(), hash);
    });
    std::size_t next = 0;
    nn::for_each_parameter(model, [&](std::string_view, core::Tensor& parameter) {
      list.push_back({parameter.flat(), memory[next++]});
    });
    nn::adam_step(options, list, state);
    nn::pack_weights(model);
    for (const nn::ParameterGradient& one : list) hash = hash_of(one.parameter, hash);
  }
  return hash;
}

}  // namespace

std::uint64_t training_hash() {
  std::uint64_t hash = core::fnv1a("training", 8);
  hash = train({.learning_rate = 1e-2, .beta2 = 0.98, .epsilon = 1e-9}, hash);
  hash = train({.learning_rate = 1e-2, .weight_decay = 1e-2}, hash);
  return train({.learning_rate = 1e-2, .l2_penalty = 1e-3, .amsgrad = true}, hash);
}

}  // namespace attn::test
