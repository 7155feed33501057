// Contract C1: one causal-masked pass gives the bits of the passes over every prefix, for every tensor in the
// network; and the comparison has the power to see it when the mask is off.
#include <cstdint>
#include <optional>

#include "core/bits.h"
#include "support/catch.h"
#include "support/passes.h"
#include "support/random_model.h"
#include "tape/compare.h"

using namespace attn;

namespace {

constexpr int kLongest = 33;
constexpr int kSourceLength = 7;

nn::TransformerConfig config_of(int n_heads, bool norm_first, int n_layers) {
  return {.vocabulary = 10,
          .d_model = 8,
          .n_heads = n_heads,
          .n_encoder_layers = n_layers,
          .n_decoder_layers = n_layers,
          .d_ff = 20,
          .activation = n_layers % 2 == 0 ? nn::Activation::gelu : nn::Activation::relu,
          .norm_first = norm_first};
}

struct Totals {
  int tensors = 0;
  int compared = 0;
  int different = 0;
};

Totals total(const std::vector<tape::TensorDifference>& differences) {
  Totals totals;
  for (const tape::TensorDifference& difference : differences) {
    ++totals.tensors;
    totals.compared += difference.compared;
    totals.different += difference.different;
  }
  return totals;
}

}  // namespace

TEST_CASE("every tensor of one masked pass equals every prefix pass to the bit") {
  const int n_heads = GENERATE(1, 2, 4, 8);
  const bool norm_first = GENERATE(false, true);
  const int n_layers = GENERATE(1, 2, 3, 4, 5, 6);
  const nn::TransformerConfig config = config_of(n_heads, norm_first, n_layers);
  const auto seed = static_cast<std::uint64_t>(100 * n_heads + 10 * n_layers + (norm_first ? 1 : 0));
  CAPTURE(n_heads, norm_first, n_layers);

  const nn::Transformer model = test::random_transformer(config, seed);
  const std::vector<int> source = test::random_tokens(kSourceLength, config.vocabulary, seed + 1);
  const std::vector<int> target = test::random_tokens(kLongest, config.vocabulary, seed + 2);
  const tape::Tape full = test::run_pass(model, source, target);
  for (int length = 1; length <= kLongest; ++length) {
    const tape::Tape prefix =
        test::run_pass(model, source, std::span(target).first(static_cast<std::size_t>(length)));
    const std::vector<tape::TensorDifference> differences = tape::compare(full, prefix);
    const int first = tape::first_different(differences);
    INFO("prefix " << length << ", first different: "
                   << (first < 0 ? "none"
                                 : tape::to_string(differences[static_cast<std::size_t>(first)].label)));
    const Totals totals = total(differences);
    // Per layer 15 tensors in the encoder and 25 in the decoder, two embeddings, memory and output.
    REQUIRE(totals.tensors == 40 * n_layers + 4);
    REQUIRE(totals.compared > length * config.d_model * totals.tensors / 2);
    REQUIRE(totals.different == 0);
  }
}

TEST_CASE("the default nn.Transformer(8) sizes are equal to the bit as well") {
  const nn::TransformerConfig config;
  const nn::Transformer model = test::random_transformer(config, 5);
  const int source[] = {0, 1, 2, 3, 4};
  const int target[] = {4, 3, 2, 1, 0};
  const tape::Tape full = test::run_pass(model, source, target);
  for (std::size_t length = 1; length <= 5; ++length) {
    const tape::Tape prefix = test::run_pass(model, source, std::span(target).first(length));
    CHECK(total(tape::compare(full, prefix)).different == 0);
  }
}

TEST_CASE("without the mask in the training pass the comparison shows a difference, first in the weights") {
  const int n_heads = GENERATE(1, 2, 4, 8);
  const bool norm_first = GENERATE(false, true);
  const nn::TransformerConfig config = config_of(n_heads, norm_first, 2);
  const nn::Transformer model = test::random_transformer(config, 11);
  const std::vector<int> source = test::random_tokens(kSourceLength, config.vocabulary, 12);
  const std::vector<int> target = test::random_tokens(6, config.vocabulary, 13);
  const tape::Tape unmasked = test::run_pass(model, source, target, test::without_target_mask());
  const tape::Tape prefix = test::run_pass(model, source, std::span(target).first(3));

  const std::vector<tape::TensorDifference> differences = tape::compare(unmasked, prefix);
  const int first = tape::first_different(differences);
  REQUIRE(first >= 0);
  const tape::TensorDifference& difference = differences[static_cast<std::size_t>(first)];
  CHECK(tape::to_string(difference.label) == "decoder.0.self_attention.weights");
  CHECK(difference.largest_difference > 1e-3f);
  CHECK(difference.largest_ulp > 1000);
  for (const tape::TensorDifference& other : differences) {
    if (other.label.stack == tape::Stack::encoder) CHECK(other.equal());
    if (other.label.site == tape::Site::output) CHECK_FALSE(other.equal());
  }
}

