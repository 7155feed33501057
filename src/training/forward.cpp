#include "training/forward.h"

#include <algorithm>

#include "nn/generate.h"
#include "nn/transformer.h"
#include "tape/ops.h"

namespace attn::training {

using nn::Mask;
using tape::Value;

core::Result<nn::TransformerConfig> config_for(const Task& task, nn::TransformerConfig config) {
  config.vocabulary = task.target_vocabulary.size();
  config.source_vocabulary = task.source_vocabulary.size();
  if (core::Status valid = nn::validate(config); !valid.ok()) return core::Error{valid.error()};
  if (config.family != nn::Family::encoder_decoder)
    return core::Error{"training needs an encoder and a decoder"};
  if (config.output_projection == nn::OutputProjection::none)
    return core::Error{"training needs an output projection, tied or separate"};
  const int longest = std::max(task.max_source_length, task.max_target_length + 1);
  if (config.positions != nn::Positions::none && config.max_positions < longest)
    return core::error_at("max_positions is %d; the task's longest sequence has %d", config.max_positions,
                          longest);
  return config;
}

Value record_logits(tape::Tape& tape, const nn::Transformer& model, const Batch& batch, bool causal_mask,
                    nn::Dropout* dropout) {
  const Mask source = Mask::lengths(batch.source_lengths);
  const nn::TransformerMasks masks{
      .source = source,
      .target = causal_mask ? Mask::causal() : Mask::lengths(batch.target_lengths),
      .memory = source};
  const Value x =
      nn::embed(tape, model, tape::Stack::encoder, nn::TokenBatch{batch.source, batch.size}, dropout);
  const Value y =
      nn::embed(tape, model, tape::Stack::decoder, nn::TokenBatch{batch.fed, batch.size}, dropout);
  return nn::logits(tape, model, nn::transform(tape, model, x, y, masks, dropout));
}

Value record_loss(tape::Tape& tape, Value logits, const Batch& batch, float label_smoothing) {
  const core::Shape shape{batch.size, batch.target_length};
  float* asked = tape.allocate(shape);
  std::copy(batch.asked.begin(), batch.asked.end(), asked);
  const Value targets = tape.append(tape::Op::leaf, {}, {asked, shape}, tape::Label{});
  return tape::cross_entropy(
      tape, logits, targets, Value{},
      {.ignore_index = kPad, .label_smoothing = label_smoothing, .reduction = kernels::Reduction::sum},
      tape::Label{});
}

std::vector<std::vector<int>> translate(const nn::Transformer& model, std::span<const Example> examples,
                                        int most) {
  const int start[] = {kBos};
  std::vector<nn::Prompt> prompts;
  for (const Example& example : examples) prompts.push_back({start, example.source});
  auto said = nn::generate(model, prompts, {.max_new_tokens = most, .eos = kEos});
  ATTN_CHECK(said.ok());
  return std::move(said).value();
}

int count_exact(const nn::Transformer& model, std::span<const Example> examples) {
  std::size_t longest = 0;
  for (const Example& example : examples) longest = std::max(longest, example.target.size());
  const std::vector<std::vector<int>> said = translate(model, examples, static_cast<int>(longest) + 1);
  int exact = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<int> right = examples[i].target;
    right.push_back(kEos);
    exact += said[i] == right ? 1 : 0;
  }
  return exact;
}

}  // namespace attn::training
