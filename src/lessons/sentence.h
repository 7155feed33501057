// The reader's own sentence: what a lesson allows, its words, and the numbers that stand for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"

namespace attn::lessons {

/// What a lesson says until the reader writes something else, and how many words that may have.
struct SentenceRule {
  std::span<const char* const> own;
  int fewest = 0;
  int most = 0;  // 0: the lesson's sentence is fixed
};

inline constexpr int kLongestWord = 12;  // characters

/// The words of a text: what stands between spaces. A text without any space has a word for each character of
/// a script that doesn't write them (Chinese, Japanese), and one for each run of others: 我爱attention is
/// three words. Errors say what is wrong: malformed, a control character, a character of the markup that
/// narrations are written in, too few or too many words, one too long.
core::Result<std::vector<std::string>> words_of(const SentenceRule& rule, std::string_view text);

/// Nothing but spaces.
bool is_blank(std::string_view text);

/// The lesson's own words.
std::vector<std::string> own_words(const SentenceRule& rule);

/// The words with a space between each two; `words_of` takes them apart again.
std::string joined(std::span<const std::string> words);

/// (words, D): a row a word, the same for the same word. One that `known` has keeps its row of `table`
/// (known, D), any other has torch.randn(D) after torch.manual_seed of a hash of its bytes and the seed.
core::Tensor embed_words(std::span<const std::string> words, std::span<const std::string> known,
                         const core::Tensor& table, int seed);

}  // namespace attn::lessons
