// The grammar's text (training/grammar_tables.h), read: tables of words, and rules with slots for them.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::training {

using Tags = std::bitset<128>;

/// The tags with a meaning of their own; all others only have to be shared.
enum : std::size_t { kWhole, kThird, kPlural };

struct Word {
  std::string text;
  int uses = 0;  // in sentences made so far
};

struct Entry {
  std::vector<std::string> forms;               // one a column; "-" does not exist
  std::vector<std::vector<std::size_t>> words;  // of each form, in Lexicon::words
  Tags tags;
  std::uint64_t hash = 0;  // of the forms
};

struct Table {
  std::vector<std::string> columns;
  std::vector<Entry> entries;
};

struct Lexicon {
  std::array<Table, 26> tables;  // A to Z
  std::vector<Word> words;
  std::vector<std::string_view> tag_names{"whole", "third", "plural"};

  Table& table(char letter) { return tables[static_cast<std::size_t>(letter - 'A')]; }
};

/// All tables of the text, which must stay.
Lexicon read_words(std::string_view text);

/// Adds an entry with a form for each column.
void add_entry(Lexicon& lexicon, char table, std::vector<std::string> forms, Tags tags);

/// What stands at one place of a rule: a text, or a slot's form.
struct Part {
  std::string text;
  std::vector<std::size_t> words;  // of the text
  int slot = -1;                   // of Rule::slots
  std::size_t column = 0;
};

/// One place in English: a part, or several of which the subject chooses.
using Choice = std::vector<Part>;

struct Slot {
  std::string name;  // letter and digit
  char table = 0;
  Tags filter;  // every entry must have these
};

inline constexpr std::size_t kAll = SIZE_MAX;

struct Rule {
  std::size_t most = kAll;         // sentences, with S from table S
  std::size_t most_of_people = 0;  // sentences, with S from table W
  char makes = 0;                  // the table that it adds entries to; 0: it makes sentences
  Tags tags;                       // of these entries
  std::uint64_t hash = 0;          // of English and Chinese
  std::vector<Slot> slots;
  std::vector<Choice> english;
  std::vector<Part> chinese;
};

/// Reads one line; its tables must be there.
Rule read_rule(Lexicon& lexicon, std::string_view line);

/// The pieces between the marks, without empty ones.
std::vector<std::string_view> split(std::string_view text, char mark);

}  // namespace attn::training
