// The terms of the field with what they mean, and where they stand in a narration. Lessons need no markup for
// them: a term is found by its spellings, and a letter with a role ({q|q}, {v|V}) is that role's term.
#pragma once

#include <bitset>
#include <span>

#include "lessons/text.h"

namespace attn::lessons {

struct Term {
  Text name;        // "查询 query", "query"
  Text definition;  // one sentence
  /// How the term is written, in either language, in small letters, separated by '|'. "个<头": 头, where 个
  /// stands before it. ASCII ends at the end of a word; its case doesn't matter.
  const char* spellings = "";
  /// A run of this role is the term where it has one of these spellings, as words too short or too common to
  /// be it elsewhere.
  Role role = Role::plain;
  const char* role_spellings = "";
};

std::span<const Term> glossary();

/// Terms that were explained before, by their place in the glossary.
using TermsSeen = std::bitset<64>;

struct TermPlace {
  const Term* term = nullptr;
  std::size_t begin = 0;  // byte of the run
  std::size_t size = 0;
};

/// The first term of a run, from byte `from` on, that isn't in `seen`; it is from now on. The longest at its
/// place. No term: `begin` is the end of the run.
TermPlace next_term(const TextRun& run, std::size_t from, TermsSeen& seen);

/// The paragraph with every term that isn't in `seen` as a run of its own.
Paragraph with_terms(const Paragraph& paragraph, TermsSeen& seen);

}  // namespace attn::lessons
