#include "training/english.h"

#include <algorithm>

#include "io/vocabulary.h"

namespace attn::training {
namespace {

constexpr std::string_view kWithCapital[] = {"i", "chinese", "english", "china", "beijing", "shanghai"};

// Ends of words with an apostrophe, and what they stand for. Whole words come first.
constexpr std::string_view kShort[][2] = {
    {"can't", "cannot"}, {"won't", "will not"}, {"let's", "let us"}, {"n't", " not"},  {"'m", " am"},
    {"'re", " are"},     {"'s", " is"},         {"'ll", " will"},    {"'ve", " have"},
};

bool is_word_byte(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || byte == '\'' ||
         byte == '-';
}

// Every occurrence of `from` replaced.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string written_out(std::string word) {
  for (const auto& [short_form, full] : kShort)
    if (word.ends_with(short_form))
      return word.substr(0, word.size() - short_form.size()) + std::string(full);
  return word;
}

}  // namespace

std::vector<std::string> words_of(std::string_view sentence) {
  std::string text = io::lower_case(sentence);
  replace_all(text, "\u2019", "'");
  for (const std::string_view mark : {"\u3000", "\u3002", "\uFF0C", "\uFF01", "\uFF1F", "\u00A0"})
    replace_all(text, mark, " ");
  std::vector<std::string> words;
  const auto add = [&](std::string_view word) {
    if (!word.empty()) words.emplace_back(word);
  };
  std::size_t next = 0;
  while (next < text.size()) {
    std::size_t end = next;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    const std::string full = written_out(text.substr(next, end - next));
    const std::size_t space = std::min(full.find(' '), full.size());
    add(std::string_view(full).substr(0, space));
    if (space < full.size()) add(std::string_view(full).substr(space + 1));
    next = end + 1;
  }
  return words;
}

std::string written(std::string_view words) {
  std::string text(words);
  const auto raise = [&](std::size_t at) {
    if (text[at] >= 'a' && text[at] <= 'z') text[at] = static_cast<char>(text[at] - 'a' + 'A');
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    const bool is_name =
        std::find(std::begin(kWithCapital), std::end(kWithCapital), word) != std::end(kWithCapital);
    if (!word.empty() && (begin == 0 || is_name)) raise(begin);
    begin = end + 1;
  }
  return text;
}

}  // namespace attn::training
