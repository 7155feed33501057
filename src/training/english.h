// English sentences between what a reader writes and the words that a corpus has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::training {

/// The words of a sentence, in lower case: punctuation is left out, short forms are written out
/// ("don't" → do not, "I'm" → i am, "let's" → let us), with either apostrophe.
std::vector<std::string> words_of(std::string_view sentence);

/// Words in lower case as one writes them: spaces between, a capital at the beginning, in I and in names
/// ("i speak chinese" → "I speak Chinese").
std::string written(std::string_view words);

}  // namespace attn::training
