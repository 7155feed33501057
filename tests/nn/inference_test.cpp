// Contract C1, "tape recorded or not; fused or unfused": the pass without a tape gives the bits of the taped
// one, whatever the sizes, heads, norms, activations and masks.
#include "nn/inference.h"

#include <algorithm>
#include <array>
#include <string>

#include "kernels/samples.h"
#include "support/catch.h"
#include "support/passes.h"
#include "support/random_model.h"

using namespace attn;
using test::same_bits;

namespace {

/// The rows of one taped pass that the untaped one has to give.
struct Taped {
  std::vector<float> source, target;  // embedded
  std::vector<float> memory, output;
};

std::vector<float> values_of(core::TensorView tensor) {
  return {tensor.values, tensor.values + tensor.size()};
}

Taped run_taped(const nn::Transformer& model, std::span<const int> source, std::span<const int> target,
                const nn::TransformerMasks& masks) {
  tape::Tape tape;
  const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, source);
  const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, target);
  const tape::Value memory = nn::encode(tape, model, x, masks.source);
  const tape::Value output = nn::decode(tape, model, y, memory, masks.target, masks.memory);
  return {values_of(tape.tensor(x)), values_of(tape.tensor(y)), values_of(tape.tensor(memory)),
          values_of(tape.tensor(output))};
}

core::Matrix rows(std::vector<float>& values, int width) {
  return {values.data(), static_cast<int>(values.size()) / width, width, width};
}

/// The same pass without a tape: what Taped::memory and Taped::output hold.
struct Untaped {
  std::vector<float> memory, output;
};

Untaped run_untaped(const nn::Transformer& model, const Taped& taped, const nn::TransformerMasks& masks,
                    nn::Workspace& workspace) {
  const int width = model.config.d_model;
  Untaped result{taped.source, taped.target};
  const core::Matrix memory = rows(result.memory, width);
  const core::Matrix output = rows(result.output, width);
  nn::encode(model, memory, std::array{memory.rows}, masks.source.visible, workspace, memory);
  nn::KvCache cache(model.config);
  nn::store_memory(model, memory, workspace, cache);
  nn::decode(model, output, std::array{output.rows}, std::array{&cache}, masks.target.visible,
             masks.memory.visible, workspace, output);
  return result;
}

nn::Mask random_matrix(int queries, int keys, std::uint64_t seed) {
  test::RandomNumbers numbers(seed);
  std::vector<std::uint8_t> visible(static_cast<std::size_t>(queries * keys));
  for (std::uint8_t& flag : visible) flag = numbers.below(4) > 0 ? 1 : 0;
  return nn::Mask::matrix(visible, queries, keys);
}

struct NamedMasks {
  std::string name;
  nn::TransformerMasks masks;
};

std::vector<NamedMasks> mask_kinds(int n_heads, int sources, int targets, std::uint64_t seed) {
  using nn::Mask;
  std::vector<std::uint8_t> by_head;
  test::RandomNumbers numbers(seed);
  for (int i = 0; i < n_heads * targets * targets; ++i) by_head.push_back(numbers.below(3) > 0 ? 1 : 0);
  const std::vector<std::uint8_t> nothing(static_cast<std::size_t>(targets * targets), 0);
  std::vector<NamedMasks> kinds;
  kinds.push_back({"causal", {}});
  kinds.push_back({"none", {Mask::none(), Mask::none(), Mask::none()}});
  kinds.push_back({"window and padding",
                   {Mask::sliding_window(2, 1), Mask::sliding_window(3, 0),
                    Mask::lengths(std::array{std::max(1, sources - 2)})}});
  kinds.push_back(
      {"left padding",
       {Mask::left_padding(std::array{1}), Mask::causal().and_also(Mask::left_padding(std::array{2})),
        Mask::left_padding(std::array{1})}});
  kinds.push_back({"random matrices",
                   {random_matrix(sources, sources, seed + 1), random_matrix(targets, targets, seed + 2),
                    random_matrix(targets, sources, seed + 3)}});
  kinds.push_back({"a matrix a head, and nobody sees anything",
                   {Mask::none(), Mask::grid(by_head, core::Shape{n_heads, targets, targets}),
                    Mask::matrix(nothing, targets, targets)}});
  return kinds;
}

}  // namespace

