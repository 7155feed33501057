// The reader's own sentence: what a lesson allows, its words, and the numbers that stand for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"
#include "lessons/text.h"

namespace attn::lessons {

struct SentenceRule;

/// The words of a text: what stands between spaces. A text without any space has a word for each character of
/// a script that doesn't write them (Chinese, Japanese), and one for each run of others: 我爱attention is
/// three words. Refused, with what is wrong: malformed text, a control character, a character of the markup
/// that narrations are written in, too few or too many words, one too long. Of too many the first ones are
/// suggested.
core::Result<std::vector<std::string>> words_of(const SentenceRule& rule, std::string_view text);

/// What a lesson says until the reader writes something else, and what that may be. The field for it, in the
/// page (web/sentence.js) and in the window (ui/sentence_field.h), knows nothing else of the lesson.
struct SentenceRule {
  std::span<const char* const> own;
  int fewest = 0;
  int most = 0;           // 0: the lesson's sentence is fixed
  int longest_word = 12;  // characters
  /// What may be written: $0 to $1 words of at most $2 characters.
  Text hint = {"$0–$1 个词，每词不超过 $2 个字符，用空格隔开；都不空格时，一个汉字算一个词。清空则恢复原句。",
               "$0–$1 words of at most $2 characters. Empty the field for the lesson’s own."};
  /// Takes a text that isn't blank apart: into words, or into what else the lesson computes with. A refusal
  /// is in both languages and may suggest texts to write instead, a few at most: the sentence with another
  /// word in the place of one that isn't known. The field shows the word alone (shown_of).
  core::Result<std::vector<std::string>> (*read)(const SentenceRule& rule, std::string_view text) = words_of;
};

/// What the field is called, and what goes before the reason why a text wasn't taken.
inline constexpr Text kSentenceName{"你的句子", "Your sentence"};
inline constexpr Text kSentenceRefused{"没有采用，仍用刚才那一句：",
                                       "Not taken; the sentence before stays: "};

/// The rule's hint, filled.
RunText hint_of(const SentenceRule& rule);

/// Nothing but spaces.
bool is_blank(std::string_view text);

/// The lesson's own words.
std::vector<std::string> own_words(const SentenceRule& rule);

/// What to show of a suggestion beside the text it would replace: its words that aren't there, where both
/// have as many; else all of it. web/sentence.js does the same.
std::string shown_of(std::string_view suggestion, std::string_view text);

/// The words with a space between each two; `words_of` takes them apart again.
std::string joined(std::span<const std::string> words);

/// (words, D): a row a word, the same for the same word. One that `known` has keeps its row of `table`
/// (known, D), any other has torch.randn(D) after torch.manual_seed of a hash of its bytes and the seed.
core::Tensor embed_words(std::span<const std::string> words, std::span<const std::string> known,
                         const core::Tensor& table, int seed);

}  // namespace attn::lessons
