// The hyper-parameters of a transformer, with PyTorch's defaults where PyTorch has one. One struct describes
// the three families; a field that a family has no use for is ignored.
#pragma once

#include <cstdint>

#include "core/result.h"

namespace attn::nn {

enum class Family : std::uint8_t {
  encoder_decoder,  // Vaswani et al. 2017: nn.Transformer
  encoder_only,     // the encoder alone (Devlin et al. 2018): nn.TransformerEncoder
  decoder_only,     // a decoder without cross-attention (Radford et al. 2018): nn.TransformerEncoder, causal
};

enum class Activation : std::uint8_t { relu, gelu };

/// What is added to the embedding of position t.
enum class Positions : std::uint8_t {
  none,        // nothing: nn.Embedding alone
  sinusoidal,  // sine and cosine of t, interleaved (Vaswani et al. 2017, §3.5)
  learned,     // row t of a learned table
};

/// How the last stack's output becomes logits over the vocabulary.
enum class OutputProjection : std::uint8_t {
  none,      // there are no logits: nn.Transformer
  tied,      // output · embeddingᵀ, no bias (Press & Wolf 2017)
  separate,  // output · Wᵀ + b with a weight of its own
};

struct TransformerConfig {
  Family family = Family::encoder_decoder;
  int vocabulary = 10;        // rows of the embedding table
  int source_vocabulary = 0;  // rows of the source's own table; 0: source and target share one
  int d_model = 8;            // width of every position's vector
  int n_heads = 8;            // must divide d_model; d_k = d_v = d_model / n_heads
  int n_encoder_layers = 6;   // in [1, 64]
  int n_decoder_layers = 6;   // in [1, 64]
  int d_ff = 2048;            // width of the feed-forward layer
  Activation activation = Activation::relu;
  bool norm_first = false;  // pre-norm (Xiong et al. 2020) instead of post-norm (Vaswani et al. 2017)
  bool final_norm = true;   // a layer norm after each stack
  float layer_norm_epsilon = 1e-5f;
  Positions positions = Positions::none;
  int max_positions = 512;       // rows of the position table, in [1, 65536]
  bool scale_embedding = false;  // times √d_model before positions are added (Vaswani et al. 2017, §3.4)
  OutputProjection output_projection = OutputProjection::none;
  float dropout = 0.1f;  // in [0, 1); acts in training mode only

  bool operator==(const TransformerConfig&) const = default;
};

/// Which stacks and tables a model of this config has.
inline bool has_encoder(const TransformerConfig& config) { return config.family != Family::decoder_only; }
inline bool has_decoder(const TransformerConfig& config) { return config.family != Family::encoder_only; }
inline bool has_cross_attention(const TransformerConfig& config) {
  return config.family == Family::encoder_decoder;
}
inline bool has_source_table(const TransformerConfig& config) {
  return has_cross_attention(config) && config.source_vocabulary > 0;
}

/// Names the first field that is out of range, and the range.
core::Status validate(const TransformerConfig& config);

}  // namespace attn::nn
