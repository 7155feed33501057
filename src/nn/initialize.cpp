#include "nn/initialize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "kernels/scalar_math.h"

namespace attn::nn {
namespace {

using core::TorchGenerator;

constexpr std::size_t kBlock = 16;

float rounded(double value) { return static_cast<float>(value); }

// One block of Box-Muller in place, with float32 intermediates where PyTorch has them.
void transform_block(float* values) {
  constexpr float kTwoPi = 2.0f * std::numbers::pi_v<float>;
  for (std::size_t j = 0; j < kBlock / 2; ++j) {
    const float u1 = 1.0f - values[j];  // in (0, 1]
    const float u2 = values[j + kBlock / 2];
    const float radius = std::sqrt(-2.0f * rounded(kernels::log(static_cast<double>(u1))));
    const auto angle = static_cast<double>(kTwoPi * u2);
    values[j] = radius * rounded(kernels::cos(angle));
    values[j + kBlock / 2] = radius * rounded(kernels::sin(angle));
  }
}

void draw_block(std::span<float> block, TorchGenerator& generator) {
  for (float& value : block) value = generator.uniform_float();
}

void fill_few_normals(std::span<float> values, TorchGenerator& generator) {
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const double u = generator.uniform_double();
    const double v = generator.uniform_double();
    const double radius = std::sqrt(-2.0 * kernels::log(1.0 - v));
    const double angle = 2.0 * std::numbers::pi * u;
    values[i] = rounded(radius * kernels::cos(angle));
    if (i + 1 < values.size()) values[i + 1] = rounded(radius * kernels::sin(angle));
  }
}

// nn.init.xavier_uniform_: U(-a, a), a = sqrt(3)·sqrt(2 / (in + out)) (Glorot and Bengio 2010, eq. 16).
void fill_xavier(core::Tensor& weight, TorchGenerator& generator) {
  const double fans = static_cast<double>(weight.shape()[0]) + static_cast<double>(weight.shape()[1]);
  const float bound = rounded(std::sqrt(3.0) * std::sqrt(2.0 / fans));
  core::fill_uniform(weight.flat(), -bound, bound, generator);
}

// What survives from the construction of a layer: the feed-forward biases.
struct FeedForwardBiases {
  std::vector<float> linear1, linear2;
};

// The constructor of nn.Linear(in, out): the weight, which is redrawn later, then the bias U(±1/sqrt(in)).
std::vector<float> construct_linear(int in, int out, TorchGenerator& generator) {
  generator.skip(static_cast<std::uint64_t>(in) * static_cast<std::uint64_t>(out));
  std::vector<float> bias(static_cast<std::size_t>(out));
  const float bound = rounded(1.0 / std::sqrt(static_cast<double>(in)));
  core::fill_uniform(bias, -bound, bound, generator);
  return bias;
}

// The constructor of nn.Linear, kept: weight and bias U(±1/sqrt(in)) (Kaiming with a = sqrt 5).
void fill_linear(Linear& linear, TorchGenerator& generator) {
  const float bound = rounded(1.0 / std::sqrt(static_cast<double>(linear.weight.shape()[1])));
  core::fill_uniform(linear.weight.flat(), -bound, bound, generator);
  core::fill_uniform(linear.bias.flat(), -bound, bound, generator);
}

// The constructor of one encoder layer (one attention) or decoder layer (two).
FeedForwardBiases construct_layer(const TransformerConfig& config, int n_attentions,
                                  TorchGenerator& generator) {
  const auto d_model = static_cast<std::uint64_t>(config.d_model);
  for (int i = 0; i < n_attentions; ++i) {
    construct_linear(config.d_model, config.d_model, generator);  // out_proj; its bias is set to 0 later
    generator.skip(3 * d_model * d_model);                        // in_proj_weight
  }
  FeedForwardBiases biases;
  biases.linear1 = construct_linear(config.d_model, config.d_ff, generator);
  biases.linear2 = construct_linear(config.d_ff, config.d_model, generator);
  return biases;
}

void copy_biases(const FeedForwardBiases& biases, FeedForward& feed_forward) {
  std::copy(biases.linear1.begin(), biases.linear1.end(), feed_forward.linear1.bias.values());
  std::copy(biases.linear2.begin(), biases.linear2.end(), feed_forward.linear2.bias.values());
}

}  // namespace

void fill_normal(std::span<float> values, TorchGenerator& generator) {
  if (values.size() < kBlock) return fill_few_normals(values, generator);
  draw_block(values, generator);
  for (std::size_t i = 0; i + kBlock <= values.size(); i += kBlock) transform_block(values.data() + i);
  if (values.size() % kBlock != 0) {
    const std::span<float> tail = values.last(kBlock);
    draw_block(tail, generator);
    transform_block(tail.data());
  }
}

core::Status initialize_like_pytorch(Transformer& model, std::uint32_t seed) {
  const TransformerConfig& config = model.config;
  if (core::Status valid = validate(config); !valid.ok()) return valid;
  TorchGenerator generator(seed);
  fill_normal(model.embedding.flat(), generator);
  if (has_source_table(config)) fill_normal(model.source_embedding.flat(), generator);
  if (config.positions == Positions::learned) fill_normal(model.position_table.flat(), generator);
  // Each stack is made of copies of one constructed layer.
  FeedForwardBiases encoder, decoder;
  if (has_encoder(config)) encoder = construct_layer(config, 1, generator);
  if (has_decoder(config)) decoder = construct_layer(config, has_cross_attention(config) ? 2 : 1, generator);
  for_each_parameter(model, [&](std::string_view name, core::Tensor& tensor) {
    const bool in_a_stack = name.starts_with("encoder.") || name.starts_with("decoder.");
    if (!in_a_stack) return;
    if (tensor.shape().rank() > 1) return fill_xavier(tensor, generator);
    const bool is_scale = name.ends_with(".weight");  // the only weights of rank 1 are layer norms'
    std::fill(tensor.flat().begin(), tensor.flat().end(), is_scale ? 1.0f : 0.0f);
  });
  for (EncoderLayer& layer : model.encoder) copy_biases(encoder, layer.feed_forward);
  for (DecoderLayer& layer : model.decoder) copy_biases(decoder, layer.feed_forward);
  if (config.output_projection == OutputProjection::separate) fill_linear(model.output, generator);
  pack_weights(model);
  return core::ok_status();
}

}  // namespace attn::nn
