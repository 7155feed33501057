#include "support/visible_text.h"

#include "lessons/text.h"

namespace attn::test {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Bytes of a stop at the start of `text`, 0 if there is none.
std::size_t stop_length(std::string_view text) {
  for (const std::string_view stop : {"。", "！", "？"})
    if (text.substr(0, stop.size()) == stop) return stop.size();
  const bool latin = text[0] == '.' || text[0] == '!' || text[0] == '?';
  return latin && (text.size() == 1 || is_space(text[1])) ? 1 : 0;
}

}  // namespace

std::string visible_text(std::string_view markup) {
  std::string text;
  for (const lessons::Paragraph& paragraph : lessons::parse_narration(markup)) {
    if (!text.empty()) text += '\n';
    for (const lessons::TextRun& run : paragraph) text += run.text;
  }
  return text;
}

int word_count(std::string_view text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    if (!inside && !is_space(c)) ++words;
    inside = !is_space(c);
  }
  return words;
}

int character_count(std::string_view utf8) {
  int characters = 0;
  for (const char c : utf8)
    if (!is_space(c) && (static_cast<unsigned char>(c) & 0xC0) != 0x80) ++characters;
  return characters;
}

int sentence_count(std::string_view utf8) {
  int sentences = 0;
  bool open = false;
  while (!utf8.empty()) {
    const std::size_t stop = stop_length(utf8);
    if (stop > 0 && open) ++sentences;
    open = stop == 0 && (open || !is_space(utf8[0]));
    utf8.remove_prefix(stop > 0 ? stop : 1);
  }
  return sentences + (open ? 1 : 0);
}

}  // namespace attn::test
