#include "support/reference_run.h"

#include "core/bits.h"
#include "nn/initialize.h"
#include "support/passes.h"
#include "support/random_model.h"

namespace attn::test {
namespace {

std::uint64_t hash_of(const tape::Tape& tape, std::uint64_t hash) {
  for (const tape::Entry& entry : tape.entries())
    hash = core::fnv1a(entry.value.values, entry.value.flat().size_bytes(), hash);
  return hash;
}

}  // namespace

std::uint64_t forward_hash() {
  std::uint64_t hash = core::fnv1a("attention playground", 20);
  for (const bool norm_first : {false, true})
    for (const nn::Activation activation : {nn::Activation::relu, nn::Activation::gelu}) {
      const nn::TransformerConfig config{.d_model = 16,
                                         .n_heads = 4,
                                         .n_encoder_layers = 2,
                                         .n_decoder_layers = 2,
                                         .d_ff = 37,
                                         .activation = activation,
                                         .norm_first = norm_first};
      const nn::Transformer model = random_transformer(config, 71);
      const std::vector<int> source = random_tokens(9, config.vocabulary, 72);
      const std::vector<int> target = random_tokens(13, config.vocabulary, 73);
      hash = hash_of(run_pass(model, source, target), hash);
      hash = hash_of(run_pass(model, source, target, without_target_mask()), hash);
    }
  nn::Transformer seeded = nn::make_transformer({});
  ATTN_CHECK(nn::initialize_like_pytorch(seeded, 0).ok());
  const int source[] = {0, 1, 2, 3, 4};
  const int target[] = {4, 3, 2, 1, 0};
  return hash_of(run_pass(seeded, source, target), hash);
}

std::uint64_t reference_hash() {
  const std::uint64_t parts[] = {forward_hash(), training_hash(), generation_hash()};
  return core::fnv1a(parts, sizeof parts);
}

}  // namespace attn::test
