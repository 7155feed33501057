// The part of the reference run that writes.
#include <vector>

#include "core/bits.h"
#include "nn/generate.h"
#include "support/random_model.h"
#include "support/reference_run.h"

namespace attn::test {
namespace {

constexpr int kTokens = 64;

nn::TransformerConfig config_of(nn::Family family) {
  return {.family = family,
          .vocabulary = 17,
          .d_model = 16,
          .n_heads = 4,
          .n_encoder_layers = 2,
          .n_decoder_layers = 2,
          .d_ff = 29,
          .norm_first = family == nn::Family::decoder_only,
          .positions = nn::Positions::sinusoidal,
          .max_positions = kTokens + 8,
          .output_projection = nn::OutputProjection::separate};
}

std::uint64_t generate(nn::Family family, std::uint64_t hash) {
  const nn::TransformerConfig config = config_of(family);
  const nn::Transformer model = random_transformer(config, 51);
  const std::vector<int> prompt = random_tokens(3, config.vocabulary, 52);
  const std::vector<int> source =
      family == nn::Family::decoder_only ? std::vector<int>{} : random_tokens(5, config.vocabulary, 53);
  const nn::Prompt prompts[] = {{prompt, source}};
  core::Result<nn::Generation> run = nn::Generation::start(
      model, prompts,
      {.max_new_tokens = kTokens, .sampling = {.temperature = 0.8f, .top_k = 9, .top_p = 0.95f, .seed = 5}});
  ATTN_CHECK(run.ok());
  while (!run.value().finished()) {
    run.value().look();
    const std::span<const float> logits = run.value().logits(0);
    hash = core::fnv1a(logits.data(), logits.size_bytes(), hash);
    run.value().step();
  }
  const std::span<const int> tokens = run.value().new_tokens(0);
  ATTN_CHECK(tokens.size() == kTokens);
  return core::fnv1a(tokens.data(), tokens.size_bytes(), hash);
}

}  // namespace

std::uint64_t generation_hash() {
  const std::uint64_t hash = generate(nn::Family::decoder_only, core::fnv1a("generation", 10));
  return generate(nn::Family::encoder_decoder, hash);
}

}  // namespace attn::test
