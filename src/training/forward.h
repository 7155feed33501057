// The passes of training and of judging what was learned: batch → logits → loss, and greedy generation.
#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "nn/dropout.h"
#include "nn/parameters.h"
#include "tape/tape.h"
#include "training/batch.h"
#include "training/tasks.h"

namespace attn::training {

/// The config with the task's vocabularies. Error: a family other than encoder-decoder, no logits, too few
/// positions for the task's longest sequences, or what nn::validate refuses.
core::Result<nn::TransformerConfig> config_for(const Task& task, nn::TransformerConfig config);

/// Encoder and decoder on a batch → logits (B, T, vocabulary). Padding of the source is seen by nobody.
/// Without the causal mask every target position sees all tokens of its sequence.
tape::Value record_logits(tape::Tape& tape, const nn::Transformer& model, const Batch& batch,
                          bool causal_mask, nn::Dropout* dropout = nullptr);

/// The sum of the cross-entropies of the tokens asked → (1).
tape::Value record_loss(tape::Tape& tape, tape::Value logits, const Batch& batch, float label_smoothing);

/// What the model says to each source, greedily, until <eos> or `most` tokens; without the <eos>.
std::vector<std::vector<int>> translate(const nn::Transformer& model, std::span<const Example> examples,
                                        int most);

/// To how many sources the model says exactly the target, and ends there.
int count_exact(const nn::Transformer& model, std::span<const Example> examples);

}  // namespace attn::training
