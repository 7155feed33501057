#include "training/corpus.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/bits.h"
#include "core/random.h"
#include "io/vocabulary.h"
#include "training/english.h"

namespace attn::training {
namespace {

bool drawn_out(const Pair& pair) {
  const std::uint64_t english = core::fnv1a(pair.english.c_str(), pair.english.size() + 1);
  const std::uint64_t hash = core::fnv1a(pair.chinese.c_str(), pair.chinese.size() + 1, english);
  return core::RandomStream{hash, 0}.below(kOneHeldOutOf, 0) == 0;
}

std::vector<std::string> characters(const Pair& pair) {
  const std::vector<std::string_view> views = io::characters_of(pair.chinese);
  return {views.begin(), views.end()};
}

std::vector<std::string> words(const Pair& pair) { return words_of(pair.english); }

// What `symbols_of` gives for all pairs, each once, in order of its first occurrence.
std::vector<std::string> distinct(const std::vector<Pair>& pairs,
                                  std::vector<std::string> (*symbols_of)(const Pair&)) {
  std::vector<std::pair<std::string, std::size_t>> occurrences;
  for (const Pair& pair : pairs)
    for (std::string& symbol : symbols_of(pair))
      occurrences.emplace_back(std::move(symbol), occurrences.size());
  std::sort(occurrences.begin(), occurrences.end());
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  occurrences.erase(std::unique(occurrences.begin(), occurrences.end(), same), occurrences.end());
  std::sort(occurrences.begin(), occurrences.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::string> symbols;
  for (auto& [symbol, first] : occurrences) symbols.push_back(std::move(symbol));
  return symbols;
}

// Moves held-out pairs with a symbol that is not trained on to the training pairs.
void train_all(Corpus& corpus, std::vector<std::string> (*symbols_of)(const Pair&)) {
  std::vector<std::string> known = distinct(corpus.training, symbols_of);
  std::sort(known.begin(), known.end());
  std::vector<Pair> held_out;
  for (Pair& pair : corpus.held_out) {
    bool all_known = true;
    for (std::string& symbol : symbols_of(pair)) {
      const auto at = std::lower_bound(known.begin(), known.end(), symbol);
      if (at != known.end() && *at == symbol) continue;
      known.insert(at, std::move(symbol));
      all_known = false;
    }
    (all_known ? held_out : corpus.training).push_back(std::move(pair));
  }
  corpus.held_out = std::move(held_out);
}

}  // namespace

Corpus make_corpus() {
  Corpus corpus;
  const std::size_t n_fixed = fixed_pairs().size();
  std::size_t i = 0;
  for (Pair& pair : make_pairs()) {
    const bool held_out = i++ >= n_fixed && drawn_out(pair);
    (held_out ? corpus.held_out : corpus.training).push_back(std::move(pair));
  }
  train_all(corpus, words);
  train_all(corpus, characters);
  return corpus;
}

std::vector<std::string> english_words(const std::vector<Pair>& pairs) { return distinct(pairs, words); }

std::vector<std::string> chinese_characters(const std::vector<Pair>& pairs) {
  return distinct(pairs, characters);
}

}  // namespace attn::training
