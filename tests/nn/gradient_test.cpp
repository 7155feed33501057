// Gradients through whole models: masks, values used twice, memory. (That they are PyTorch's is a matter of
// tests/conformance.)
#include <algorithm>
#include <cstring>

#include "core/bits.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/passes.h"
#include "support/random_model.h"
#include "tape/backward.h"
#include "tape/ops.h"

using namespace attn;
using tape::Block;
using tape::Gradients;
using tape::Label;
using tape::Site;
using tape::Stack;
using tape::Tape;
using tape::Value;

namespace {

bool is_zero(std::span<const float> values) {
  for (const float value : values)
    if (core::bits_of(value) != 0) return false;
  return true;
}

bool is_finite(std::span<const float> values) {
  for (const float value : values)
    if (value - value != 0.0f) return false;
  return true;
}

std::span<const float> row_of(const core::TensorView& tensor, int row) {
  const auto width = static_cast<std::size_t>(tensor.shape[-1]);
  return tensor.flat().subspan(static_cast<std::size_t>(row) * width, width);
}

struct SmallRun {
  nn::Transformer model;
  std::vector<int> source, target;
  nn::TransformerMasks masks;

  explicit SmallRun(bool norm_first, nn::TransformerMasks given = {}) : masks(std::move(given)) {
    const nn::TransformerConfig config{.d_model = 8,
                                       .n_heads = 2,
                                       .n_encoder_layers = 2,
                                       .n_decoder_layers = 2,
                                       .d_ff = 12,
                                       .activation = nn::Activation::gelu,
                                       .norm_first = norm_first};
    model = test::random_transformer(config, 3);
    source = test::random_tokens(4, config.vocabulary, 4);
    target = test::random_tokens(5, config.vocabulary, 5);
  }

  Tape forward() const { return test::run_pass(model, source, target, masks); }
};

Value last_of(const Tape& tape) { return {static_cast<int>(tape.entries().size()) - 1}; }

Label in_decoder(int layer, Site site) { return {Stack::decoder, layer, Block::self_attention, site}; }

}  // namespace

TEST_CASE("an output row has gradient exactly 0 in everything that the mask hides from it") {
  const bool norm_first = GENERATE(false, true);
  const SmallRun run(norm_first);
  const Tape tape = run.forward();
  const Value output = last_of(tape);
  const Value embedding = tape.find({Stack::decoder, -1, Block::none, Site::embedding});
  Gradients gradients;
  for (int row = 0; row < 5; ++row) {
    std::vector<float> seed(static_cast<std::size_t>(tape.tensor(output).size()), 0.0f);
    for (std::size_t j = 0; j < 8; ++j)
      seed[static_cast<std::size_t>(row) * 8 + j] = 1.0f + static_cast<float>(j);
    tape::backward(tape, output, seed, gradients);
    const core::TensorView dx = gradients.of(embedding);
    for (int other = 0; other < 5; ++other) CHECK(is_zero(row_of(dx, other)) == (other > row));
    for (int layer = 0; layer < 2; ++layer) {
      const core::TensorView ds = gradients.of(tape.find(in_decoder(layer, Site::scores)));
      for (int h = 0; h < 2; ++h)
        for (int t = 0; t < 5; ++t)
          for (int s = t + 1; s < 5; ++s) CHECK(core::bits_of(ds.values[(h * 5 + t) * 5 + s]) == 0);
    }
  }
}

TEST_CASE(
    "a row that sees no key has gradient exactly 0 in scores, query and key, and poisons no other layer") {
  const bool norm_first = GENERATE(false, true);
  std::vector<std::uint8_t> visible(25, 1);
  for (std::size_t s = 0; s < 5; ++s) visible[1 * 5 + s] = 0;  // query 1 sees nothing
  nn::TransformerMasks masks;
  masks.target = nn::Mask::matrix(visible, 5, 5);
  const SmallRun run(norm_first, masks);
  const Tape tape = run.forward();
  const Value output = last_of(tape);
  const std::vector<float> seed(static_cast<std::size_t>(tape.tensor(output).size()), 0.5f);
  Gradients gradients;
  tape::backward(tape, output, seed, gradients);
  for (int layer = 0; layer < 2; ++layer) {
    const core::TensorView scores = gradients.of(tape.find(in_decoder(layer, Site::scores)));
    const core::TensorView query = gradients.of(tape.find(in_decoder(layer, Site::query)));
    for (int h = 0; h < 2; ++h) {
      CHECK(is_zero(row_of(scores, h * 5 + 1)));
      CHECK(is_zero(row_of(query, h * 5 + 1)));
      CHECK_FALSE(is_zero(row_of(query, h * 5 + 2)));
    }
  }
  for (int i = 0; i < static_cast<int>(tape.entries().size()); ++i)
    if (gradients.of({i}).values != nullptr) CHECK(is_finite(gradients.of({i}).flat()));

  // With nothing visible for anybody, keys and queries have no gradient at all; values neither.
  masks.target = nn::Mask::keys(std::vector<std::uint8_t>(5, 0));
  const SmallRun blind(norm_first, masks);
  const Tape dark = blind.forward();
  tape::backward(dark, last_of(dark), seed, gradients);
  for (const Site site : {Site::query, Site::key, Site::value, Site::scores, Site::query_weight,
                          Site::key_weight, Site::value_weight, Site::value_bias})
    CHECK(is_zero(gradients.of(dark.find(in_decoder(1, site))).flat()));
  CHECK(is_finite(gradients.of(dark.find({Stack::decoder, -1, Block::none, Site::embedding})).flat()));
}

