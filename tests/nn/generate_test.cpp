#include "nn/generate.h"

#include <algorithm>
#include <string>

#include "core/random.h"
#include "kernels/samples.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/random_model.h"

using namespace attn;
using nn::Generation;
using nn::GenerationOptions;
using nn::Prompt;
using nn::Sampling;
using nn::StopReason;
using test::same_bits;

namespace {

constexpr int kVocabulary = 12;

nn::TransformerConfig config_of(nn::Family family, nn::Positions positions = nn::Positions::learned) {
  return {.family = family,
          .vocabulary = kVocabulary,
          .d_model = 8,
          .n_heads = 2,
          .n_encoder_layers = 1,
          .n_decoder_layers = 2,
          .d_ff = 24,
          .positions = positions,
          .max_positions = 64,
          .output_projection = nn::OutputProjection::separate};
}

nn::Transformer model_of(nn::Family family) { return test::random_transformer(config_of(family), 5); }

/// Logits after the last of `tokens`, by one taped pass over all of them.
std::vector<float> taped_logits(const nn::Transformer& model, std::span<const int> source,
                                std::span<const int> tokens) {
  tape::Tape tape;
  const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, tokens);
  tape::Value output;
  if (nn::has_cross_attention(model.config)) {
    const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, source);
    output = nn::decode(tape, model, y, nn::encode(tape, model, x, nn::Mask::none()), nn::Mask::causal(),
                        nn::Mask::none());
  } else {
    output = nn::decode(tape, model, y, nn::Mask::causal());
  }
  const std::span<const float> logits = tape.tensor(nn::logits(tape, model, output)).flat();
  return {logits.end() - kVocabulary, logits.end()};
}

/// Prompts of different lengths, with sources for models that read one.
struct Prompts {
  std::vector<std::vector<int>> tokens, sources;
  std::vector<Prompt> list;

  Prompts(nn::Family family, std::vector<int> lengths) {
    std::uint64_t seed = 50;
    for (const int length : lengths) {
      tokens.push_back(test::random_tokens(length, kVocabulary, ++seed));
      sources.push_back(test::random_tokens(family == nn::Family::decoder_only ? 0 : 1 + length % 5,
                                            kVocabulary, seed + 100));
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) list.push_back({tokens[i], sources[i], i});
  }
};

std::vector<std::vector<int>> run(const nn::Transformer& model, std::span<const Prompt> prompts,
                                  const GenerationOptions& options) {
  core::Result<std::vector<std::vector<int>>> result = nn::generate(model, prompts, options);
  REQUIRE(result.ok());
  return result.value();
}

Generation started(const nn::Transformer& model, std::span<const Prompt> prompts,
                   const GenerationOptions& options) {
  core::Result<Generation> result = Generation::start(model, prompts, options);
  REQUIRE(result.ok());
  return std::move(result).value();
}

constexpr Sampling kWarm{.temperature = 1.7f, .top_k = 9, .top_p = 0.95f, .seed = 77};

}  // namespace

TEST_CASE("every step's logits have the bits of one taped pass over all tokens so far") {
  const auto family = GENERATE(nn::Family::encoder_decoder, nn::Family::decoder_only);
  const nn::Transformer model = model_of(family);
  const Prompts prompts(family, {1, 7, 3, 16});
  Generation generation = started(model, prompts.list, {.max_new_tokens = 12, .sampling = kWarm});
  while (!generation.finished()) {
    generation.look();
    for (int i = 0; i < generation.size(); ++i) {
      const auto index = static_cast<std::size_t>(i);
      CAPTURE(i, generation.tokens(i).size());
      REQUIRE(
          same_bits(generation.logits(i), taped_logits(model, prompts.sources[index], generation.tokens(i))));
    }
    generation.step();
  }
  for (int i = 0; i < 4; ++i) CHECK(generation.new_tokens(i).size() == 12);
}

TEST_CASE("a prompt is continued alike alone and in a batch of other lengths") {
  const auto family = GENERATE(nn::Family::encoder_decoder, nn::Family::decoder_only);
  const nn::Transformer model = model_of(family);
  const Prompts prompts(family, {4, 1, 9, 2, 17});
  for (const Sampling& sampling : {Sampling{}, kWarm}) {
    const GenerationOptions options{.max_new_tokens = 15, .eos = 3, .sampling = sampling};
    const auto together = run(model, prompts.list, options);
    for (std::size_t i = 0; i < 5; ++i)
      CHECK(run(model, std::span(prompts.list).subspan(i, 1), options)[0] == together[i]);
  }
}

