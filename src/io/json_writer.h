// Writes JSON (RFC 8259) piece by piece; commas come by themselves. The caller opens and closes in order and
// puts a key before every value of an object. Whatever the text, the result is valid: malformed UTF-8 becomes
// U+FFFD, a float that JSON can't say (NaN, infinity) becomes null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace attn::io {

class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void text(std::string_view utf8);
  void integer(std::int64_t number);
  void number(float number);  // nine significant digits: reads back as the same float
  void null();

  /// A key with its value.
  void text(std::string_view name, std::string_view utf8);
  void integer(std::string_view name, std::int64_t number);

  std::string take() { return std::move(json_); }

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);

  std::string json_;
  bool follows_value_ = false;
};

}  // namespace attn::io
