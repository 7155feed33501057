#include "io/json_scanner.h"

#include "core/result.h"
#include "core/utf8.h"

namespace attn::io {
namespace {

bool is_digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | (point >> 6));
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3F));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

}  // namespace

bool JsonScanner::fail(const char* what) {
  if (!failed()) error_ = core::error_at("byte %zu: %s", first_byte_ + next_, what).message;
  return false;
}

void JsonScanner::skip_space() {
  while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++next_;
}

bool JsonScanner::accept(char mark) {
  if (failed()) return false;
  skip_space();
  if (at_end() || peek() != static_cast<std::uint8_t>(mark)) return false;
  ++next_;
  return true;
}

char JsonScanner::next() {
  if (failed()) return '\0';
  skip_space();
  return at_end() ? '\0' : static_cast<char>(peek());
}

bool JsonScanner::accept_word(std::string_view word) {
  if (next() == '\0' || text_.size() - next_ < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (text_[next_ + i] != static_cast<std::uint8_t>(word[i])) return false;
  next_ += word.size();
  return true;
}

bool JsonScanner::expect(char mark) {
  if (accept(mark)) return true;
  const char what[] = {'e', 'x', 'p', 'e', 'c', 't', 'e', 'd', ' ', '\'', mark, '\'', '\0'};
  return fail(what);
}

bool JsonScanner::expect_end() {
  if (failed()) return false;
  skip_space();
  return at_end() ? true : fail("text after the end of the JSON object");
}

bool JsonScanner::read_integer(std::uint64_t& value) {
  if (failed()) return false;
  skip_space();
  if (!at_end() && peek() == '-') return fail("a negative number; expected a non-negative integer");
  if (at_end() || !is_digit(peek())) return fail("expected a non-negative integer");
  if (peek() == '0' && next_ + 1 < text_.size() && is_digit(text_[next_ + 1]))
    return fail("a number with a leading zero");
  value = 0;
  for (; !at_end() && is_digit(peek()); ++next_) {
    value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
    if (value > kMaxSafeInteger) return fail("an integer above 2^53 - 1");
  }
  if (!at_end() && (peek() == '.' || peek() == 'e' || peek() == 'E'))
    return fail("a number with a fraction or exponent; expected a non-negative integer");
  return true;
}

bool JsonScanner::read_signed(std::int64_t& value) {
  const bool negative = next() == '-';
  if (negative && (++next_ == text_.size() || !is_digit(peek())))
    return fail("a minus sign without a number");
  std::uint64_t magnitude = 0;
  if (!read_integer(magnitude)) return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return true;
}

bool JsonScanner::read_string(std::string& text) {
  if (failed()) return false;
  skip_space();
  if (at_end() || peek() != '"') return fail("expected a string");
  ++next_;
  text.clear();
  while (!at_end()) {
    const std::uint8_t byte = peek();
    if (byte == '"') {
      ++next_;
      return true;
    }
    if (byte < 0x20) return fail("a raw control character in a string");
    if (byte == '\\' ? !read_escape(text) : !read_utf8(text)) return false;
  }
  return fail("a string without its closing quote");
}

bool JsonScanner::read_utf8(std::string& text) {
  const std::span<const std::uint8_t> rest = text_.subspan(next_);
  const std::size_t length = core::utf8_length({reinterpret_cast<const char*>(rest.data()), rest.size()});
  if (length == 0) return fail("bytes that are not UTF-8");
  for (std::size_t i = 0; i < length; ++i) text.push_back(static_cast<char>(text_[next_ + i]));
  next_ += length;
  return true;
}

bool JsonScanner::read_hex4(std::uint32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++next_) {
    if (at_end()) return fail("an unfinished \\u escape");
    const std::uint8_t byte = peek();
    std::uint32_t digit = 0;
    if (is_digit(byte)) {
      digit = byte - std::uint32_t{'0'};
    } else if (byte >= 'a' && byte <= 'f') {
      digit = byte - std::uint32_t{'a'} + 10;
    } else if (byte >= 'A' && byte <= 'F') {
      digit = byte - std::uint32_t{'A'} + 10;
    } else {
      return fail("a \\u escape without four hexadecimal digits");
    }
    unit = unit * 16 + digit;
  }
  return true;
}

bool JsonScanner::read_escape(std::string& text) {
  ++next_;  // the backslash
  if (at_end()) return fail("an unfinished escape");
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t simple = kLetters.find(static_cast<char>(peek()));
  if (simple != std::string_view::npos) {
    text.push_back(kMeanings[simple]);
    ++next_;
    return true;
  }
  if (peek() != 'u') return fail("an unknown escape");
  ++next_;
  std::uint32_t unit = 0;
  if (!read_hex4(unit)) return false;
  if (unit >= 0xDC00 && unit <= 0xDFFF) return fail("half a surrogate pair");
  if (unit >= 0xD800 && unit <= 0xDBFF) {
    std::uint32_t low = 0;
    if (text_.size() - next_ < 2 || text_[next_] != '\\' || text_[next_ + 1] != 'u')
      return fail("half a surrogate pair");
    next_ += 2;
    if (!read_hex4(low)) return false;
    if (low < 0xDC00 || low > 0xDFFF) return fail("half a surrogate pair");
    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(text, unit);
  return true;
}

std::string quoted(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  std::size_t end = name.size();
  if (end > kLongest) {
    end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  }
  std::string text = "'";
  for (const char byte : name.substr(0, end)) {
    const auto code = static_cast<unsigned char>(byte);
    text.push_back(code < 0x20 || code == 0x7F ? '?' : byte);
  }
  return text + (end < name.size() ? "...'" : "'");
}

}  // namespace attn::io
