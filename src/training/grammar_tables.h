// The grammar as text: its words (grammar_words.cpp), its rules (grammar_rules.cpp). training/grammar reads
// both.
//
// Words come in tables. A table begins with a line of its letter and the names of its columns; every further
// line is an entry: a form for each column, then tags with commas between. `_` in a form is a space, `~` is
// an empty form, `-` a form that does not exist: a sentence that needs it isn't made. An entry that has all
// its forms has the tag `whole`.
//
//   N one any zh m use
//   cat cats 猫 只 ~ animal,pet
//
// A rule is a line: counts, English, `=`, Chinese. What begins with a capital is a slot: the letter of a
// table, a digit if the table has a second slot in the rule, `.column`, `:tag` that the entry must have. The
// column is the first one in English and `zh` in Chinese unless the rule names another. Chinese is joined
// without spaces. Of `am/is/are` and `like/likes` the subject S chooses by its tag first, third or plural.
// `a` becomes `an` before a vowel.
//
//   130+40 S like/likes N.any:like = S 喜欢 N.use N
//
// The counts say how many sentences the corpus gets at most (`all`: as many as there are) with a pronoun
// (table S) and with people (table W) as the subject S. Which ones, is drawn from hashes of rule and words,
// so that rare words come often enough.
//
// A rule that begins with a capital and tags adds entries to a table, with the columns `en` and `zh`:
//
//   W third,other > D K:other = D 的 K
#pragma once

#include <string_view>

namespace attn::training {

std::string_view grammar_words();
std::string_view grammar_rules();

/// Slots of these tables stand together in a rule only if their entries share a tag.
inline constexpr std::string_view kAgreeing[] = {"VN", "AN", "OS", "OW", "IC", "QL", "FX"};

}  // namespace attn::training
