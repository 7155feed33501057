#include "training/tasks.h"

#include <algorithm>
#include <set>

#include "core/bits.h"
#include "support/catch.h"
#include "training/corpus.h"

namespace {

using namespace attn::training;
using attn::io::Vocabulary;

constexpr TaskKind kSequenceTasks[] = {TaskKind::copy, TaskKind::reverse, TaskKind::sort};

std::string text_of(const Vocabulary& vocabulary, const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += vocabulary.symbol(number);
  return text;
}

std::uint64_t hash_of(const std::vector<Example>& examples) {
  std::uint64_t hash = attn::core::fnv1a(nullptr, 0);
  for (const Example& example : examples)
    for (const std::vector<int>* numbers : {&example.source, &example.target}) {
      for (const int number : *numbers) hash = attn::core::fnv1a(&number, sizeof number, hash);
      hash = attn::core::fnv1a("", 1, hash);
    }
  return hash;
}

}  // namespace

TEST_CASE("Every task has a name by which it is found") {
  for (const TaskKind kind : kTaskKinds) CHECK(find_task(name_of(kind)) == kind);
  CHECK(name_of(TaskKind::translate) == "translate");
  CHECK_FALSE(find_task("Copy").has_value());
}

TEST_CASE("copy, reverse and sort ask for what they say") {
  for (const TaskKind kind : kSequenceTasks) {
    const Task task = make_task(kind);
    CHECK(task.source_vocabulary == task.target_vocabulary);
    CHECK(task.source_vocabulary.size() == (kind == TaskKind::sort ? 13 : 15));
    std::vector<Example> examples = task.held_out;
    for (std::int64_t i = 0; i < 500; ++i) examples.push_back(training_example(task, 3, i));
    for (const Example& example : examples) {
      std::string expected = text_of(task.source_vocabulary, example.source);
      if (kind == TaskKind::reverse) std::reverse(expected.begin(), expected.end());
      if (kind == TaskKind::sort) std::sort(expected.begin(), expected.end());
      CHECK(text_of(task.target_vocabulary, example.target) == expected);
      CHECK(expected.size() >= static_cast<std::size_t>(kShortestSequence));
      CHECK(expected.size() <= static_cast<std::size_t>(kLongestSequence));
    }
  }
}

TEST_CASE("Held-out sequences are all different and training never draws one that may be held out") {
  for (const TaskKind kind : kSequenceTasks) {
    const Task task = make_task(kind);
    CHECK(task.training.empty());
    REQUIRE(task.held_out.size() == kHeldOutSequences);
    std::set<std::vector<int>> different;
    for (const Example& example : task.held_out) {
      CHECK(is_kept(example.source));
      different.insert(example.source);
    }
    CHECK(different.size() == task.held_out.size());
    for (std::int64_t i = 0; i < 20000; ++i) {
      const Example example = training_example(task, 11, i);
      REQUIRE_FALSE(is_kept(example.source));
      REQUIRE(different.count(example.source) == 0);
    }
  }
}

TEST_CASE("Drawn sequences have all lengths and all symbols about equally often") {
  const Task task = make_task(TaskKind::copy);
  std::vector<int> lengths(kLongestSequence + 1);
  std::vector<int> symbols(static_cast<std::size_t>(task.source_vocabulary.size()));
  int n_symbols = 0;
  constexpr int kDrawn = 12000;
  for (std::int64_t i = 0; i < kDrawn; ++i) {
    const Example example = training_example(task, 5, i);
    ++lengths[example.source.size()];
    for (const int symbol : example.source) ++symbols[static_cast<std::size_t>(symbol)];
    n_symbols += static_cast<int>(example.source.size());
  }
  for (std::size_t length = kShortestSequence; length <= kLongestSequence; ++length)
    CHECK(lengths[length] == Approx(kDrawn / 6).epsilon(0.1));
  for (std::size_t symbol = 0; symbol < symbols.size(); ++symbol)
    CHECK(symbols[symbol] ==
          (symbol < Vocabulary::kSpecials ? Approx(0) : Approx(n_symbols / 12).epsilon(0.1)));
}

