#include <cstddef>
#include <memory>

#include "nn/initialize.h"
#include "nn/transformer.h"
#include "suite.h"

namespace attn::bench {
namespace {

std::shared_ptr<nn::Transformer> seeded_model(const nn::TransformerConfig& config) {
  auto model = std::make_shared<nn::Transformer>(nn::make_transformer(config));
  ATTN_CHECK(nn::initialize_like_pytorch(*model, 0).ok());
  return model;
}

std::vector<int> tokens_of(const nn::TransformerConfig& config, int length) {
  std::vector<int> tokens;
  for (int i = 0; i < length; ++i) tokens.push_back(i % config.vocabulary);
  return tokens;
}

Case taped_pass(const char* name, nn::TransformerConfig config, int length) {
  return {name, 0.0, true, [=] {
            return Work([=, model = seeded_model(config), tokens = tokens_of(config, length),
                         tape = std::make_shared<tape::Tape>()] {
              tape->clear();
              const tape::Value x = nn::embed(*tape, *model, tape::Stack::encoder, tokens);
              const tape::Value y = nn::embed(*tape, *model, tape::Stack::decoder, tokens);
              keep(tape->tensor(nn::transform(*tape, *model, x, y, {})).values[0]);
            });
          }};
}

}  // namespace

std::vector<Case> model_cases() {
  const nn::TransformerConfig small{
      .d_model = 64, .n_heads = 4, .n_encoder_layers = 2, .n_decoder_layers = 2, .d_ff = 256};
  return {taped_pass("nn.Transformer(8) 6+6, 5/5 tokens, taped", {}, 5),
          taped_pass("d64 h4 2+2 ff256, 16/16 tokens, taped", small, 16)};
}

}  // namespace attn::bench
