// The hyper-parameters of an encoder-decoder transformer, with PyTorch's defaults where PyTorch has one.
#pragma once

#include <cstdint>

#include "core/result.h"

namespace attn::nn {

enum class Activation : std::uint8_t { relu, gelu };

struct TransformerConfig {
  int vocabulary = 10;       // rows of the embedding table shared by source and target
  int d_model = 8;           // width of every position's vector
  int n_heads = 8;           // must divide d_model; d_k = d_v = d_model / n_heads
  int n_encoder_layers = 6;  // in [1, 64]
  int n_decoder_layers = 6;  // in [1, 64]
  int d_ff = 2048;           // width of the feed-forward layer
  Activation activation = Activation::relu;
  bool norm_first = false;  // pre-norm (Xiong et al. 2020) instead of post-norm (Vaswani et al. 2017)
  float layer_norm_epsilon = 1e-5f;

  bool operator==(const TransformerConfig&) const = default;
};

/// Names the first field that is out of range, and the range.
core::Status validate(const TransformerConfig& config);

}  // namespace attn::nn
