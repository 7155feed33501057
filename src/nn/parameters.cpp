#include "nn/parameters.h"

#include <algorithm>

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
  Transformer model;
  model.config = config;
  model.embedding = Tensor(Shape{config.vocabulary, config.d_model});
  for (int i = 0; i < config.n_encoder_layers; ++i)
    model.encoder.push_back(EncoderLayer{make_attention(config.d_model), make_feed_forward(config),
                                         make_norm(config.d_model), make_norm(config.d_model)});
  for (int i = 0; i < config.n_decoder_layers; ++i)
    model.decoder.push_back(DecoderLayer{make_attention(config.d_model), make_attention(config.d_model),
                                         make_feed_forward(config), make_norm(config.d_model),
                                         make_norm(config.d_model), make_norm(config.d_model)});
  model.encoder_norm = make_norm(config.d_model);
  model.decoder_norm = make_norm(config.d_model);
  return model;
}

void pack_weights(Transformer& model) {
  for (EncoderLayer& layer : model.encoder) {
    pack(layer.self_attention);
    pack(layer.feed_forward);
  }
  for (DecoderLayer& layer : model.decoder) {
    pack(layer.self_attention);
    pack(layer.cross_attention);
    pack(layer.feed_forward);
  }
}

int parameter_count(const Transformer& model) {
  int count = 0;
  for_each_parameter(model, [&](std::string_view, const Tensor& tensor) { count += tensor.size(); });
  return count;
}

}  // namespace attn::nn
