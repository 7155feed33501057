#include "nn/config.h"

namespace attn::nn {
namespace {

constexpr int kMaxLayers = 64;
constexpr int kMaxWidth = 65536;

}  // namespace

core::Status validate(const TransformerConfig& config) {
  struct Range {
    const char* name;
    int value;
    int maximum;
  };
  const Range ranges[] = {
      {"vocabulary", config.vocabulary, 1 << 20},
      {"d_model", config.d_model, kMaxWidth},
      {"n_heads", config.n_heads, kMaxWidth},
      {"n_encoder_layers", config.n_encoder_layers, kMaxLayers},
      {"n_decoder_layers", config.n_decoder_layers, kMaxLayers},
      {"d_ff", config.d_ff, kMaxWidth},
  };
  for (const Range& range : ranges)
    if (range.value < 1 || range.value > range.maximum)
      return core::error_at("%s is %d, must be in [1, %d]", range.name, range.value, range.maximum);
  if (config.d_model % config.n_heads != 0)
    return core::error_at("n_heads is %d, must divide d_model %d", config.n_heads, config.d_model);
  if (!(config.layer_norm_epsilon >= 0.0f && config.layer_norm_epsilon < 1.0f))
    return core::error_at("layer_norm_epsilon is %g, must be in [0, 1)",
                          static_cast<double>(config.layer_norm_epsilon));
  return core::ok_status();
}

}  // namespace attn::nn
