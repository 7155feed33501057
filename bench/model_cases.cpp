#include <cstddef>
#include <memory>

#include "nn/generate.h"
#include "nn/inference.h"
#include "nn/initialize.h"
#include "nn/transformer.h"
#include "suite.h"

namespace attn::bench {
namespace {

constexpr nn::TransformerConfig kTiny;  // nn.Transformer(d_model=8)
constexpr nn::TransformerConfig kSmall{
    .d_model = 64, .n_heads = 4, .n_encoder_layers = 2, .n_decoder_layers = 2, .d_ff = 256};
constexpr nn::TransformerConfig kBase{.vocabulary = 1000, .d_model = 512};
constexpr nn::TransformerConfig kLayer{.family = nn::Family::encoder_only,
                                       .d_model = 512,
                                       .n_heads = 8,
                                       .n_encoder_layers = 1,
                                       .d_ff = 2048,
                                       .final_norm = false};

std::shared_ptr<nn::Transformer> seeded_model(const nn::TransformerConfig& config) {
  auto model = std::make_shared<nn::Transformer>(nn::make_transformer(config));
  ATTN_CHECK(nn::initialize_like_pytorch(*model, 0).ok());
  return model;
}

/// Of the products of one attention block, `queries` rows of which each sees `keys` keys; the keys' and
/// values' projections are those of `projected` rows.
double attention_flops(const nn::TransformerConfig& config, double queries, double keys, double projected) {
  const double d_model = config.d_model;
  return 4.0 * (queries + projected) * d_model * d_model + 4.0 * queries * keys * d_model;
}

double feed_forward_flops(const nn::TransformerConfig& config, double rows) {
  return 4.0 * rows * config.d_model * config.d_ff;
}

double encoder_flops(const nn::TransformerConfig& config, double rows) {
  return config.n_encoder_layers *
         (attention_flops(config, rows, rows, rows) + feed_forward_flops(config, rows));
}

/// Under a causal mask a row sees half the keys, and half a key more.
double decoder_flops(const nn::TransformerConfig& config, double rows, double memory_rows) {
  return config.n_decoder_layers *
         (attention_flops(config, rows, (rows + 1) / 2, rows) +
          attention_flops(config, rows, memory_rows, memory_rows) + feed_forward_flops(config, rows));
}

/// One pass over source and target of the same length, recorded on a tape that keeps its memory.
Case taped_pass(const char* name, nn::TransformerConfig config, int length) {
  return {name, encoder_flops(config, length) + decoder_flops(config, length, length), true, [=] {
            std::vector<int> tokens;
            for (int i = 0; i < length; ++i) tokens.push_back(i % config.vocabulary);
            return Work([=, model = seeded_model(config), tape = std::make_shared<tape::Tape>()] {
              tape->clear();
              const tape::Value x = nn::embed(*tape, *model, tape::Stack::encoder, tokens);
              const tape::Value y = nn::embed(*tape, *model, tape::Stack::decoder, tokens);
              keep(tape->tensor(nn::transform(*tape, *model, x, y, {})).values[0]);
            });
          }};
}

struct PassState {
  std::shared_ptr<nn::Transformer> model;
  std::vector<float> source, target, memory, output;
  nn::Workspace workspace;
  std::unique_ptr<nn::KvCache> cache;
};

std::shared_ptr<PassState> pass_state(const nn::TransformerConfig& config, int length) {
  auto state = std::make_shared<PassState>();
  state->model = seeded_model(config);
  state->source = numbers(length * config.d_model);
  state->target = numbers(length * config.d_model);
  state->memory = state->output = state->source;
  if (nn::has_decoder(config)) state->cache = std::make_unique<nn::KvCache>(config);
  return state;
}

/// The same pass without a tape, on embedded rows.
Case pass(const char* name, nn::TransformerConfig config, int length) {
  double flops = encoder_flops(config, length);
  if (nn::has_decoder(config)) flops += decoder_flops(config, length, length);
  return {name, flops, true, [=] {
            return Work([=, state = pass_state(config, length)] {
              PassState& at = *state;
              const auto rows = [&](std::vector<float>& values) {
                return core::Matrix{values.data(), length, config.d_model, config.d_model};
              };
              const int counts[] = {length};
              nn::encode(*at.model, rows(at.source), counts, nn::Mask::none(), at.workspace, rows(at.memory));
              if (at.cache == nullptr) return keep(at.memory[0]);
              nn::KvCache* const caches[] = {at.cache.get()};
              at.cache->roll_back(0);
              nn::store_memory(*at.model, rows(at.memory), at.workspace, *at.cache);
              nn::decode(*at.model, rows(at.target), counts, caches, nn::Mask::causal(), nn::Mask::none(),
                         at.workspace, rows(at.output));
              keep(at.output[0]);
            });
          }};
}

/// `count` tokens after a start token, one at a time over a cache; the source has as many and is encoded too.
Case greedy_decode(const char* name, nn::TransformerConfig config, int count) {
  config.output_projection = nn::OutputProjection::tied;
  const double flops = encoder_flops(config, count) + decoder_flops(config, count, count) +
                       2.0 * count * config.d_model * config.vocabulary;
  return {name, flops, true, [=] {
            std::vector<int> source;
            for (int i = 0; i < count; ++i) source.push_back(i % config.vocabulary);
            return Work([=, model = seeded_model(config)] {
              const int start[] = {1};
              const nn::Prompt prompts[] = {{start, source}};
              const auto tokens = nn::generate(*model, prompts, {.max_new_tokens = count});
              keep(static_cast<float>(tokens.value()[0].back()));
            });
          }};
}

}  // namespace

std::vector<Case> model_cases() {
  return {pass("encoder layer d512 h8 ff2048, 128 tokens", kLayer, 128),
          pass("nn.Transformer(8) 6+6, 5/5 tokens", kTiny, 5),
          taped_pass("nn.Transformer(8) 6+6, 5/5 tokens, taped", kTiny, 5),
          pass("d64 h4 2+2 ff256, 16/16 tokens", kSmall, 16),
          taped_pass("d64 h4 2+2 ff256, 16/16 tokens, taped", kSmall, 16),
          greedy_decode("greedy decode of 32 tokens, d512 h8 6+6", kBase, 32)};
}

}  // namespace attn::bench