TEST_CASE("the untaped pass gives the taped pass's bits for every length, head count, norm and activation") {
  const int n_heads = GENERATE(1, 2, 4, 8);
  const bool norm_first = GENERATE(false, true);
  const nn::Activation activation = GENERATE(nn::Activation::relu, nn::Activation::gelu);
  const nn::TransformerConfig config{.d_model = 8,
                                     .n_heads = n_heads,
                                     .n_encoder_layers = 2,
                                     .n_decoder_layers = 2,
                                     .d_ff = 37,
                                     .activation = activation,
                                     .norm_first = norm_first};
  const nn::Transformer model = test::random_transformer(config, 3);
  nn::Workspace workspace;
  for (const int sources : test::kSizes)
    for (const int targets : test::kSizes) {
      if (sources == 0 || targets == 0) continue;
      CAPTURE(n_heads, norm_first, sources, targets);
      const std::vector<int> source = test::random_tokens(sources, config.vocabulary, 4);
      const std::vector<int> target = test::random_tokens(targets, config.vocabulary, 5);
      const Taped taped = run_taped(model, source, target, {});
      const Untaped untaped = run_untaped(model, taped, {}, workspace);
      REQUIRE(same_bits(untaped.memory, taped.memory));
      REQUIRE(same_bits(untaped.output, taped.output));
    }
}

TEST_CASE("the untaped pass gives the taped pass's bits under every kind of mask") {
  const int n_heads = GENERATE(1, 2, 3, 4, 8, 12);
  const bool norm_first = GENERATE(false, true);
  const nn::TransformerConfig config{.d_model = 24,
                                     .n_heads = n_heads,
                                     .n_encoder_layers = 2,
                                     .n_decoder_layers = 3,
                                     .d_ff = 50,
                                     .activation = nn::Activation::gelu,
                                     .norm_first = norm_first};
  const nn::Transformer model = test::random_transformer(config, 13);
  nn::Workspace workspace;
  for (const auto& [sources, targets] : {std::pair{3, 5}, {7, 1}, {9, 17}, {40, 35}}) {
    const std::vector<int> source = test::random_tokens(sources, config.vocabulary, 14);
    const std::vector<int> target = test::random_tokens(targets, config.vocabulary, 15);
    for (const NamedMasks& kind : mask_kinds(n_heads, sources, targets, 16)) {
      CAPTURE(n_heads, norm_first, sources, targets, kind.name);
      const Taped taped = run_taped(model, source, target, kind.masks);
      const Untaped untaped = run_untaped(model, taped, kind.masks, workspace);
      REQUIRE(same_bits(untaped.memory, taped.memory));
      REQUIRE(same_bits(untaped.output, taped.output));
    }
  }
}

TEST_CASE("the untaped pass gives the taped pass's bits for nn.Transformer(8) and for wider models") {
  const nn::TransformerConfig config =
      GENERATE(nn::TransformerConfig{},
               nn::TransformerConfig{
                   .d_model = 64, .n_heads = 4, .n_encoder_layers = 2, .n_decoder_layers = 2, .d_ff = 256},
               nn::TransformerConfig{.d_model = 100,
                                     .n_heads = 5,
                                     .n_encoder_layers = 1,
                                     .n_decoder_layers = 2,
                                     .d_ff = 300,
                                     .activation = nn::Activation::gelu,
                                     .norm_first = true},
               nn::TransformerConfig{
                   .d_model = 7, .n_heads = 7, .n_encoder_layers = 2, .n_decoder_layers = 1, .d_ff = 1});
  const nn::Transformer model = test::random_transformer(config, 23);
  nn::Workspace workspace;
  for (const int length : {5, 16, 33}) {
    CAPTURE(config.d_model, length);
    const std::vector<int> source = test::random_tokens(length, config.vocabulary, 24);
    const std::vector<int> target = test::random_tokens(length, config.vocabulary, 25);
    const Taped taped = run_taped(model, source, target, {});
    const Untaped untaped = run_untaped(model, taped, {}, workspace);
    REQUIRE(same_bits(untaped.memory, taped.memory));
    REQUIRE(same_bits(untaped.output, taped.output));
  }
}

