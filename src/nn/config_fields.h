// The fields of a config by name, for those that write one down and read it back.
#pragma once

#include "nn/config.h"

namespace attn::nn {

/// Calls visit(name, field) for every number and switch, and visit(name, field, count) for every enum with
/// the number of its values. `Config` is TransformerConfig or const TransformerConfig.
template <class Config, class Visit>
void for_each_field(Config& config, Visit&& visit) {
  visit("family", config.family, 3);
  visit("vocabulary", config.vocabulary);
  visit("source_vocabulary", config.source_vocabulary);
  visit("d_model", config.d_model);
  visit("n_heads", config.n_heads);
  visit("n_encoder_layers", config.n_encoder_layers);
  visit("n_decoder_layers", config.n_decoder_layers);
  visit("d_ff", config.d_ff);
  visit("activation", config.activation, 2);
  visit("norm_first", config.norm_first);
  visit("final_norm", config.final_norm);
  visit("layer_norm_epsilon", config.layer_norm_epsilon);
  visit("positions", config.positions, 3);
  visit("max_positions", config.max_positions);
  visit("scale_embedding", config.scale_embedding);
  visit("output_projection", config.output_projection, 3);
  visit("dropout", config.dropout);
}

}  // namespace attn::nn
