#include "support/random_model.h"

#include <cmath>

namespace attn::test {

std::uint64_t RandomNumbers::next() {
  state_ += 0x9e3779b97f4a7c15ull;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

float RandomNumbers::uniform() { return static_cast<float>(next() >> 40) * 0x1p-23f - 1.0f; }

int RandomNumbers::below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }

nn::Transformer random_transformer(const nn::TransformerConfig& config, std::uint64_t seed) {
  nn::Transformer model = nn::make_transformer(config);
  RandomNumbers numbers(seed);
  nn::for_each_parameter(model, [&](std::string_view name, core::Tensor& tensor) {
    const bool is_matrix = tensor.shape().rank() == 2;
    const bool is_norm_scale = name.find("norm") != std::string_view::npos && name.ends_with("weight");
    const bool is_table = name == "embedding.weight";
    const float scale = is_table    ? 1.5f
                        : is_matrix ? 1.7f / std::sqrt(static_cast<float>(tensor.shape()[1]))
                                    : 0.4f;
    for (float& value : tensor.flat()) value = scale * numbers.uniform() + (is_norm_scale ? 1.0f : 0.0f);
  });
  nn::pack_weights(model);
  return model;
}

std::vector<int> random_tokens(int length, int vocabulary, std::uint64_t seed) {
  RandomNumbers numbers(seed);
  std::vector<int> tokens;
  for (int i = 0; i < length; ++i) tokens.push_back(numbers.below(vocabulary));
  return tokens;
}

}  // namespace attn::test