TEST_CASE("a value that is used twice collects both gradients") {
  Tape tape;
  core::Tensor x(core::Shape{3});
  for (float& value : x.flat()) value = 2.0f;
  const Value leaf = tape.leaf(x.view(), {});
  const Value doubled = tape::add(tape, leaf, leaf, {});
  const Value tripled = tape::add(tape, doubled, leaf, {});
  Gradients gradients;
  const float seed[] = {1.0f, -2.0f, 0.25f};
  tape::backward(tape, tripled, seed, gradients);
  for (int i = 0; i < 3; ++i) CHECK(gradients.of(leaf).values[i] == 3.0f * seed[i]);
}

TEST_CASE("what the loss does not depend on has no gradient") {
  const SmallRun run(false);
  const Tape tape = run.forward();
  const Value memory = tape.find({Stack::encoder, -1, Block::none, Site::memory});
  const std::vector<float> seed(static_cast<std::size_t>(tape.tensor(memory).size()), 1.0f);
  Gradients gradients;
  tape::backward(tape, memory, seed, gradients);
  CHECK(gradients.of(tape.find({Stack::encoder, -1, Block::none, Site::embedding})).values != nullptr);
  CHECK(gradients.of(tape.find({Stack::encoder, -1, Block::none, Site::tokens})).values == nullptr);
  CHECK(gradients.of(tape.find({Stack::encoder, 0, Block::self_attention, Site::mask})).values == nullptr);
  CHECK(gradients.of(tape.find(in_decoder(0, Site::query))).values == nullptr);
  CHECK(gradients.of(last_of(tape)).values == nullptr);
}

TEST_CASE("gradients of several runs add up in the caller's memory, part by part of a stacked weight") {
  const SmallRun run(true);
  const Tape tape = run.forward();
  const Value output = last_of(tape);
  const std::vector<float> seed(static_cast<std::size_t>(tape.tensor(output).size()), 0.5f);
  Gradients gradients;
  tape::backward(tape, output, seed, gradients);
  const core::Tensor& weight = run.model.decoder[0].self_attention.in_proj_weight;  // (24, 8)
  std::vector<float> sum(static_cast<std::size_t>(weight.size()), 0.0f);
  gradients.accumulate_into(weight.view(), sum);
  const Site parts[] = {Site::query_weight, Site::key_weight, Site::value_weight};
  for (std::size_t part = 0; part < 3; ++part) {
    const core::TensorView own = gradients.of(tape.find(in_decoder(0, parts[part])));
    REQUIRE(own.size() == 64);
    CHECK(std::memcmp(sum.data() + 64 * part, own.values, 64 * sizeof(float)) == 0);
  }
  std::vector<float> twice = sum;
  gradients.accumulate_into(weight.view(), twice);
  for (std::size_t i = 0; i < sum.size(); ++i) CHECK(twice[i] == 2.0f * sum[i]);
}

TEST_CASE("a second way back over a tape of the same size lies in the same memory and has the same bits") {
  const SmallRun run(false);
  const Tape tape = run.forward();
  const Value output = last_of(tape);
  const std::vector<float> seed(static_cast<std::size_t>(tape.tensor(output).size()), 0.5f);
  Gradients gradients;
  tape::backward(tape, output, seed, gradients);
  std::vector<const float*> places;
  std::vector<std::vector<float>> values;
  for (int i = 0; i <= output.index; ++i) {
    const core::TensorView gradient = gradients.of({i});
    places.push_back(gradient.values);
    values.emplace_back(gradient.values == nullptr
                            ? std::vector<float>()
                            : std::vector<float>(gradient.flat().begin(), gradient.flat().end()));
  }
  tape::backward(tape, output, seed, gradients);
  for (int i = 0; i <= output.index; ++i) {
    const core::TensorView gradient = gradients.of({i});
    const auto slot = static_cast<std::size_t>(i);
    REQUIRE(gradient.values == places[slot]);
    if (gradient.values == nullptr) continue;
    CHECK(std::memcmp(gradient.values, values[slot].data(), values[slot].size() * sizeof(float)) == 0);
  }
}
