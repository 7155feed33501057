// Text a reader sees: always in both languages, with runs that carry a role instead of a colour.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "tape/label.h"

namespace attn::lessons {

enum class Language : std::uint8_t { zh, en };

/// Fixed text.
struct Text {
  const char* zh = "";
  const char* en = "";

  const char* in(Language language) const { return language == Language::zh ? zh : en; }
};

/// Text with numbers of a run in it.
struct RunText {
  std::string zh;
  std::string en;

  const std::string& in(Language language) const { return language == Language::zh ? zh : en; }
};

/// A value for a place in a pattern: a number, the same words in both languages, or a wording for each. It
/// only looks at the words it is made of, so it lives no longer than the call it is written in.
struct Filling {
  const char* zh = nullptr;  // null: the number
  const char* en = nullptr;
  int number = 0;

  Filling(int value) : number(value) {}                                                // NOLINT
  Filling(const char* same) : zh(same), en(same) {}                                    // NOLINT
  Filling(const std::string& same) : Filling(same.c_str()) {}                          // NOLINT
  Filling(const RunText& wording) : zh(wording.zh.c_str()), en(wording.en.c_str()) {}  // NOLINT
  Filling(const Text& wording) : zh(wording.zh), en(wording.en) {}                     // NOLINT
};

/// The pattern with $0 to $9 replaced by the fillings, in both languages: fill({"第 $0 行", "row $0"}, {3}).
/// A place without a filling stays as it is written, so a test can find it.
RunText fill(const Text& pattern, std::initializer_list<Filling> fillings = {});

/// Appends the filled pattern.
void add(RunText& text, const Text& pattern, std::initializer_list<Filling> fillings = {});

/// A name somebody else wrote, for a message: cut and cleaned (io::quoted), in the quotes of each language.
RunText in_quotes(std::string_view name);

/// An error that a reader may come to see, in both languages.
core::Error refusal(const Text& pattern, std::initializer_list<Filling> fillings = {});

/// What an error says to a reader. One that only a programmer meets is English.
const std::string& said_in(const core::Error& error, Language language);

/// "1 row", "2 rows": for English; Chinese has no plural.
RunText counted(int count, const Text& one, const char* several_en);

RunText& operator+=(RunText& text, const RunText& more);

/// What a stretch of narration talks about. The page and the canvas give each role one colour and one weight.
enum class Role : std::uint8_t { plain, strong, code, query, key, value, output, memory, equal, different };

/// What a word of the narration and a block of the stage have in common, by which they light each other: a
/// role (query, key, value, output or memory), or a tensor by its site, in every layer or in one.
struct Topic {
  Role role = Role::plain;
  tape::Site site = tape::Site::unnamed;
  int layer = -1;  // of a word, -1: whatever the layer

  /// Words of this topic speak of a block of that one.
  bool covers(const Topic& block) const;
  bool lights() const { return *this != Topic{}; }
  bool operator==(const Topic&) const = default;
};

/// A topic as one number for the page, below 2^16, 0 for none; a number that is no topic is none.
int code_of(const Topic& topic);
Topic topic_of(int code);

struct Term;  // of lessons/glossary.h

struct TextRun {
  std::string text;
  Role role = Role::plain;
  Topic topic = {};            // what its words light on the stage; most light nothing
  const Term* term = nullptr;  // what it explains: lessons::with_terms
};
using Paragraph = std::vector<TextRun>;

/// Narration markup: paragraphs are separated by '\n'; `{role|words}` gives words a role, with the role names
/// strong, code, q, k, v, out, mem, eq, ne; `{scores|words}` makes them strong and lights the tensors of that
/// name (tape::Site), `{2.weights|words}` those of layer 2. Everything else is plain. Unknown names and stray
/// braces stay visible as they were written, so a test can find them.
std::vector<Paragraph> parse_narration(std::string_view markup);

/// The name used in markup and in JSON: "plain", "strong", "q", …
std::string_view name_of(Role role);

}  // namespace attn::lessons
