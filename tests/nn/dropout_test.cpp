#include "nn/dropout.h"

#include <cmath>
#include <vector>

#include "core/bits.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/random_model.h"
#include "tape/backward.h"

using namespace attn;
using tape::Stack;
using tape::Tape;
using tape::Value;

namespace {

constexpr nn::TransformerConfig kConfig{
    .d_model = 8, .n_heads = 2, .n_encoder_layers = 2, .n_decoder_layers = 2, .d_ff = 16};

/// The tape of one pass; `output` is its last entry.
Tape pass(const nn::Transformer& model, nn::Dropout* dropout) {
  const std::vector<int> source = test::random_tokens(5, model.config.vocabulary, 1);
  const std::vector<int> target = test::random_tokens(6, model.config.vocabulary, 2);
  Tape tape;
  const Value x = nn::embed(tape, model, Stack::encoder, nn::TokenBatch{source, 1, {}}, dropout);
  const Value y = nn::embed(tape, model, Stack::decoder, nn::TokenBatch{target, 1, {}}, dropout);
  nn::transform(tape, model, x, y, {}, dropout);
  return tape;
}

std::uint64_t hash_of(const Tape& tape) {
  std::uint64_t hash = 0;
  for (const tape::Entry& entry : tape.entries())
    hash = core::fnv1a(entry.value.values, entry.value.flat().size_bytes(), hash);
  return hash;
}

int count_of(const Tape& tape, tape::Op op) {
  int count = 0;
  for (const tape::Entry& entry : tape.entries()) count += entry.op == op ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("dropout of probability 0 records what evaluation records") {
  const nn::Transformer model = test::random_transformer(kConfig, 3);
  nn::Dropout none(0.0f, 1, 1);
  CHECK(hash_of(pass(model, &none)) == hash_of(pass(model, nullptr)));
  CHECK(count_of(pass(model, nullptr), tape::Op::dropout) == 0);
}

TEST_CASE("training drops where nn.Transformer does, with bits that depend on seed and step alone") {
  const nn::Transformer model = test::random_transformer(kConfig, 3);
  const auto hash = [&](std::uint64_t seed, std::uint32_t step) {
    nn::Dropout dropout(0.3f, seed, step);
    return hash_of(pass(model, &dropout));
  };
  CHECK(hash(1, 1) == hash(1, 1));
  CHECK(hash(1, 1) != hash(1, 2));
  CHECK(hash(1, 1) != hash(2, 1));
  nn::Dropout dropout(0.3f, 1, 1);
  // Two embeddings; an encoder layer has weights, attention, activation and feed-forward, a decoder layer two
  // attentions more.
  CHECK(count_of(pass(model, &dropout), tape::Op::dropout) == 2 + 2 * 4 + 2 * 6);
}

TEST_CASE("about the asked part of the elements is dropped, and nothing of the rest is lost on average") {
  Tape tape;
  std::vector<float> ones(20000, 1.0f);
  const Value x = tape.leaf({ones.data(), core::Shape{100, 200}}, {});
  nn::Dropout dropout(0.2f, 5, 0);
  const core::TensorView kept = tape.tensor(dropout(tape, x));
  int zeros = 0;
  double sum = 0.0;
  for (const float value : kept.flat()) {
    zeros += value == 0.0f ? 1 : 0;
    sum += static_cast<double>(value);
  }
  // Five standard deviations of a binomial count: 5·√(20000·0.2·0.8) = 283.
  CHECK(std::abs(zeros - 4000) < 283);
  CHECK(std::fabs(sum / 20000.0 - 1.0) < 283.0 / 20000.0 / 0.8);
}

TEST_CASE("every parameter of a model in training gets a finite gradient") {
  const nn::Transformer model = test::random_transformer(kConfig, 3);
  nn::Dropout dropout(0.3f, 1, 1);
  const Tape tape = pass(model, &dropout);
  const Value output{static_cast<int>(tape.entries().size()) - 1};
  const std::vector<float> seed(tape.tensor(output).flat().size(), 1.0f);
  tape::Gradients gradients;
  tape::backward(tape, output, seed, gradients);
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
    std::vector<float> gradient(parameter.flat().size(), 0.0f);
    gradients.accumulate_into(parameter.view(), gradient);
    INFO(name);
    for (const float value : gradient) CHECK(std::isfinite(value));
  });
}