TEST_CASE("the untaped pass gives the taped pass's bits in all three families, from tokens to logits") {
  const auto family =
      GENERATE(nn::Family::encoder_decoder, nn::Family::encoder_only, nn::Family::decoder_only);
  const bool norm_first = GENERATE(false, true);
  const bool final_norm = GENERATE(false, true);
  const auto projection = GENERATE(nn::OutputProjection::tied, nn::OutputProjection::separate);
  const auto positions = GENERATE(nn::Positions::none, nn::Positions::sinusoidal, nn::Positions::learned);
  const nn::TransformerConfig config{.family = family,
                                     .vocabulary = 11,
                                     .source_vocabulary = 7,
                                     .d_model = 12,
                                     .n_heads = 3,
                                     .n_encoder_layers = 2,
                                     .n_decoder_layers = 2,
                                     .d_ff = 19,
                                     .norm_first = norm_first,
                                     .final_norm = final_norm,
                                     .positions = positions,
                                     .max_positions = 40,
                                     .output_projection = projection};
  const nn::Transformer model = test::random_transformer(config, 43);
  const std::vector<int> source = test::random_tokens(9, 7, 44);
  const std::vector<int> target = test::random_tokens(13, 7, 45);
  nn::Workspace workspace;
  tape::Tape tape;

  const bool from_encoder = family == nn::Family::encoder_only;
  std::vector<float> memory(source.size() * 12);
  tape::Value taped;
  if (nn::has_encoder(config)) {
    taped = nn::encode(tape, model, nn::embed(tape, model, tape::Stack::encoder, source), nn::Mask::none());
    nn::embed(model, tape::Stack::encoder, source, 0, rows(memory, 12));
    nn::encode(model, rows(memory, 12), std::array{9}, nn::Mask::none(), workspace, rows(memory, 12));
    REQUIRE(same_bits(memory, tape.tensor(taped).flat()));
  }
  std::vector<float> output = memory;
  if (!from_encoder) {
    const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, target);
    nn::KvCache cache(config);
    if (family == nn::Family::encoder_decoder) {
      taped = nn::decode(tape, model, y, taped, nn::Mask::causal(), nn::Mask::none());
      nn::store_memory(model, rows(memory, 12), workspace, cache);
    } else {
      taped = nn::decode(tape, model, y, nn::Mask::causal());
    }
    output.resize(target.size() * 12);
    nn::embed(model, tape::Stack::decoder, target, 0, rows(output, 12));
    nn::decode(model, rows(output, 12), std::array{13}, std::array{&cache}, nn::Mask::causal(),
               nn::Mask::none(), workspace, rows(output, 12));
    REQUIRE(same_bits(output, tape.tensor(taped).flat()));
  }
  std::vector<float> logits(output.size() / 12 * 11);
  nn::project_to_vocabulary(model, rows(output, 12), rows(logits, 11));
  REQUIRE(same_bits(logits, tape.tensor(nn::logits(tape, model, taped)).flat()));
}

TEST_CASE("a second untaped pass of no more rows leaves the workspace's memory where it is") {
  const nn::TransformerConfig config{.d_model = 12,
                                     .n_heads = 3,
                                     .n_encoder_layers = 2,
                                     .n_decoder_layers = 2,
                                     .d_ff = 40,
                                     .norm_first = true};
  const nn::Transformer model = test::random_transformer(config, 33);
  const std::vector<int> tokens = test::random_tokens(33, config.vocabulary, 34);
  nn::Workspace workspace;
  const auto memory_of = [&] {
    std::vector<const void*> places;
    for (const std::vector<float>* one :
         {&workspace.input, &workspace.query, &workspace.key, &workspace.value, &workspace.result,
          &workspace.keys, &workspace.attention, &workspace.feed_forward})
      places.push_back(one->data());
    for (const std::vector<nn::SequenceVisibility>* all : {&workspace.self, &workspace.cross})
      for (const nn::SequenceVisibility& one : *all) {
        places.push_back(one.visible.data());
        places.push_back(one.flags.data());
      }
    return places;
  };
  const nn::TransformerMasks masks = mask_kinds(3, 33, 33, 35)[4].masks;
  run_untaped(model, run_taped(model, tokens, tokens, masks), masks, workspace);
  const std::vector<const void*> before = memory_of();
  for (const int length : {33, 5, 16, 33}) {
    const std::span<const int> some = std::span(tokens).first(static_cast<std::size_t>(length));
    const Taped taped = run_taped(model, some, some, masks);
    const Untaped untaped = run_untaped(model, taped, masks, workspace);
    CHECK(same_bits(untaped.output, taped.output));
    CHECK(memory_of() == before);
  }
}
