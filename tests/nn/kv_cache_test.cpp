// Cached = uncached = one pass, 0 ULP: for prompts of any length, batches of any lengths, and any
// interleaving of appending and rolling back.
#include "nn/kv_cache.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "kernels/samples.h"
#include "nn/inference.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/random_model.h"

using namespace attn;
using test::same_bits;

namespace {

constexpr int kInterleavings = 600;
constexpr std::uint64_t kSeed = 20170612;
constexpr int kVocabulary = 13;
constexpr int kLongest = 40;

core::Matrix rows_in(std::vector<float>& values, int width) {
  return {values.data(), static_cast<int>(values.size()) / width, width, width};
}

/// One sequence as it stands: its tokens, its cache, and the output rows that were computed on the way.
struct Sequence {
  std::vector<int> source;
  std::vector<int> tokens;
  std::unique_ptr<nn::KvCache> cache;
  std::vector<float> output;
};

nn::TransformerConfig random_config(test::RandomNumbers& numbers) {
  constexpr int kHeads[] = {1, 2, 3, 4, 8};
  constexpr int kWidths[] = {1, 2, 3, 4, 5, 8};
  const int n_heads = kHeads[numbers.below(5)];
  return {.family = numbers.below(2) == 0 ? nn::Family::encoder_decoder : nn::Family::decoder_only,
          .vocabulary = kVocabulary,
          .d_model = n_heads * kWidths[numbers.below(6)],
          .n_heads = n_heads,
          .n_encoder_layers = 1,
          .n_decoder_layers = 1 + numbers.below(3),
          .d_ff = 1 + numbers.below(40),
          .activation = numbers.below(2) == 0 ? nn::Activation::relu : nn::Activation::gelu,
          .norm_first = numbers.below(2) == 0,
          .final_norm = numbers.below(3) != 0,
          .positions = static_cast<nn::Positions>(numbers.below(3)),
          .max_positions = kLongest};
}

/// Masks under which no row sees a later one, so that a cached row is a row of the whole pass.
nn::Mask random_target_mask(test::RandomNumbers& numbers) {
  switch (numbers.below(4)) {
    case 0:
      return nn::Mask::sliding_window(numbers.below(6), 0);
    case 1: {
      std::vector<std::uint8_t> visible;
      for (int i = 0; i < kLongest * kLongest; ++i) visible.push_back(numbers.below(3) > 0 ? 1 : 0);
      return nn::Mask::causal().and_also(nn::Mask::matrix(visible, kLongest, kLongest));
    }
    default:
      return nn::Mask::causal();
  }
}

/// The output rows of one pass over a sequence, recorded on a tape.
std::vector<float> taped_output(const nn::Transformer& model, const Sequence& sequence,
                                const nn::Mask& target) {
  tape::Tape tape;
  const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, sequence.tokens);
  tape::Value output;
  if (nn::has_cross_attention(model.config)) {
    const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, sequence.source);
    output =
        nn::decode(tape, model, y, nn::encode(tape, model, x, nn::Mask::none()), target, nn::Mask::none());
  } else {
    output = nn::decode(tape, model, y, target);
  }
  const std::span<const float> values = tape.tensor(output).flat();
  return {values.begin(), values.end()};
}

/// One pass without a tape, over a cache that is empty.
std::vector<float> untaped_output(const nn::Transformer& model, const Sequence& sequence,
                                  const nn::Mask& target) {
  const int width = model.config.d_model;
  nn::Workspace workspace;
  nn::KvCache cache(model.config);
  if (nn::has_cross_attention(model.config)) {
    std::vector<float> memory(sequence.source.size() * static_cast<std::size_t>(width));
    const core::Matrix rows = rows_in(memory, width);
    nn::embed(model, tape::Stack::encoder, sequence.source, 0, rows);
    nn::encode(model, rows, std::array{rows.rows}, nn::Mask::none(), workspace, rows);
    nn::store_memory(model, rows, workspace, cache);
  }
  std::vector<float> output(sequence.tokens.size() * static_cast<std::size_t>(width));
  const core::Matrix rows = rows_in(output, width);
  nn::embed(model, tape::Stack::decoder, sequence.tokens, 0, rows);
  nn::decode(model, rows, std::array{rows.rows}, std::array{&cache}, target, nn::Mask::none(), workspace,
             rows);
  return output;
}