TEST_CASE("greedy takes the most probable token of every step") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {5});
  const std::vector<int> taken = run(model, prompts.list, {.max_new_tokens = 20})[0];
  std::vector<int> tokens = prompts.tokens[0];
  for (const int token : taken) {
    CHECK(token == nn::most_probable(taped_logits(model, {}, tokens)));
    tokens.push_back(token);
  }
}

TEST_CASE("temperature 0, top-k of 1 and a tiny top-p continue a prompt alike") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {3, 6});
  const auto greedy = run(model, prompts.list, {.max_new_tokens = 25});
  for (const Sampling& sampling :
       {Sampling{.temperature = 2.0f, .top_k = 1, .seed = 4}, Sampling{.temperature = 2.0f, .top_p = 1e-6f},
        Sampling{.temperature = 1e-6f, .seed = 9}})
    CHECK(run(model, prompts.list, {.max_new_tokens = 25, .sampling = sampling}) == greedy);
}

TEST_CASE("the same seed gives the same tokens, another seed or stream gives others") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {3});
  const auto with = [&](std::uint64_t seed, std::uint64_t stream) {
    Prompt prompt = prompts.list[0];
    prompt.stream = stream;
    Sampling sampling{.temperature = 3.0f, .seed = seed};
    return run(model, std::span(&prompt, 1), {.max_new_tokens = 40, .sampling = sampling})[0];
  };
  CHECK(with(1, 0) == with(1, 0));
  CHECK(with(1, 0) != with(2, 0));
  CHECK(with(1, 0) != with(1, 1));
}

TEST_CASE("a sequence stops after the end token, at the maximum, or when asked") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {3, 4, 5});
  const auto free_run = run(model, prompts.list, {.max_new_tokens = 30, .sampling = kWarm});
  // A token that sequence 0 says after a while, and sequence 2 not at once.
  const int eos = *std::find_if(free_run[0].begin() + 4, free_run[0].end() - 1,
                                [&](int token) { return token != free_run[2][0]; });
  Generation generation = started(model, prompts.list, {.max_new_tokens = 30, .eos = eos, .sampling = kWarm});
  generation.step();
  generation.stop(2);
  CHECK(generation.reason(2) == StopReason::asked);
  while (!generation.finished()) generation.step();
  CHECK(generation.new_tokens(2).size() == 1);
  for (int i = 0; i < 2; ++i) {
    const std::vector<int>& all = free_run[static_cast<std::size_t>(i)];
    const auto end = std::find(all.begin(), all.end(), eos);
    const auto length = static_cast<std::size_t>(end == all.end() ? 30 : end - all.begin() + 1);
    const std::span<const int> got = generation.new_tokens(i);
    CHECK(generation.reason(i) == (end == all.end() ? StopReason::maximum : StopReason::eos));
    REQUIRE(got.size() == length);
    CHECK(std::equal(got.begin(), got.end(), all.begin()));
  }
  generation.stop(0);  // it has stopped already: the reason stays
  CHECK(generation.reason(0) == StopReason::eos);
}

TEST_CASE("a run asks before every step whether it shall go on") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {2});
  const auto result =
      nn::generate(model, prompts.list, {.max_new_tokens = 30},
                   [](const Generation& generation) { return generation.new_tokens(0).size() < 7; });
  REQUIRE(result.ok());
  CHECK(result.value()[0].size() == 7);
}

TEST_CASE("a run of no new tokens is finished before it begins") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {2});
  Generation generation = started(model, prompts.list, {.max_new_tokens = 0});
  CHECK(generation.finished());
  CHECK(generation.reason(0) == StopReason::maximum);
  generation.step();
  CHECK(generation.new_tokens(0).empty());
}

TEST_CASE("a model with positions stops when it has none left") {
  nn::TransformerConfig config = config_of(nn::Family::decoder_only);
  config.max_positions = 10;
  const nn::Transformer model = test::random_transformer(config, 6);
  const Prompts prompts(nn::Family::decoder_only, {8, 10});
  Generation generation = started(model, prompts.list, {.max_new_tokens = 30});
  while (!generation.finished()) generation.step();
  for (int i = 0; i < 2; ++i) {
    CHECK(generation.reason(i) == StopReason::positions);
    CHECK(generation.tokens(i).size() == 11);  // the last token has no position of its own and needs none
  }
}

