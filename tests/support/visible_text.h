// Measures of text as a reader counts it: what is left of narration markup on screen, its English words, its
// Chinese characters, its sentences.
#pragma once

#include <string>
#include <string_view>

namespace attn::test {

/// The words of narration markup without the markup; paragraphs become lines.
std::string visible_text(std::string_view markup);

/// Runs of characters between white space.
int word_count(std::string_view text);

/// Code points that are not white space.
int character_count(std::string_view utf8);

/// How many sentences: ends in . ! ? 。 ！ ？ that close the text or stand before white space (a Latin stop)
/// or anything (a Chinese one); a rest without a stop counts as one.
int sentence_count(std::string_view utf8);

}  // namespace attn::test
