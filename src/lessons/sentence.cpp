#include "lessons/sentence.h"

#include <algorithm>

#include "core/bits.h"
#include "core/torch_random.h"
#include "core/utf8.h"
#include "nn/initialize.h"

namespace attn::lessons {
namespace {

constexpr std::string_view kWideSpace = "\u3000";

/// Bytes of the space that `text` begins with, 0 if there is none.
std::size_t space_at(std::string_view text) {
  if (text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r') return 1;
  return text.starts_with(kWideSpace) ? kWideSpace.size() : 0;
}

/// U+2E80 to U+FFFF but for Hangul, and all above, written without spaces: three bytes from E2 BA on, or
/// four.
bool is_ideograph(std::string_view character) {
  return character.size() == 4 || (character.size() == 3 && character >= "\u2E80" &&
                                   !(character >= "\uAC00" && character <= "\uD7A3"));
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && space_at(text) > 0) text.remove_prefix(space_at(text));
  while (!text.empty()) {
    const std::size_t last = text.ends_with(kWideSpace) ? kWideSpace.size() : 1;
    if (space_at(text.substr(text.size() - last)) == 0) break;
    text.remove_suffix(last);
  }
  return text;
}

bool has_space(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at += core::utf8_length(text.substr(at)))
    if (space_at(text.substr(at)) > 0) return true;
  return false;
}

core::Status check_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const std::size_t length = core::utf8_length(rest);
    if (length == 0) return core::error_at("byte %zu is no character", at);  // a reader can't write that
    const auto code = static_cast<unsigned char>(rest[0]);
    if ((code < 0x20 && space_at(rest) == 0) || code == 0x7F)
      return refusal({"里面有一个看不见的控制字符", "there is an invisible control character in it"});
    if (code == '{' || code == '}' || code == '|')
      return refusal({"词里不能有 $0", "$0 can't stand in a word"}, {std::string(1, rest[0])});
    at += length;
  }
  return core::ok_status();
}

/// Of well-formed text.
std::vector<std::string> split(std::string_view text) {
  text = trimmed(text);
  const bool spaced = has_space(text);
  std::vector<std::string> words;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t space = space_at(text);
    const std::string_view character = text.substr(0, core::utf8_length(text));
    const bool alone = !spaced && is_ideograph(character);
    if (space == 0) {
      if (!inside || alone) words.emplace_back();
      words.back() += character;
    }
    inside = space == 0 && !alone;
    text.remove_prefix(space > 0 ? space : character.size());
  }
  return words;
}

int character_count(std::string_view word) {
  return static_cast<int>(std::count_if(
      word.begin(), word.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

void draw_row(std::string_view word, int seed, std::span<float> row) {
  const std::uint64_t hash = core::fnv1a(word.data(), word.size());
  const auto mixed = static_cast<std::uint32_t>(hash ^ (hash >> 32));
  core::TorchGenerator generator(mixed + static_cast<std::uint32_t>(seed));
  nn::fill_normal(row, generator);
}

}  // namespace

core::Result<std::vector<std::string>> words_of(const SentenceRule& rule, std::string_view text) {
  if (core::Status valid = check_characters(text); !valid.ok()) return valid.failure();
  std::vector<std::string> words = split(text);
  const auto count = static_cast<int>(words.size());
  for (const std::string& word : words)
    if (character_count(word) > rule.longest_word)
      return refusal({"$0超过了 $1 个字符", "the word $0 is longer than $1 characters"},
                     {in_quotes(word), rule.longest_word});
  if (count >= rule.fewest && count <= rule.most) return words;
  core::Error refused =
      refusal({"这一课要写 $0 到 $1 个词，这里有 $2 个", "this lesson takes $0 to $1 words, not $2"},
              {rule.fewest, rule.most, count});
  if (count > rule.most)
    refused.suggestions.push_back(joined(std::span(words).first(static_cast<std::size_t>(rule.most))));
  return refused;
}

RunText hint_of(const SentenceRule& rule) {
  return fill(rule.hint, {rule.fewest, rule.most, rule.longest_word});
}

bool is_blank(std::string_view text) { return trimmed(text).empty(); }

std::vector<std::string> own_words(const SentenceRule& rule) { return {rule.own.begin(), rule.own.end()}; }

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string shown_of(std::string_view suggestion, std::string_view text) {
  const std::vector<std::string> words = split(suggestion);
  const std::vector<std::string> before = split(text);
  std::vector<std::string> others;
  for (std::size_t i = 0; words.size() == before.size() && i < words.size(); ++i)
    if (words[i] != before[i]) others.push_back(words[i]);
  return joined(others.empty() ? words : others);
}

core::Tensor embed_words(std::span<const std::string> words, std::span<const std::string> known,
                         const core::Tensor& table, int seed) {
  const int width = table.shape()[1];
  core::Tensor rows(core::Shape{static_cast<int>(words.size()), width});
  for (std::size_t i = 0; i < words.size(); ++i) {
    float* row = rows.values() + static_cast<int>(i) * width;
    const auto place = std::find(known.begin(), known.end(), words[i]);
    if (place == known.end())
      draw_row(words[i], seed, {row, static_cast<std::size_t>(width)});
    else
      std::copy_n(table.values() + static_cast<int>(place - known.begin()) * width, width, row);
  }
  return rows;
}

}  // namespace attn::lessons