TEST_CASE("a reader may take another token, and roll back to where the run was before") {
  const nn::Transformer model = model_of(nn::Family::encoder_decoder);
  const Prompts prompts(nn::Family::encoder_decoder, {3, 5});
  const GenerationOptions options{.max_new_tokens = 12, .sampling = kWarm};
  const auto free_run = run(model, prompts.list, options);
  Generation generation = started(model, prompts.list, options);
  generation.step();
  generation.step();
  generation.look();
  std::vector<nn::Candidate> candidates;
  generation.candidates(0, candidates);
  REQUIRE(candidates.size() == kVocabulary);
  const int other = candidates.back().token;
  generation.take(0, other);
  CHECK(generation.new_tokens(0).back() == other);
  generation.step();
  const std::vector<int> tokens(generation.tokens(0).begin(), generation.tokens(0).end());
  generation.look();
  CHECK(same_bits(generation.logits(0), taped_logits(model, prompts.sources[0], tokens)));

  generation.roll_back(0, 3 + 2);
  while (!generation.finished()) generation.step();
  for (int i = 0; i < 2; ++i) {
    const std::span<const int> got = generation.new_tokens(i);
    CHECK(std::vector<int>(got.begin(), got.end()) == free_run[static_cast<std::size_t>(i)]);
  }
  generation.roll_back(1, 5);
  CHECK(generation.reason(1) == StopReason::running);
  CHECK(generation.new_tokens(1).empty());
}

TEST_CASE("candidates are those that the next step draws from") {
  const nn::Transformer model = model_of(nn::Family::decoder_only);
  const Prompts prompts(nn::Family::decoder_only, {3});
  Generation generation = started(model, prompts.list, {.max_new_tokens = 30, .sampling = kWarm});
  std::vector<nn::Candidate> candidates;
  for (std::uint64_t index = 0; !generation.finished(); ++index) {
    generation.look();
    generation.candidates(0, candidates);
    generation.step();
    CHECK(generation.new_tokens(0).back() == nn::draw(candidates, core::RandomStream{77, 0}.uniform(index)));
  }
}

TEST_CASE("what can't be generated from is refused with what and where") {
  const nn::Transformer decoder = model_of(nn::Family::decoder_only);
  const nn::Transformer both = model_of(nn::Family::encoder_decoder);
  const int tokens[] = {1, 2};
  const int wild[] = {1, kVocabulary};
  const int negative[] = {-1};
  const std::vector<int> long_prompt(65, 1);
  const auto refused = [](const nn::Transformer& model, std::vector<Prompt> prompts,
                          GenerationOptions options, const std::string& words) {
    const core::Result<Generation> result = Generation::start(model, prompts, options);
    REQUIRE_FALSE(result.ok());
    INFO(result.error());
    CHECK(result.error().find(words) != std::string::npos);
    CHECK_FALSE(nn::generate(model, prompts, options).ok());
  };
  refused(decoder, {}, {}, "no prompt");
  refused(decoder, {{tokens}, {}}, {}, "tokens of prompt 1 is empty");
  refused(decoder, {{wild}}, {}, "token 12 at 1");
  refused(decoder, {{negative}}, {}, "token -1 at 0");
  refused(decoder, {{long_prompt}}, {}, "64 positions");
  refused(decoder, {{tokens, tokens}}, {}, "has a source");
  refused(both, {{tokens}}, {}, "source of prompt 0 is empty");
  refused(both, {{tokens, wild}}, {}, "source of prompt 0: token 12");
  refused(decoder, {{tokens}}, {.max_new_tokens = -1}, "max_new_tokens");
  refused(decoder, {{tokens}}, {.eos = kVocabulary}, "eos");
  refused(decoder, {{tokens}}, {.sampling = {.top_p = 0.0f}}, "top_p");
  nn::TransformerConfig silent = config_of(nn::Family::decoder_only);
  silent.output_projection = nn::OutputProjection::none;
  refused(test::random_transformer(silent, 1), {{tokens}}, {}, "output projection");
  refused(model_of(nn::Family::encoder_only), {{tokens}}, {}, "decoder");
}
