#include "io/json_writer.h"

#include <cmath>
#include <cstdio>

#include "core/utf8.h"

namespace attn::io {

void JsonWriter::separate() {
  if (follows_value_) json_ += ',';
  follows_value_ = true;
}

void JsonWriter::open(char bracket) {
  separate();
  json_ += bracket;
  follows_value_ = false;
}

void JsonWriter::close(char bracket) {
  json_ += bracket;
  follows_value_ = true;
}

void JsonWriter::key(std::string_view name) {
  text(name);
  json_ += ':';
  follows_value_ = false;
}

void JsonWriter::text(std::string_view utf8) {
  separate();
  json_ += '"';
  for (const char byte : core::well_formed(utf8)) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      json_ += escape;
      continue;
    }
    if (byte == '"' || byte == '\\') json_ += '\\';
    json_ += byte;
  }
  json_ += '"';
}

void JsonWriter::integer(std::int64_t number) {
  separate();
  json_ += std::to_string(number);
}

void JsonWriter::number(float number) {
  if (!std::isfinite(number)) return null();
  separate();
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(number));
  json_ += digits;
}

void JsonWriter::null() {
  separate();
  json_ += "null";
}

void JsonWriter::text(std::string_view name, std::string_view utf8) {
  key(name);
  text(utf8);
}

void JsonWriter::integer(std::string_view name, std::int64_t number) {
  key(name);
  integer(number);
}

}  // namespace attn::io