/// The memories of a batch, encoded together and stored.
void start_sequences(const nn::Transformer& model, std::vector<Sequence>& sequences,
                     nn::Workspace& workspace) {
  const int width = model.config.d_model;
  for (Sequence& sequence : sequences) sequence.cache = std::make_unique<nn::KvCache>(model.config);
  if (!nn::has_cross_attention(model.config)) return;
  std::vector<float> memory;
  std::vector<int> counts;
  for (const Sequence& sequence : sequences) {
    std::vector<float> rows(sequence.source.size() * static_cast<std::size_t>(width));
    nn::embed(model, tape::Stack::encoder, sequence.source, 0, rows_in(rows, width));
    memory.insert(memory.end(), rows.begin(), rows.end());
    counts.push_back(static_cast<int>(sequence.source.size()));
  }
  const core::Matrix all = rows_in(memory, width);
  nn::encode(model, all, counts, nn::Mask::none(), workspace, all);
  int first = 0;
  for (std::size_t i = 0; i < sequences.size(); first += counts[i++])
    nn::store_memory(model, {all.row(first), counts[i], width, width}, workspace, *sequences[i].cache);
}

/// Appends counts[i] random tokens to each sequence, all in one call of decode.
void append(const nn::Transformer& model, std::vector<Sequence>& sequences, std::span<const int> counts,
            const nn::Mask& target, nn::Workspace& workspace, test::RandomNumbers& numbers) {
  const int width = model.config.d_model;
  std::vector<float> batch;
  std::vector<nn::KvCache*> caches;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Sequence& sequence = sequences[i];
    const std::size_t length = sequence.tokens.size();
    for (int t = 0; t < counts[i]; ++t) sequence.tokens.push_back(numbers.below(kVocabulary));
    std::vector<float> rows(static_cast<std::size_t>(counts[i] * width));
    nn::embed(model, tape::Stack::decoder, std::span(sequence.tokens).subspan(length),
              static_cast<int>(length), rows_in(rows, width));
    batch.insert(batch.end(), rows.begin(), rows.end());
    caches.push_back(sequence.cache.get());
  }
  const core::Matrix all = rows_in(batch, width);
  nn::decode(model, all, counts, caches, target, nn::Mask::none(), workspace, all);
  auto from = batch.begin();
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    sequences[i].output.insert(sequences[i].output.end(), from, from + counts[i] * width);
    from += counts[i] * width;
  }
}

void roll_back(Sequence& sequence, int length, int width) {
  sequence.cache->roll_back(length);
  sequence.tokens.resize(static_cast<std::size_t>(length));
  sequence.output.resize(static_cast<std::size_t>(length * width));
}

/// Interleaving number `number` of the property below.
void check_interleaving(int number, nn::Workspace& workspace) {
  test::RandomNumbers numbers(kSeed + static_cast<std::uint64_t>(number));
  const nn::TransformerConfig config = random_config(numbers);
  const nn::Transformer model = test::random_transformer(config, numbers.next());
  const nn::Mask target = random_target_mask(numbers);
  std::vector<Sequence> sequences(static_cast<std::size_t>(1 + numbers.below(3)));
  for (Sequence& sequence : sequences)
    sequence.source = test::random_tokens(1 + numbers.below(9), kVocabulary, numbers.next());
  start_sequences(model, sequences, workspace);

  for (int operation = 2 + numbers.below(9); operation > 0; --operation) {
    if (numbers.below(3) == 0) {
      Sequence& sequence =
          sequences[static_cast<std::size_t>(numbers.below(static_cast<int>(sequences.size())))];
      roll_back(sequence, numbers.below(sequence.cache->length() + 1), config.d_model);
      continue;
    }
    std::vector<int> counts;
    for (const Sequence& sequence : sequences) {
      const int count = numbers.below(3) == 0 ? 1 : numbers.below(12);
      counts.push_back(std::min(count, kLongest - sequence.cache->length()));
    }
    append(model, sequences, counts, target, workspace, numbers);
  }

  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Sequence& sequence = sequences[i];
    CAPTURE(i, sequence.tokens.size());
    REQUIRE(sequence.cache->length() == static_cast<int>(sequence.tokens.size()));
    if (sequence.tokens.empty()) continue;
    REQUIRE(same_bits(sequence.output, untaped_output(model, sequence, target)));
    REQUIRE(same_bits(sequence.output, taped_output(model, sequence, target)));
  }
}

}  // namespace

TEST_CASE("any interleaving of appending and rolling back gives the bits of one pass") {
  // One of them again: ATTN_INTERLEAVING=<number> attn_tests "any interleaving*"
  const char* chosen = std::getenv("ATTN_INTERLEAVING");
  const int first = chosen != nullptr ? std::atoi(chosen) : 0;
  const int end = chosen != nullptr ? first + 1 : kInterleavings;
  nn::Workspace workspace;
  for (int number = first; number < end; ++number) {
    INFO("seed " << kSeed << ", interleaving " << number << " (ATTN_INTERLEAVING=" << number << ")");
    check_interleaving(number, workspace);
  }
  std::printf("interleavings of cache operations: %d, seed %llu\n", end - first,
              static_cast<unsigned long long>(kSeed));
}

