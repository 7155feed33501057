// The forward pass of a transformer as plain functions over tape values (Vaswani et al. 2017, §3; pre-norm:
// Xiong et al. 2020, fig. 1b). One definition serves the three families, training, inference, the step view
// and the inspector.
//
// Everything is recorded under the labels of tape/label.h: encoder layer 2's weights are
// "encoder.2.self_attention.weights". Parameters are borrowed: the model must outlive the tape's entries.
// A batch (B sequences of one padded length) adds an axis in front of every tensor but the parameters; its
// rows have the bits that each sequence has alone (contract C1).
#pragma once

#include <span>

#include "nn/attention.h"
#include "nn/parameters.h"
#include "tape/tape.h"

namespace attn::nn {

/// Who may see whom in the three attentions; `source` is the encoder's self-attention.
struct TransformerMasks {
  AttentionMask source;
  AttentionMask target = Mask::causal();
  AttentionMask memory;
};

/// Token ids of a batch of sequences, padded to one length.
struct TokenBatch {
  std::span<const int> ids;  // (B, T), sequence by sequence, each in [0, vocabulary)
  int batch = 1;             // B
  std::span<const int>
      positions{};  // (B, T), each in [0, max_positions); empty: 0, 1, …, T−1 in every sequence
};

/// Token ids → their vectors, labelled `stack`.embedding: a row of the stack's table, times √d_model when the
/// config scales, plus a row of the position table when it has one. tokens (T) → (T, d_model). An optional
/// `poke` (T, d_model) is added and recorded as such. Ids must lie in [0, vocabulary).
tape::Value embed(tape::Tape& tape, const Transformer& model, tape::Stack stack, std::span<const int> tokens,
                  const core::Tensor* poke = nullptr);

/// The same for a batch: (B, T) → (B, T, d_model).
tape::Value embed(tape::Tape& tape, const Transformer& model, tape::Stack stack, const TokenBatch& tokens,
                  Dropout* dropout = nullptr);

/// Encoder stack: x (S, d_model) → memory (S, d_model). Without a final norm the result is the last layer's.
tape::Value encode(tape::Tape& tape, const Transformer& model, tape::Value x, const AttentionMask& source,
                   Dropout* dropout = nullptr);

/// Decoder stack: x (T, d_model), memory (S, d_model) → output (T, d_model).
tape::Value decode(tape::Tape& tape, const Transformer& model, tape::Value x, tape::Value memory,
                   const AttentionMask& target, const AttentionMask& memory_mask, Dropout* dropout = nullptr);

/// Decoder stack of a decoder-only model: x (T, d_model) → output (T, d_model).
tape::Value decode(tape::Tape& tape, const Transformer& model, tape::Value x, const AttentionMask& target,
                   Dropout* dropout = nullptr);

/// Both stacks on embedded inputs, as nn.Transformer.forward(src, tgt): → output (T, d_model).
tape::Value transform(tape::Tape& tape, const Transformer& model, tape::Value source, tape::Value target,
                      const TransformerMasks& masks, Dropout* dropout = nullptr);

/// The last stack's output (T, d_model) → logits (T, vocabulary): output·Eᵀ with the embedding table E when
/// the projection is tied, output·Wᵀ + b when it is separate. The config must have a projection.
tape::Value logits(tape::Tape& tape, const Transformer& model, tape::Value output);

}  // namespace attn::nn
