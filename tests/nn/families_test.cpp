// The three families of model from one set of functions, and what a batch has in common with its sequences
// alone.
#include <algorithm>
#include <string>
#include <vector>

#include "core/bits.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/random_model.h"
#include "tape/compare.h"

using namespace attn;
using core::TensorView;
using tape::Stack;
using tape::Tape;
using tape::Value;

namespace {

constexpr int kVocabulary = 9;

nn::TransformerConfig config_of(nn::Family family) {
  return {.family = family,
          .vocabulary = kVocabulary,
          .d_model = 12,
          .n_heads = 3,
          .n_encoder_layers = 2,
          .n_decoder_layers = 2,
          .d_ff = 19,
          .positions = nn::Positions::learned,
          .max_positions = 40,
          .output_projection = nn::OutputProjection::separate};
}

std::vector<nn::TransformerConfig> variants(nn::Family family) {
  std::vector<nn::TransformerConfig> configs;
  for (const bool norm_first : {false, true})
    for (const bool final_norm : {false, true})
      for (const nn::OutputProjection projection :
           {nn::OutputProjection::tied, nn::OutputProjection::separate})
        for (const nn::Positions positions :
             {nn::Positions::none, nn::Positions::sinusoidal, nn::Positions::learned}) {
          nn::TransformerConfig config = config_of(family);
          config.norm_first = norm_first;
          config.final_norm = final_norm;
          config.output_projection = projection;
          config.positions = positions;
          configs.push_back(config);
        }
  return configs;
}

/// Logits of one sequence of a decoder-only model.
Tape decoder_only_pass(const nn::Transformer& model, std::span<const int> tokens) {
  Tape tape;
  const Value x = nn::embed(tape, model, Stack::decoder, tokens);
  nn::logits(tape, model, nn::decode(tape, model, x, nn::Mask::causal()));
  return tape;
}

std::span<const float> row_of(const TensorView& tensor, int row) {
  const int width = tensor.shape[-1];
  return tensor.flat().subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width));
}

using core::same_bits;

}  // namespace

TEST_CASE("a decoder-only model gives every prefix the rows of the whole sequence, to the bit") {
  for (const nn::TransformerConfig& config : variants(nn::Family::decoder_only)) {
    const nn::Transformer model = test::random_transformer(config, 5);
    const std::vector<int> tokens = test::random_tokens(11, kVocabulary, 6);
    const Tape whole = decoder_only_pass(model, tokens);
    for (int length = 1; length <= 11; ++length) {
      const Tape prefix = decoder_only_pass(model, std::span(tokens).first(static_cast<std::size_t>(length)));
      const auto differences = tape::compare(whole, prefix);
      CHECK(differences.size() > 20);
      CHECK(tape::first_different(differences) == -1);
    }
  }
}

TEST_CASE("an encoder-only model without a mask looks both ways, with a causal one only back") {
  const nn::Transformer model = test::random_transformer(config_of(nn::Family::encoder_only), 7);
  const std::vector<int> tokens = test::random_tokens(6, kVocabulary, 8);
  std::vector<int> changed = tokens;
  changed.back() = (changed.back() + 1) % kVocabulary;
  const auto pass = [&](std::span<const int> ids, const nn::Mask& mask) {
    Tape tape;
    const Value memory = nn::encode(tape, model, nn::embed(tape, model, Stack::encoder, ids), mask);
    const Value logits = nn::logits(tape, model, memory);
    CHECK(tape::to_string(tape.entry(logits).label) == "encoder.logits");
    CHECK(tape.tensor(logits).shape == core::Shape{6, kVocabulary});
    return std::vector<float>(tape.tensor(logits).flat().begin(), tape.tensor(logits).flat().end());
  };
  const auto rows_kept = [&](const nn::Mask& mask) {
    const auto before = pass(tokens, mask);
    const auto after = pass(changed, mask);
    int kept = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t)
      kept += same_bits(std::span(before).subspan(t * kVocabulary, kVocabulary),
                        std::span(after).subspan(t * kVocabulary, kVocabulary))
                  ? 1
                  : 0;
    return kept;
  };
  CHECK(rows_kept(nn::Mask::none()) == 0);
  CHECK(rows_kept(nn::Mask::causal()) == 5);
}