TEST_CASE("An example depends on the seed and its index alone") {
  for (const TaskKind kind : kTaskKinds) {
    const Task task = make_task(kind);
    const Task again = make_task(kind);
    CHECK(task.held_out == again.held_out);
    int same = 0;
    for (std::int64_t i = 99; i >= 0; --i) {
      CHECK(training_example(task, 7, i) == training_example(again, 7, i));
      same += training_example(task, 7, i) == training_example(task, 8, i) ? 1 : 0;
    }
    CHECK(same < 10);
    CHECK(training_example(task, 7, std::int64_t{1} << 40) ==
          training_example(again, 7, std::int64_t{1} << 40));
  }
}

TEST_CASE("translate has the corpus in numbers, with every symbol in its vocabularies") {
  const Task task = make_task(TaskKind::translate);
  const Corpus corpus = make_corpus();
  REQUIRE(task.training.size() == corpus.training.size());
  REQUIRE(task.held_out.size() == corpus.held_out.size());
  for (std::size_t i = 0; i < corpus.held_out.size(); ++i) {
    CHECK(text_of(task.target_vocabulary, task.held_out[i].target) == corpus.held_out[i].chinese);
    std::string english;
    for (const int word : task.held_out[i].source)
      english += (english.empty() ? "" : " ") + task.source_vocabulary.symbol(word);
    CHECK(english == corpus.held_out[i].english);
  }
  CHECK(task.max_source_length == static_cast<int>(kMostWords));
  CHECK(task.max_target_length == static_cast<int>(kMostCharacters));
  CHECK(task.source_vocabulary.size() ==
        Vocabulary::kSpecials + static_cast<int>(english_words(corpus.training).size()));
  CHECK(task.source_vocabulary.find("Machine").has_value());
  CHECK(task.target_vocabulary.find("锯").has_value());
}

TEST_CASE("An epoch of translate is every training pair once, each epoch in another order") {
  const Task task = make_task(TaskKind::translate);
  const auto size = static_cast<std::int64_t>(task.training.size());
  std::vector<std::vector<Example>> epochs(3);
  for (std::int64_t i = 0; i < 3 * size; ++i)
    epochs[static_cast<std::size_t>(i / size)].push_back(training_example(task, 1, i));
  CHECK_FALSE(epochs[0] == epochs[1]);
  CHECK_FALSE(epochs[1] == epochs[2]);
  const auto sorted = [](std::vector<Example> examples) {
    std::sort(examples.begin(), examples.end(),
              [](const Example& a, const Example& b) { return a.source < b.source; });
    return examples;
  };
  const std::vector<Example> all = sorted(task.training);
  for (const std::vector<Example>& epoch : epochs) CHECK(sorted(epoch) == all);
}

TEST_CASE("A permutation of any size takes every value once") {
  for (const std::uint64_t size : {1u, 2u, 3u, 4u, 5u, 15u, 16u, 17u, 64u, 65u, 1000u}) {
    std::vector<int> taken(static_cast<std::size_t>(size));
    int unmoved = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t value = permuted(i, size, 42, 6);
      REQUIRE(value < size);
      ++taken[static_cast<std::size_t>(value)];
      unmoved += value == i ? 1 : 0;
    }
    CHECK(std::count(taken.begin(), taken.end(), 1) == static_cast<std::ptrdiff_t>(size));
    if (size == 1000) CHECK(unmoved < 10);
  }
}

TEST_CASE("The examples of every task are the same everywhere") {
  // Change with the tasks only; see the corpus for what then has to be trained again.
  constexpr std::uint64_t kHashes[] = {0x081c6457bb7e8821, 0xac7e05a7340ea351, 0x55af4da50012f6b9,
                                       0x48977ed3e4d04906};
  for (const TaskKind kind : kTaskKinds) {
    const Task task = make_task(kind);
    std::vector<Example> examples = task.held_out;
    for (std::int64_t i = 0; i < 256; ++i) examples.push_back(training_example(task, 1, i));
    INFO(name_of(kind) << " " << std::hex << hash_of(examples));
    CHECK(hash_of(examples) == kHashes[static_cast<std::size_t>(kind)]);
  }
}
