// English sentences and their Chinese, made from the words and rules of training/grammar_tables.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn::training {

struct Pair {
  std::string english;  // words in lower case with a space between each two: "i love you"
  std::string chinese;  // characters without spaces or punctuation: 我爱你

  bool operator==(const Pair&) const = default;
};

inline constexpr std::size_t kMostWords = 6;
inline constexpr std::size_t kMostCharacters = 12;

/// Sentences that every corpus has and that are trained on, whatever is drawn.
std::vector<Pair> fixed_pairs();

/// The fixed pairs, then what the rules make, in their order: all different in English, each with one
/// translation, at most kMostWords words and kMostCharacters characters long. The same on every platform.
std::vector<Pair> make_pairs();

}  // namespace attn::training
