// The sentence pairs of training/grammar, split: most are trained on, about a tenth is held out.
//
// Which, is drawn from a hash of the pair, so a pair's side does not depend on what else there is. Held-out
// sentences are new combinations: no sentence is on both sides, but every English word and every Chinese
// character is trained on, and so are the fixed pairs.
#pragma once

#include <string>
#include <vector>

#include "training/grammar.h"

namespace attn::training {

inline constexpr unsigned kOneHeldOutOf = 10;

struct Corpus {
  std::vector<Pair> training;  // the fixed pairs first
  std::vector<Pair> held_out;
};

/// The split pairs, in the order of the grammar. The same on every platform.
Corpus make_corpus();

/// The words, and the characters, that occur in the pairs, each once, in the order in which they first do.
std::vector<std::string> english_words(const std::vector<Pair>& pairs);
std::vector<std::string> chinese_characters(const std::vector<Pair>& pairs);

}  // namespace attn::training
