// The body of for_each_parameter; include nn/parameters.h instead.
#pragma once

#include <string>

#include "nn/parameters.h"

namespace attn::nn {
namespace visit_detail {

template <class LinearLike, class Visit>
void visit_linear(LinearLike& linear, const std::string& prefix, Visit&& visit) {
  visit(std::string_view(prefix + ".weight"), linear.weight);
  visit(std::string_view(prefix + ".bias"), linear.bias);
}

template <class NormLike, class Visit>
void visit_norm(NormLike& norm, const std::string& prefix, Visit&& visit) {
  visit(std::string_view(prefix + ".weight"), norm.scale);
  visit(std::string_view(prefix + ".bias"), norm.shift);
}

template <class AttentionLike, class Visit>
void visit_attention(AttentionLike& attention, const std::string& prefix, Visit&& visit) {
  visit(std::string_view(prefix + ".in_proj_weight"), attention.in_proj_weight);
  visit(std::string_view(prefix + ".in_proj_bias"), attention.in_proj_bias);
  visit_linear(attention.out_proj, prefix + ".out_proj", visit);
}

template <class FeedForwardLike, class Visit>
void visit_feed_forward(FeedForwardLike& feed_forward, const std::string& prefix, Visit&& visit) {
  visit_linear(feed_forward.linear1, prefix + ".linear1", visit);
  visit_linear(feed_forward.linear2, prefix + ".linear2", visit);
}

template <class LayerLike, class Visit>
void visit_decoder_layer(LayerLike& layer, bool has_cross, const std::string& prefix, Visit&& visit) {
  visit_attention(layer.self_attention, prefix + ".self_attn", visit);
  if (has_cross) visit_attention(layer.cross_attention, prefix + ".multihead_attn", visit);
  visit_feed_forward(layer.feed_forward, prefix, visit);
  visit_norm(layer.norm1, prefix + ".norm1", visit);
  if (has_cross) visit_norm(layer.norm2, prefix + ".norm2", visit);
  visit_norm(layer.norm3, prefix + (has_cross ? ".norm3" : ".norm2"), visit);
}

}  // namespace visit_detail

template <class Model, class Visit>
void for_each_parameter(Model& model, Visit&& visit) {
  using namespace visit_detail;
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.encoder.size(); ++i) {
    const std::string prefix = "encoder.layers." + std::to_string(i);
    auto& layer = model.encoder[i];
    visit_attention(layer.self_attention, prefix + ".self_attn", visit);
    visit_feed_forward(layer.feed_forward, prefix, visit);
    visit_norm(layer.norm1, prefix + ".norm1", visit);
    visit_norm(layer.norm2, prefix + ".norm2", visit);
  }
  if (has_encoder(config) && config.final_norm) visit_norm(model.encoder_norm, "encoder.norm", visit);
  for (std::size_t i = 0; i < model.decoder.size(); ++i)
    visit_decoder_layer(model.decoder[i], has_cross_attention(config), "decoder.layers." + std::to_string(i),
                        visit);
  if (has_decoder(config) && config.final_norm) visit_norm(model.decoder_norm, "decoder.norm", visit);
  visit(std::string_view("embedding.weight"), model.embedding);
  if (has_source_table(config)) visit(std::string_view("source_embedding.weight"), model.source_embedding);
  if (config.positions == Positions::learned)
    visit(std::string_view("position.weight"), model.position_table);
  if (config.output_projection == OutputProjection::separate) visit_linear(model.output, "output", visit);
}

}  // namespace attn::nn
