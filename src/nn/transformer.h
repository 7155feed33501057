// The forward pass of the encoder-decoder transformer as plain functions over tape values (Vaswani et al.
// 2017, §3; pre-norm: Xiong et al. 2020, fig. 1b). One definition serves training, inference, the step view
// and the inspector.
//
// Everything is recorded under the labels of tape/label.h: encoder layer 2's weights are
// "encoder.2.self_attention.weights". Parameters are borrowed: the model must outlive the tape's entries.
#pragma once

#include <span>

#include "nn/mask.h"
#include "nn/parameters.h"
#include "tape/tape.h"

namespace attn::nn {

/// Who may see whom in the three attentions; `source` is the encoder's self-attention.
struct TransformerMasks {
  Mask source;
  Mask target = Mask::causal();
  Mask memory;
};

/// Embeds token ids with the shared table: tokens (T) → (T, d_model), labelled `stack`.embedding. No
/// positions are added and nothing is scaled: that is nn.Embedding. An optional `poke` (T, d_model) is added
/// and recorded as such. Ids must lie in [0, vocabulary).
tape::Value embed(tape::Tape& tape, const Transformer& model, tape::Stack stack, std::span<const int> tokens,
                  const core::Tensor* poke = nullptr);

/// Encoder stack: x (S, d_model) → memory (S, d_model).
tape::Value encode(tape::Tape& tape, const Transformer& model, tape::Value x, const Mask& source);

/// Decoder stack: x (T, d_model), memory (S, d_model) → output (T, d_model).
tape::Value decode(tape::Tape& tape, const Transformer& model, tape::Value x, tape::Value memory,
                   const Mask& target, const Mask& memory_mask);

/// Both stacks on embedded inputs, as nn.Transformer.forward(src, tgt): → output (T, d_model).
tape::Value transform(tape::Tape& tape, const Transformer& model, tape::Value source, tape::Value target,
                      const TransformerMasks& masks);

}  // namespace attn::nn
