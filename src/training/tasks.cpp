#include "training/tasks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/bits.h"
#include "core/check.h"
#include "core/random.h"
#include "training/corpus.h"
#include "training/english.h"

namespace attn::training {
namespace {

using io::Vocabulary;

// What random numbers are for: the lower half of their stream.
constexpr std::uint32_t kSequences = 0x73657175;     // 'sequ'
constexpr std::uint32_t kHeldOut = 0x6b657074;       // 'kept'
constexpr std::uint32_t kPermutations = 0x7065726d;  // 'perm'

constexpr std::uint64_t kDrawsEach = 16;     // for one sequence: a length and its symbols
constexpr std::uint64_t kMostTries = 65536;  // sequences drawn for one example

constexpr std::string_view kNames[] = {"copy", "reverse", "sort", "translate"};
static_assert(std::size(kNames) == std::size(kTaskKinds));
static_assert(kLongestSequence < static_cast<int>(kDrawsEach));

std::string_view alphabet_of(TaskKind kind) { return kind == TaskKind::sort ? "0123456789" : "abcdefghijkl"; }

// Sequence number `index` of a stream, kept or not.
std::vector<int> draw_sequence(const core::RandomStream& stream, std::uint64_t index, int n_symbols) {
  const std::uint64_t first = index * kDrawsEach;
  const auto draw = [&](int count, std::uint64_t offset) {
    return static_cast<int>(stream.below(static_cast<std::uint32_t>(count), first + offset));
  };
  std::vector<int> sequence(
      static_cast<std::size_t>(kShortestSequence + draw(kLongestSequence - kShortestSequence + 1, 0)));
  for (std::size_t i = 0; i < sequence.size(); ++i)
    sequence[i] = Vocabulary::kSpecials + draw(n_symbols, 1 + i);
  return sequence;
}

Example example_of(TaskKind kind, std::vector<int> source) {
  std::vector<int> target = source;
  if (kind == TaskKind::reverse) std::reverse(target.begin(), target.end());
  if (kind == TaskKind::sort) std::sort(target.begin(), target.end());
  return {std::move(source), std::move(target)};
}

Vocabulary vocabulary_of(const std::vector<std::string>& symbols) {
  auto vocabulary = Vocabulary::from_symbols(symbols);
  ATTN_CHECK(vocabulary.ok());
  return std::move(vocabulary).value();
}

void fill_sequences(Task& task) {
  std::vector<std::string> symbols;
  for (const char letter : alphabet_of(task.kind)) symbols.emplace_back(1, letter);
  task.source_vocabulary = vocabulary_of(symbols);
  task.target_vocabulary = task.source_vocabulary;
  task.max_source_length = kLongestSequence;
  task.max_target_length = kLongestSequence;
  const core::RandomStream stream{0, core::stream_of(0, kHeldOut)};
  for (std::uint64_t i = 0; task.held_out.size() < kHeldOutSequences; ++i) {
    std::vector<int> source = draw_sequence(stream, i, static_cast<int>(symbols.size()));
    if (!is_kept(source)) continue;
    Example example = example_of(task.kind, std::move(source));
    if (std::find(task.held_out.begin(), task.held_out.end(), example) == task.held_out.end())
      task.held_out.push_back(std::move(example));
  }
}

template <class Symbols>
std::vector<int> numbers_of(const Vocabulary& vocabulary, const Symbols& symbols) {
  std::vector<int> numbers;
  for (const auto& symbol : symbols) {
    const std::optional<int> id = vocabulary.find(symbol);
    ATTN_CHECK(id.has_value());
    numbers.push_back(*id);
  }
  return numbers;
}

void fill_translation(Task& task) {
  const Corpus corpus = make_corpus();
  task.source_vocabulary = vocabulary_of(english_words(corpus.training));
  task.target_vocabulary = vocabulary_of(chinese_characters(corpus.training));
  const auto add = [&](const std::vector<Pair>& pairs, std::vector<Example>& examples) {
    for (const Pair& pair : pairs)
      examples.push_back({numbers_of(task.source_vocabulary, words_of(pair.english)),
                          numbers_of(task.target_vocabulary, io::characters_of(pair.chinese))});
    for (const Example& example : examples) {
      task.max_source_length = std::max(task.max_source_length, static_cast<int>(example.source.size()));
      task.max_target_length = std::max(task.max_target_length, static_cast<int>(example.target.size()));
    }
  };
  add(corpus.training, task.training);
  add(corpus.held_out, task.held_out);
}

}  // namespace

std::string_view name_of(TaskKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<TaskKind> find_task(std::string_view name) {
  for (const TaskKind kind : kTaskKinds)
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

Task make_task(TaskKind kind) {
  Task task;
  task.kind = kind;
  if (kind == TaskKind::translate)
    fill_translation(task);
  else
    fill_sequences(task);
  return task;
}

Example training_example(const Task& task, std::uint64_t seed, std::int64_t index) {
  ATTN_CHECK(index >= 0);
  const auto position = static_cast<std::uint64_t>(index);
  if (!task.training.empty()) {
    const std::uint64_t size = task.training.size();
    const auto epoch = static_cast<std::uint32_t>(position / size);
    return task.training[static_cast<std::size_t>(permuted(position % size, size, seed, epoch))];
  }
  const core::RandomStream stream{seed, core::stream_of(0, kSequences)};
  const int n_symbols = task.source_vocabulary.size() - Vocabulary::kSpecials;
  for (std::uint64_t i = 0; i < kMostTries; ++i) {
    std::vector<int> source = draw_sequence(stream, position * kMostTries + i, n_symbols);
    if (!is_kept(source)) return example_of(task.kind, std::move(source));
  }
  ATTN_CHECK(false && "a sequence that is not kept");
  return {};
}

bool is_kept(std::span<const int> source) {
  std::uint64_t hash = core::fnv1a(nullptr, 0);
  for (const int symbol : source) {
    const auto byte = static_cast<unsigned char>(symbol);
    hash = core::fnv1a(&byte, 1, hash);
  }
  return core::RandomStream{hash, 0}.below(16, 0) == 0;
}

std::uint64_t permuted(std::uint64_t index, std::uint64_t size, std::uint64_t seed, std::uint32_t number) {
  ATTN_CHECK(index < size && size <= std::uint64_t{1} << 62);
  std::uint32_t half = 1;  // bits
  while (std::uint64_t{1} << (2 * half) < size) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  const core::RandomStream stream{seed, core::stream_of(number, kPermutations)};
  do {
    std::uint64_t left = index >> half;
    std::uint64_t right = index & mask;
    for (std::uint64_t round = 0; round < 4; ++round)
      left = std::exchange(right, left ^ (stream.bits(right * 4 + round) & mask));
    index = left << half | right;
  } while (index >= size);
  return index;
}

}  // namespace attn::training
