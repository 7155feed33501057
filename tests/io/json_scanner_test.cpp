#include "io/json_scanner.h"

#include "support/catch.h"

namespace {

using attn::io::JsonScanner;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The string that `text` spells, or the scanner's error.
std::string scanned_string(std::string_view text) {
  JsonScanner scanner(bytes_of(text), 0);
  std::string value;
  return scanner.read_string(value) && scanner.expect_end() ? value : "error: " + scanner.error();
}

std::string scanned_integer(std::string_view text) {
  JsonScanner scanner(bytes_of(text), 0);
  std::uint64_t value = 0;
  return scanner.read_integer(value) && scanner.expect_end() ? std::to_string(value)
                                                             : "error: " + scanner.error();
}

}  // namespace

TEST_CASE("JSON strings are read with every escape of RFC 8259") {
  CHECK(scanned_string(R"("plain")") == "plain");
  CHECK(scanned_string("\"\"").empty());
  CHECK(scanned_string(" \t\r\n\"x\" ") == "x");
  CHECK(scanned_string(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(scanned_string(R"("\u0041\u00e9\u6ce8\uD83D\uDE00")") == "A\u00e9\u6ce8\U0001F600");
  CHECK(scanned_string("\"\u6ce8\U0001F600\"") == "\u6ce8\U0001F600");
  CHECK(scanned_string(R"("\u0000")") == std::string(1, '\0'));
}

TEST_CASE("JSON strings that are malformed say what is wrong and at which byte") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "error: byte 0: expected a string"},
      {"7", "error: byte 0: expected a string"},
      {"\"abc", "error: byte 4: a string without its closing quote"},
      {"\"a\nb\"", "error: byte 2: a raw control character in a string"},
      {R"("\x41")", "error: byte 2: an unknown escape"},
      {"\"\\", "error: byte 2: an unfinished escape"},
      {R"("\u12)", "error: byte 5: an unfinished \\u escape"},
      {R"("\u12g4")", "error: byte 5: a \\u escape without four hexadecimal digits"},
      {R"("\uDC00")", "error: byte 7: half a surrogate pair"},
      {R"("\uD800")", "error: byte 7: half a surrogate pair"},
      {R"("\uD800\n")", "error: byte 7: half a surrogate pair"},
      {R"("\uD800\u0041")", "error: byte 13: half a surrogate pair"},
      {"\"\x80\"", "error: byte 1: bytes that are not UTF-8"},
      {"\"\xC0\xAF\"", "error: byte 1: bytes that are not UTF-8"},          // overlong
      {"\"\xED\xA0\x80\"", "error: byte 1: bytes that are not UTF-8"},      // a surrogate
      {"\"\xF4\x90\x80\x80\"", "error: byte 1: bytes that are not UTF-8"},  // above U+10FFFF
      {"\"\xE6\xB3\"", "error: byte 1: bytes that are not UTF-8"},
      {"\"\xE6", "error: byte 1: bytes that are not UTF-8"},
      {"\"a\"b", "error: byte 3: text after the end of the JSON object"},
  };
  for (const auto& [text, expected] : cases) CHECK(scanned_string(text) == expected);
}

TEST_CASE("JSON integers are read up to 2^53 - 1 and everything else is refused") {
  CHECK(scanned_integer("0") == "0");
  CHECK(scanned_integer(" 42 ") == "42");
  CHECK(scanned_integer("9007199254740991") == "9007199254740991");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"9007199254740992", "integer above 2^53 - 1"},
      {"99999999999999999999999999", "integer above 2^53 - 1"},
      {"-1", "negative number"},
      {"-0", "negative number"},
      {"1.0", "fraction or exponent"},
      {"1e2", "fraction or exponent"},
      {"1E2", "fraction or exponent"},
      {"01", "leading zero"},
      {"+1", "expected a non-negative integer"},
      {"", "expected a non-negative integer"},
      {"\"1\"", "expected a non-negative integer"},
      {"[1]", "expected a non-negative integer"},
      {"null", "expected a non-negative integer"},
  };
  for (const auto& [text, fragment] : cases) {
    CAPTURE(text);
    CHECK(scanned_integer(text).find(fragment) != std::string::npos);
  }
}

TEST_CASE("A JSON scanner reads signed integers with a minus sign right before the digits") {
  const auto scanned = [](std::string_view text) {
    JsonScanner scanner(bytes_of(text), 0);
    std::int64_t value = 0;
    return scanner.read_signed(value) ? std::to_string(value) : scanner.error();
  };
  CHECK(scanned(" 12") == "12");
  CHECK(scanned(" -12 ") == "-12");
  CHECK(scanned("-0") == "0");
  CHECK(scanned("-9007199254740991") == "-9007199254740991");
  CHECK(scanned("-9007199254740992").find("above 2^53 - 1") != std::string::npos);
  for (const char* text : {"-", "- 1", "--1", "-x"})
    CHECK(scanned(text) == "byte 1: a minus sign without a number");
  CHECK(scanned("-01").find("leading zero") != std::string::npos);
}

TEST_CASE("A JSON scanner looks ahead and accepts whole words") {
  JsonScanner scanner(bytes_of("  true ,fals"), 0);
  CHECK(scanner.next() == 't');
  CHECK_FALSE(scanner.accept_word("tru\n"));
  CHECK_FALSE(scanner.accept_word("null"));
  CHECK(scanner.accept_word("true"));
  CHECK(scanner.next() == ',');
  CHECK(scanner.accept(','));
  CHECK_FALSE(scanner.accept_word("false"));
  CHECK(scanner.accept_word("fals"));
  CHECK(scanner.next() == '\0');
  CHECK_FALSE(scanner.failed());
}

TEST_CASE("A JSON scanner keeps its first error and does nothing afterwards") {
  JsonScanner scanner(bytes_of("1 2"), 100);
  CHECK_FALSE(scanner.expect('['));
  CHECK(scanner.error() == "byte 100: expected '['");
  std::uint64_t value = 7;
  CHECK_FALSE(scanner.read_integer(value));
  CHECK(value == 7);
  CHECK_FALSE(scanner.accept('1'));
  CHECK_FALSE(scanner.expect_end());
  CHECK(scanner.error() == "byte 100: expected '['");
}

TEST_CASE("Names in messages are cut on a character border and have no control characters") {
  CHECK(attn::io::quoted("a.b") == "'a.b'");
  CHECK(attn::io::quoted(std::string_view("a\n\0b\x7F", 5)) == "'a??b?'");
  CHECK(attn::io::quoted(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  CHECK(attn::io::quoted(std::string(5000, 'x')) == "'" + std::string(60, 'x') + "...'");
  const std::string cut = std::string(59, 'x') + "\u6ce8";
  CHECK(attn::io::quoted(cut) == "'" + std::string(59, 'x') + "...'");
}
