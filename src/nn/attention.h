// Multi-head attention and the feed-forward layer: the two blocks both stacks are built from.
#pragma once

#include <utility>

#include "nn/dropout.h"
#include "nn/mask.h"
#include "nn/parameters.h"
#include "tape/tape.h"

namespace attn::nn {

/// Which layer of which stack is being recorded.
struct LayerPlace {
  tape::Stack stack = tape::Stack::encoder;
  int layer = 0;
};

/// Who may see whom in one attention, and what is added to its scores. A Mask alone has no bias.
struct AttentionMask {
  AttentionMask() = default;
  AttentionMask(Mask mask, core::TensorView added = {}) : visible(std::move(mask)), bias(added) {}

  Mask visible;
  core::TensorView
      bias;  // finite, broadcast to (B, H, T, S); null values: none. ALiBi, PyTorch's float masks
};

/// One affine map x·Wᵀ + b as a layer uses it.
struct LinearView {
  core::TensorView weight;                        // (out, in)
  core::TensorView bias;                          // (out); null values: none
  const kernels::PackedMatrix* packed = nullptr;  // of the weight
};

/// What a multi-head attention layer learns, as views: everything PyTorch's nn.MultiheadAttention can have.
/// E is its embed_dim.
struct AttentionParameters {
  int n_heads = 1;
  LinearView query;              // (E, d_model)
  LinearView key;                // (E, kdim)
  LinearView value;              // (E, vdim)
  LinearView output;             // (d_model, E), W_o
  core::TensorView extra_key{};  // E numbers: bias_k, a key after all others (add_bias_kv); null values: none
  core::TensorView extra_value{};  // E numbers: bias_v
  bool zero_key = false;           // one more key and value, of zeros (add_zero_attn)
};

/// W_q, W_k and W_v are the thirds of the stacked in_proj_weight.
AttentionParameters view_of(const MultiHeadAttention& parameters, int n_heads);

/// MultiHead(Q, K, V) = Concat(head_1 … head_h)·W_o, head_i = softmax(Q·Kᵀ/√d_k)·V (Vaswani et al. 2017,
/// §3.2.2). query (…, T, d_model), key (…, S, kdim), value (…, S, vdim), with or without a batch axis →
/// (…, T, d_model), labelled `attention`; query, key, value, scores, mask, weights, context and concatenated
/// are recorded on the way, under the block that `place` names. `bias` (finite, null values: none) is
/// broadcast to (B, H, T, S) and added to the scores. Extra
/// and zero keys come last, are visible to everybody and have bias 0; mask and bias count the others.
tape::Value multi_head_attention(tape::Tape& tape, const AttentionParameters& parameters, tape::Value query,
                                 tape::Value key, tape::Value value, const Mask& mask, core::TensorView bias,
                                 const tape::Label& place, Dropout* dropout = nullptr);

/// The attention of a transformer's layer: x (…, T, d_model) asks, `memory` (…, S, d_model) is asked;
/// self-attention passes the same value twice.
tape::Value multi_head_attention(tape::Tape& tape, const TransformerConfig& config,
                                 const MultiHeadAttention& parameters, tape::Value x, tape::Value memory,
                                 const AttentionMask& mask, LayerPlace place, tape::Block block,
                                 Dropout* dropout = nullptr);

/// FFN(x) = act(x·W_1ᵀ + b_1)·W_2ᵀ + b_2 (Vaswani et al. 2017, eq. 2). (…, d_model) → (…, d_model), labelled
/// `feed_forward`; hidden and activated are recorded on the way.
tape::Value feed_forward(tape::Tape& tape, const TransformerConfig& config, const FeedForward& parameters,
                         tape::Value x, LayerPlace place, Dropout* dropout = nullptr);

/// Layer normalisation of one block's output (post-norm) or input (pre-norm), labelled `norm` of that block.
tape::Value normalise(tape::Tape& tape, const TransformerConfig& config, const LayerNorm& parameters,
                      tape::Value x, tape::Label norm_label);

}  // namespace attn::nn
