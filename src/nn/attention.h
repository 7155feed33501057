// Multi-head attention and the feed-forward layer: the two blocks both stacks are built from.
#pragma once

#include "nn/mask.h"
#include "nn/parameters.h"
#include "tape/tape.h"

namespace attn::nn {

/// Which layer of which stack is being recorded.
struct LayerPlace {
  tape::Stack stack = tape::Stack::encoder;
  int layer = 0;
};

/// MultiHead(Q, K, V) = Concat(head_1 … head_h)·W_o, head_i = softmax(QK ᵀ/√d_k)·V (Vaswani et al. 2017,
/// §3.2.2). x (T, d_model) asks, `memory` (S, d_model) is asked; self-attention passes the same value twice.
/// → (T, d_model), labelled `attention`; query, key, value, scores, mask, weights, context and concatenated
/// are recorded on the way.
tape::Value multi_head_attention(tape::Tape& tape, const TransformerConfig& config,
                                 const MultiHeadAttention& parameters, tape::Value x, tape::Value memory,
                                 const Mask& mask, LayerPlace place, tape::Block block);

/// FFN(x) = act(x·W_1ᵀ + b_1)·W_2ᵀ + b_2 (Vaswani et al. 2017, eq. 2). (T, d_model) → (T, d_model), labelled
/// `feed_forward`; hidden and activated are recorded on the way.
tape::Value feed_forward(tape::Tape& tape, const TransformerConfig& config, const FeedForward& parameters,
                         tape::Value x, LayerPlace place);

/// Layer normalisation of one block's output (post-norm) or input (pre-norm), labelled `norm` of that block.
tape::Value normalise(tape::Tape& tape, const TransformerConfig& config, const LayerNorm& parameters,
                      tape::Value x, tape::Label norm_label);

}  // namespace attn::nn