TEST_CASE("mask off at inference only: one decoder layer keeps the newest row to the bit, two layers drift") {
  const int n_heads = GENERATE(1, 2, 4, 8);
  const bool norm_first = GENERATE(false, true);
  CAPTURE(n_heads, norm_first);
  for (const int n_layers : {1, 2, 3, 6}) {
    const nn::TransformerConfig config = config_of(n_heads, norm_first, n_layers);
    const nn::Transformer model = test::random_transformer(config, 21);
    const std::vector<int> source = test::random_tokens(kSourceLength, config.vocabulary, 22);
    const std::vector<int> target = test::random_tokens(5, config.vocabulary, 23);
    const tape::Tape full = test::run_pass(model, source, target);
    for (int length = 2; length <= 5; ++length) {
      const tape::Tape prefix =
          test::run_pass(model, source, std::span(target).first(static_cast<std::size_t>(length)),
                         test::without_target_mask());
      CAPTURE(n_layers, length);
      const Totals newest = total(tape::compare(full, prefix, length - 1));
      CHECK((newest.different == 0) == (n_layers == 1));
      CHECK(total(tape::compare(full, prefix)).different > 0);  // earlier rows differ from one layer on
    }
  }
}

TEST_CASE("mask off in training changes every row but the last") {
  const nn::TransformerConfig config = config_of(2, false, 2);
  const nn::Transformer model = test::random_transformer(config, 31);
  const std::vector<int> source = test::random_tokens(kSourceLength, config.vocabulary, 32);
  const std::vector<int> target = test::random_tokens(5, config.vocabulary, 33);
  const tape::Tape masked = test::run_pass(model, source, target);
  const tape::Tape unmasked = test::run_pass(model, source, target, test::without_target_mask());
  const tape::Label weights{tape::Stack::decoder, 0, tape::Block::self_attention, tape::Site::weights};
  for (int row = 0; row < 5; ++row)
    CHECK(tape::compare_tensor(masked, unmasked, weights, row).equal() == (row == 4));
}

TEST_CASE("poking a token leaves every earlier row at 0 ULP and changes its own row and all later ones") {
  const bool norm_first = GENERATE(false, true);
  const nn::TransformerConfig config = config_of(4, norm_first, 3);
  const nn::Transformer model = test::random_transformer(config, 41);
  const std::vector<int> source = test::random_tokens(kSourceLength, config.vocabulary, 42);
  const std::vector<int> target = test::random_tokens(8, config.vocabulary, 43);
  const tape::Tape calm = test::run_pass(model, source, target);
  const tape::Label output{tape::Stack::decoder, -1, tape::Block::none, tape::Site::output};
  for (int position = 0; position < 8; ++position) {
    core::Tensor poke(core::Shape{8, config.d_model});
    for (int j = 0; j < config.d_model; ++j)
      poke.values()[position * config.d_model + j] = 0.1f * static_cast<float>(j % 3 + 1);
    const tape::Tape poked = test::run_pass(model, source, target, {}, &poke);
    for (int row = 0; row < 8; ++row)
      CHECK(tape::compare_tensor(calm, poked, output, row).equal() == (row < position));
    for (int row = 0; row < position; ++row) CHECK(total(tape::compare(calm, poked, row)).different == 0);
  }
}

TEST_CASE("a row that may see no key has weights 0 and context 0, and later layers stay finite") {
  const nn::TransformerConfig config = config_of(2, false, 2);
  const nn::Transformer model = test::random_transformer(config, 51);
  const std::vector<int> source = test::random_tokens(4, config.vocabulary, 52);
  const std::vector<int> target = test::random_tokens(3, config.vocabulary, 53);
  nn::TransformerMasks masks;
  const std::uint8_t visible[] = {1, 0, 0, 0, 0, 0, 1, 0, 1};  // query 1 sees nothing
  masks.target = nn::Mask::matrix(visible, 3, 3);
  const tape::Tape tape = test::run_pass(model, source, target, masks);
  for (int layer = 0; layer < 2; ++layer) {
    const auto tensor = [&](tape::Site site) {
      return tape.tensor(tape.find({tape::Stack::decoder, layer, tape::Block::self_attention, site}));
    };
    const core::TensorView weights = tensor(tape::Site::weights);
    const core::TensorView context = tensor(tape::Site::context);
    for (int head = 0; head < 2; ++head) {
      for (int s = 0; s < 3; ++s) CHECK(core::bits_of(weights.values[(head * 3 + 1) * 3 + s]) == 0u);
      for (int d = 0; d < 4; ++d) CHECK(core::bits_of(context.values[(head * 3 + 1) * 4 + d]) == 0u);
    }
  }
  for (const tape::Entry& entry : tape.entries())
    for (const float value : entry.value.flat()) REQUIRE(value - value == 0.0f);
}
