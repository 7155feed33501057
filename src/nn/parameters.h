// What a transformer learns: its weights, laid out as PyTorch's nn.Transformer lays them out, and one visitor
// that everything else uses (initialise, load, save, count, update).
//
// Each weight that multiplies activations also has a packed copy for kernels::linear. Whoever writes to a
// weight calls `pack_weights` afterwards; nothing else keeps the two in step.
#pragma once

#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "kernels/matmul.h"
#include "nn/config.h"

namespace attn::nn {

struct Linear {
  core::Tensor weight;  // (out, in)
  core::Tensor bias;    // (out)
  kernels::PackedMatrix packed;
};

struct LayerNorm {
  core::Tensor scale;  // (d_model), γ
  core::Tensor shift;  // (d_model), β
};

struct MultiHeadAttention {
  core::Tensor in_proj_weight;  // (3·d_model, d_model): W_q, W_k, W_v stacked, as in PyTorch
  core::Tensor in_proj_bias;    // (3·d_model)
  Linear out_proj;              // W_o
  kernels::PackedMatrix packed_query, packed_key, packed_value;
};

struct FeedForward {
  Linear linear1;  // (d_ff, d_model)
  Linear linear2;  // (d_model, d_ff)
};

struct EncoderLayer {
  MultiHeadAttention self_attention;
  FeedForward feed_forward;
  LayerNorm norm1;  // of the self-attention
  LayerNorm norm2;  // of the feed-forward layer
};

struct DecoderLayer {
  MultiHeadAttention self_attention;
  MultiHeadAttention cross_attention;  // "multihead_attn" in PyTorch; empty in a decoder-only model
  FeedForward feed_forward;
  LayerNorm norm1;  // of the self-attention
  LayerNorm norm2;  // of the cross-attention; empty in a decoder-only model
  LayerNorm norm3;  // of the feed-forward layer
};

/// A model of any family. What its config has no use for is empty.
struct Transformer {
  TransformerConfig config;
  core::Tensor embedding;  // (vocabulary, d_model), of the target and, unless it has its own, the source
  core::Tensor source_embedding;  // (source_vocabulary, d_model)
  core::Tensor position_table;    // (max_positions, d_model); a parameter when learned
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  LayerNorm encoder_norm;  // the final norms
  LayerNorm decoder_norm;
  Linear output;  // logits: (vocabulary, d_model) when separate; tied, only `packed` is used: the embedding's
                  // copy

  /// The table a stack's tokens are looked up in.
  const core::Tensor& embedding_of_source() const {
    return has_source_table(config) ? source_embedding : embedding;
  }
};

/// All tensors in their shapes: weights and biases 0, layer-norm scales 1, sinusoidal positions in place. The
/// config must be valid.
Transformer make_transformer(const TransformerConfig& config);

/// Brings every packed copy up to date. Reuses its memory when the shapes are unchanged.
void pack_weights(Transformer& model);

/// The same for one layer that stands alone.
void pack_weights(Linear& linear);

/// Number of learned values, embedding included.
int parameter_count(const Transformer& model);

/// Calls `visit(name, tensor)` for every parameter of the stacks in the order of PyTorch's
/// `nn.Transformer.named_parameters()`, with its names ("encoder.layers.0.self_attn.in_proj_weight"; a
/// decoder-only layer has the names of an nn.TransformerEncoderLayer, as PyTorch's users build it); then
/// "embedding.weight" and, where the model has them, "source_embedding.weight", "position.weight",
/// "output.weight" and "output.bias". `Model` is `Transformer` or `const Transformer`.
template <class Model, class Visit>
void for_each_parameter(Model& model, Visit&& visit);

}  // namespace attn::nn

#include "nn/parameters_visit.h"