TEST_CASE("every split of a prompt into two pieces gives the bits of one pass") {
  const nn::TransformerConfig config{.family = nn::Family::decoder_only,
                                     .vocabulary = kVocabulary,
                                     .d_model = 12,
                                     .n_heads = 3,
                                     .n_decoder_layers = 2,
                                     .d_ff = 20,
                                     .positions = nn::Positions::learned,
                                     .max_positions = kLongest};
  const nn::Transformer model = test::random_transformer(config, 7);
  nn::Workspace workspace;
  for (int length = 1; length <= 33; ++length)
    for (int split = 0; split <= length; ++split) {
      CAPTURE(length, split);
      test::RandomNumbers numbers(8);
      std::vector<Sequence> sequences(1);
      start_sequences(model, sequences, workspace);
      append(model, sequences, std::array{split}, nn::Mask::causal(), workspace, numbers);
      append(model, sequences, std::array{length - split}, nn::Mask::causal(), workspace, numbers);
      REQUIRE(same_bits(sequences[0].output, untaped_output(model, sequences[0], nn::Mask::causal())));
    }
}

TEST_CASE("a cache that saw another token gives other bits, so the comparison has power") {
  const nn::TransformerConfig config{.family = nn::Family::decoder_only,
                                     .vocabulary = kVocabulary,
                                     .d_model = 8,
                                     .n_heads = 2,
                                     .n_decoder_layers = 2,
                                     .d_ff = 20};
  const nn::Transformer model = test::random_transformer(config, 17);
  nn::Workspace workspace;
  test::RandomNumbers numbers(18);
  std::vector<Sequence> sequences(1);
  start_sequences(model, sequences, workspace);
  append(model, sequences, std::array{6}, nn::Mask::causal(), workspace, numbers);
  append(model, sequences, std::array{1}, nn::Mask::causal(), workspace, numbers);
  sequences[0].tokens[2] = (sequences[0].tokens[2] + 1) % kVocabulary;
  const std::vector<float> other = untaped_output(model, sequences[0], nn::Mask::causal());
  CHECK(same_bits(std::span(other).first(16), std::span(sequences[0].output).first(16)));
  CHECK_FALSE(same_bits(std::span(other).last(8), std::span(sequences[0].output).last(8)));
}

TEST_CASE("a reserved cache allocates nothing until it is full, and a rolled back one keeps its room") {
  const nn::TransformerConfig config{.d_model = 6, .n_heads = 2, .n_decoder_layers = 2};
  nn::KvCache cache(config);
  CHECK(cache.length() == 0);
  CHECK(cache.memory_length() == 0);
  cache.reserve(50);
  const float* keys = cache.self_attention(1).keys.data();
  for (const int count : {1, 20, 29}) {
    cache.make_room(count);
    cache.advance(count);
  }
  CHECK(cache.length() == 50);
  CHECK(cache.self_attention(1).keys.data() == keys);
  cache.roll_back(3);
  CHECK(cache.length() == 3);
  cache.make_room(47);
  CHECK(cache.self_attention(1).keys.data() == keys);
  cache.make_room(48);
  CHECK(cache.self_attention(1).keys.size() >= kernels::attention_store_size(cache.heads(), 51));
}

TEST_CASE("a cache takes a new memory in place of the old one") {
  const nn::TransformerConfig config{.vocabulary = kVocabulary,
                                     .d_model = 8,
                                     .n_heads = 2,
                                     .n_encoder_layers = 1,
                                     .n_decoder_layers = 2,
                                     .d_ff = 20};
  const nn::Transformer model = test::random_transformer(config, 27);
  nn::Workspace workspace;
  test::RandomNumbers numbers(28);
  std::vector<Sequence> sequences(1);
  sequences[0].source = test::random_tokens(9, kVocabulary, 29);
  start_sequences(model, sequences, workspace);
  append(model, sequences, std::array{3}, nn::Mask::causal(), workspace, numbers);
  // Shorter than the one before, so that a key left over would show.
  const std::vector<int> shorter = test::random_tokens(4, kVocabulary, 30);
  std::vector<float> memory(4 * 8);
  const core::Matrix rows = rows_in(memory, 8);
  nn::embed(model, tape::Stack::encoder, shorter, 0, rows);
  nn::encode(model, rows, std::array{4}, nn::Mask::none(), workspace, rows);
  nn::store_memory(model, rows, workspace, *sequences[0].cache);
  CHECK(sequences[0].cache->memory_length() == 4);
  CHECK(sequences[0].cache->length() == 3);
  roll_back(sequences[0], 0, 8);
  sequences[0].source = shorter;
  append(model, sequences, std::array{5}, nn::Mask::causal(), workspace, numbers);
  CHECK(same_bits(sequences[0].output, untaped_output(model, sequences[0], nn::Mask::causal())));
}
