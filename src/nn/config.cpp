#include "nn/config.h"

namespace attn::nn {
namespace {

constexpr int kMaxLayers = 64;
constexpr int kMaxWidth = 65536;
constexpr int kMaxPositions = 65536;
constexpr int kMaxVocabulary = 1 << 20;

}  // namespace

core::Status validate(const TransformerConfig& config) {
  struct Range {
    const char* name;
    int value;
    int minimum;
    int maximum;
    bool used = true;
  };
  const Range ranges[] = {
      {"vocabulary", config.vocabulary, 1, kMaxVocabulary},
      {"source_vocabulary", config.source_vocabulary, 0, kMaxVocabulary, has_cross_attention(config)},
      {"d_model", config.d_model, 1, kMaxWidth},
      {"n_heads", config.n_heads, 1, kMaxWidth},
      {"n_encoder_layers", config.n_encoder_layers, 1, kMaxLayers, has_encoder(config)},
      {"n_decoder_layers", config.n_decoder_layers, 1, kMaxLayers, has_decoder(config)},
      {"d_ff", config.d_ff, 1, kMaxWidth},
      {"max_positions", config.max_positions, 1, kMaxPositions, config.positions != Positions::none},
  };
  for (const Range& range : ranges)
    if (range.used && (range.value < range.minimum || range.value > range.maximum))
      return core::error_at("%s is %d, must be in [%d, %d]", range.name, range.value, range.minimum,
                            range.maximum);
  if (config.d_model % config.n_heads != 0)
    return core::error_at("n_heads is %d, must divide d_model %d", config.n_heads, config.d_model);
  if (!(config.layer_norm_epsilon >= 0.0f && config.layer_norm_epsilon < 1.0f))
    return core::error_at("layer_norm_epsilon is %g, must be in [0, 1)",
                          static_cast<double>(config.layer_norm_epsilon));
  if (!(config.dropout >= 0.0f && config.dropout < 1.0f))
    return core::error_at("dropout is %g, must be in [0, 1)", static_cast<double>(config.dropout));
  return core::ok_status();
}

}  // namespace attn::nn