TEST_CASE(
    "tied logits are the dot products with the embedding's rows, separate ones have a weight and a bias") {
  for (const nn::OutputProjection projection : {nn::OutputProjection::tied, nn::OutputProjection::separate}) {
    nn::TransformerConfig config = config_of(nn::Family::decoder_only);
    config.output_projection = projection;
    const bool tied = projection == nn::OutputProjection::tied;
    const nn::Transformer model = test::random_transformer(config, 9);
    const Tape tape = decoder_only_pass(model, test::random_tokens(4, kVocabulary, 10));
    const TensorView output =
        tape.tensor(tape.find({Stack::decoder, -1, tape::Block::none, tape::Site::output}));
    const TensorView logits =
        tape.tensor(tape.find({Stack::decoder, -1, tape::Block::none, tape::Site::logits}));
    const TensorView weight = tied ? model.embedding.view() : model.output.weight.view();
    for (int t = 0; t < 4; ++t)
      for (int word = 0; word < kVocabulary; ++word) {
        float sum = 0.0f;
        for (int d = 0; d < config.d_model; ++d)
          sum += row_of(output, t)[static_cast<std::size_t>(d)] *
                 row_of(weight, word)[static_cast<std::size_t>(d)];
        if (!tied) sum += model.output.bias.flat()[static_cast<std::size_t>(word)];
        CHECK(core::bits_of(row_of(logits, t)[static_cast<std::size_t>(word)]) == core::bits_of(sum));
      }
  }
}

TEST_CASE("an embedding is its table's row plus its position's, and the source may have a table of its own") {
  for (const nn::Positions positions : {nn::Positions::learned, nn::Positions::sinusoidal}) {
    nn::TransformerConfig config = config_of(nn::Family::encoder_decoder);
    config.source_vocabulary = 4;
    config.positions = positions;
    const nn::Transformer model = test::random_transformer(config, 11);
    const int ids[] = {3, 0, 3};
    const int places[] = {7, 0, 39};
    Tape tape;
    const TensorView source = tape.tensor(nn::embed(tape, model, Stack::encoder, {ids, 1, places}));
    const TensorView target = tape.tensor(nn::embed(tape, model, Stack::decoder, ids));
    CHECK(source.shape == core::Shape{1, 3, 12});
    CHECK(target.shape == core::Shape{3, 12});
    for (int t = 0; t < 3; ++t)
      for (std::size_t d = 0; d < 12; ++d) {
        const auto at = [&](const core::Tensor& table, int row) { return row_of(table.view(), row)[d]; };
        CHECK(row_of(source, t)[d] ==
              at(model.source_embedding, ids[t]) + at(model.position_table, places[t]));
        CHECK(row_of(target, t)[d] == at(model.embedding, ids[t]) + at(model.position_table, t));
      }
  }
}

TEST_CASE("a batch gives every sequence the bits it has alone, padded on the right or on the left") {
  constexpr int kLengths[] = {8, 6, 9, 1};
  constexpr int kPadded = 9;
  constexpr int kBatch = 4;
  for (const nn::TransformerConfig& config : variants(nn::Family::decoder_only))
    for (const bool left : {false, true}) {
      const nn::Transformer model = test::random_transformer(config, 12);
      std::vector<int> ids(kBatch * kPadded, 0);
      std::vector<int> places(ids.size(), 0);
      std::vector<int> padding;
      std::vector<std::vector<int>> sequences;
      for (int b = 0; b < kBatch; ++b) {
        sequences.push_back(
            test::random_tokens(kLengths[b], kVocabulary, 20 + static_cast<std::uint64_t>(b)));
        padding.push_back(kPadded - kLengths[b]);
        for (int t = 0; t < kLengths[b]; ++t) {
          const auto slot = static_cast<std::size_t>(b * kPadded + t + (left ? padding.back() : 0));
          ids[slot] = sequences.back()[static_cast<std::size_t>(t)];
          places[slot] = t;
        }
      }
      const nn::Mask there = left ? nn::Mask::left_padding(padding) : nn::Mask::lengths(kLengths);
      Tape tape;
      const Value x = nn::embed(tape, model, Stack::decoder, {ids, kBatch, places});
      const Value logits =
          nn::logits(tape, model, nn::decode(tape, model, x, nn::Mask::causal().and_also(there)));
      CHECK(tape.tensor(logits).shape == core::Shape{kBatch, kPadded, kVocabulary});
      for (int b = 0; b < kBatch; ++b) {
        const Tape alone = decoder_only_pass(model, sequences[static_cast<std::size_t>(b)]);
        const TensorView expected = alone.tensor(alone.find(tape.entry(logits).label));
        for (int t = 0; t < kLengths[b]; ++t) {
          const int row = b * kPadded + t + (left ? padding[static_cast<std::size_t>(b)] : 0);
          INFO("sequence " << b << " row " << t << (left ? " left" : " right"));
          CHECK(same_bits(row_of(tape.tensor(logits), row), row_of(expected, t)));
        }
      }
    }
}
