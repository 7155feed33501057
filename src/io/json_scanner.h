// A strict pull scanner for the little JSON that file headers and commands are made of: punctuation, strings,
// integers and words (RFC 8259). The caller knows what must come next and asks for it, so there is no
// tree, no recursion and no nesting limit to attack; anything else in the text is an error at its byte.
//
// After the first failure every call returns false and `error()` keeps the first message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attn::io {

/// The largest integer that every JSON reader keeps exactly: 2^53 - 1.
inline constexpr std::uint64_t kMaxSafeInteger = (std::uint64_t{1} << 53) - 1;

class JsonScanner {
 public:
  /// Scans `text`, which stays owned by the caller; `first_byte` is where it begins in its file, for
  /// messages.
  JsonScanner(std::span<const std::uint8_t> text, std::size_t first_byte)
      : text_(text), first_byte_(first_byte) {}

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }  // "byte 17: expected ':'"

  /// Skips white space, then consumes `mark` if it is next.
  bool accept(char mark);

  /// As `accept`; anything else than `mark` is an error.
  bool expect(char mark);

  /// Skips white space and looks at the next byte; '\0' at the end and after a failure.
  char next();

  /// Skips white space, then consumes `word` (true, false, null) if it is next.
  bool accept_word(std::string_view word);

  /// Reads a string with its escapes resolved. Errors: not a string, unterminated, a raw control character,
  /// an unknown escape, half a surrogate pair, bytes that are not UTF-8.
  bool read_string(std::string& text);

  /// Reads an integer in [0, kMaxSafeInteger]. Errors: not a number, a sign, a fraction, an exponent, a
  /// leading zero, too large.
  bool read_integer(std::uint64_t& value);

  /// As `read_integer`, with a minus sign allowed.
  bool read_signed(std::int64_t& value);

  /// True when only white space is left; otherwise an error.
  bool expect_end();

  /// Records an error at the current byte.
  bool fail(const char* what);

 private:
  bool at_end() const { return next_ == text_.size(); }
  std::uint8_t peek() const { return text_[next_]; }
  void skip_space();
  bool read_escape(std::string& text);
  bool read_hex4(std::uint32_t& unit);
  bool read_utf8(std::string& text);

  std::span<const std::uint8_t> text_;
  std::size_t first_byte_;
  std::size_t next_ = 0;
  std::string error_;
};

/// A name from a file for use in a message: in quotes, cut after about 60 bytes on a character border,
/// control characters shown as '?'. Expects UTF-8.
std::string quoted(std::string_view name);

}  // namespace attn::io
