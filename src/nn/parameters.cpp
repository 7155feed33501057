#include "nn/parameters.h"

#include <algorithm>

#include "nn/positions.h"

namespace attn::nn {
namespace {

using core::Shape;
using core::Tensor;

Linear make_linear(int out, int in) { return {Tensor(Shape{out, in}), Tensor(Shape{out}), {}}; }

LayerNorm make_norm(int width) {
  LayerNorm norm{Tensor(Shape{width}), Tensor(Shape{width})};
  std::fill_n(norm.scale.values(), width, 1.0f);
  return norm;
}

MultiHeadAttention make_attention(int d_model) {
  return {Tensor(Shape{3 * d_model, d_model}),
          Tensor(Shape{3 * d_model}),
          make_linear(d_model, d_model),
          {},
          {},
          {}};
}

FeedForward make_feed_forward(const TransformerConfig& config) {
  return {make_linear(config.d_ff, config.d_model), make_linear(config.d_model, config.d_ff)};
}

/// Zeros to be learned, or the sinusoids.
Tensor make_position_table(const TransformerConfig& config) {
  Tensor table(Shape{config.max_positions, config.d_model});
  if (config.positions == Positions::sinusoidal)
    fill_sinusoids(0, {}, {table.values(), config.max_positions, config.d_model, config.d_model});
  return table;
}

DecoderLayer make_decoder_layer(const TransformerConfig& config) {
  DecoderLayer layer;
  layer.self_attention = make_attention(config.d_model);
  layer.feed_forward = make_feed_forward(config);
  layer.norm1 = make_norm(config.d_model);
  layer.norm3 = make_norm(config.d_model);
  if (has_cross_attention(config)) {
    layer.cross_attention = make_attention(config.d_model);
    layer.norm2 = make_norm(config.d_model);
  }
  return layer;
}

void pack(Linear& linear) { kernels::pack_transposed(core::as_matrix(linear.weight.view()), linear.packed); }

void pack(MultiHeadAttention& attention) {
  const core::TensorView weight = attention.in_proj_weight.view();
  const int d_model = weight.shape[1];
  kernels::PackedMatrix* const packed[] = {&attention.packed_query, &attention.packed_key,
                                           &attention.packed_value};
  for (int part = 0; part < 3; ++part)
    kernels::pack_transposed(core::as_matrix(core::rows_of(weight, part * d_model, d_model)), *packed[part]);
  pack(attention.out_proj);
}

void pack(FeedForward& feed_forward) {
  pack(feed_forward.linear1);
  pack(feed_forward.linear2);
}

}  // namespace

Transformer make_transformer(const TransformerConfig& config) {
  ATTN_CHECK(validate(config).ok());
  const int d_model = config.d_model;
  Transformer model;
  model.config = config;
  model.embedding = Tensor(Shape{config.vocabulary, d_model});
  if (has_source_table(config)) model.source_embedding = Tensor(Shape{config.source_vocabulary, d_model});
  if (config.positions != Positions::none) model.position_table = make_position_table(config);
  if (has_encoder(config)) {
    for (int i = 0; i < config.n_encoder_layers; ++i)
      model.encoder.push_back(EncoderLayer{make_attention(d_model), make_feed_forward(config),
                                           make_norm(d_model), make_norm(d_model)});
    if (config.final_norm) model.encoder_norm = make_norm(d_model);
  }
  if (has_decoder(config)) {
    for (int i = 0; i < config.n_decoder_layers; ++i) model.decoder.push_back(make_decoder_layer(config));
    if (config.final_norm) model.decoder_norm = make_norm(d_model);
  }
  if (config.output_projection == OutputProjection::separate)
    model.output = make_linear(config.vocabulary, d_model);
  return model;
}

void pack_weights(Transformer& model) {
  for (EncoderLayer& layer : model.encoder) {
    pack(layer.self_attention);
    pack(layer.feed_forward);
  }
  const bool has_cross = has_cross_attention(model.config);
  for (DecoderLayer& layer : model.decoder) {
    pack(layer.self_attention);
    if (has_cross) pack(layer.cross_attention);
    pack(layer.feed_forward);
  }
  const OutputProjection projection = model.config.output_projection;
  if (projection == OutputProjection::separate) pack(model.output);
  if (projection == OutputProjection::tied)
    kernels::pack_transposed(core::as_matrix(model.embedding.view()), model.output.packed);
}

void pack_weights(Linear& linear) { pack(linear); }

int parameter_count(const Transformer& model) {
  int count = 0;
  for_each_parameter(model, [&](std::string_view, const Tensor& tensor) { count += tensor.size(); });
  return count;
}

}  // namespace attn::nn
