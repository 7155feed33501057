// A vocabulary: which symbol has which number. The first three are special: <pad> = 0, <bos> = 1, <eos> = 2.
// A symbol is a word, a character or a letter; a vocabulary doesn't care which.
//
// It travels as a JSON array of strings, the specials included, in the metadata of a safetensors file:
//   "source_vocabulary": "[\"<pad>\",\"<bos>\",\"<eos>\",\"i\",\"love\"]"
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::io {

class Vocabulary {
 public:
  static constexpr int kPad = 0;  // fills a shorter row of a batch
  static constexpr int kBos = 1;  // begins a target
  static constexpr int kEos = 2;  // ends a target
  static constexpr int kSpecials = 3;

  static constexpr std::size_t kMostSymbols = 65536;
  static constexpr std::size_t kMostBytes = 64;  // of a symbol

  /// The specials alone.
  Vocabulary();

  /// The specials, then `symbols` in this order. Errors name the first symbol that is empty, too long, not
  /// UTF-8, has white space or a control character, is a special or stands there twice, and too many symbols.
  static core::Result<Vocabulary> from_symbols(std::span<const std::string> symbols);

  /// Reads what `to_json` writes. Errors: as above, malformed JSON (with the byte), other specials.
  static core::Result<Vocabulary> from_json(std::string_view json);
  std::string to_json() const;

  int size() const { return static_cast<int>(symbols_.size()); }

  /// The symbol of a number in [0, size()).
  const std::string& symbol(int id) const;

  /// The number of a symbol. If there is none, that of the first which differs only in the case of ASCII
  /// letters.
  std::optional<int> find(std::string_view text) const;

  /// At most `count` symbols, none special, nearest to `text` first; of equally near ones those with lower
  /// numbers. The distance is `edit_distance` between both in lower case.
  std::vector<int> nearest(std::string_view text, std::size_t count) const;

  bool operator==(const Vocabulary& other) const { return symbols_ == other.symbols_; }

 private:
  std::vector<std::string> symbols_;
  std::vector<int> by_text_;  // numbers, sorted by the symbol in lower case, then by the number
};

/// How many characters must be inserted, deleted, replaced or swapped with their neighbour to get from a to
/// b, no character twice (optimal string alignment; Damerau 1964, Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The characters of well-formed UTF-8, a code point each. A byte that belongs to none stands alone.
std::vector<std::string_view> characters_of(std::string_view text);

/// ASCII letters in lower case, everything else as it is.
std::string lower_case(std::string_view text);

}  // namespace attn::io
