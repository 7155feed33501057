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
  MultiHeadAttention cross_attention;  // "multihead_attn" in PyTorch
  FeedForward feed_forward;
  LayerNorm norm1;  // of the self-attention
  LayerNorm norm2;  // of the cross-attention
  LayerNorm norm3;  // of the feed-forward layer
};

struct Transformer {
  TransformerConfig config;
  core::Tensor embedding;  // (vocabulary, d_model), shared by source and target
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  LayerNorm encoder_norm;
  LayerNorm decoder_norm;
};

/// All tensors in their shapes: weights and biases 0, layer-norm scales 1. The config must be valid.
Transformer make_transformer(const TransformerConfig& config);

/// Brings every packed copy up to date. Reuses its memory when the shapes are unchanged.
void pack_weights(Transformer& model);

/// Number of learned values, embedding included.
int parameter_count(const Transformer& model);

/// Calls `visit(name, tensor)` for every parameter of the stacks in the order of PyTorch's
/// `nn.Transformer.named_parameters()`, with its names ("encoder.layers.0.self_attn.in_proj_weight"); then,
/// last, "embedding.weight". `Model` is `Transformer` or `const Transformer`.
template <class Model, class Visit>
void for_each_parameter(Model& model, Visit&& visit);

}  // namespace attn::nn

#include "nn/parameters_visit.h"
