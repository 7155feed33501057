#include "io/json_writer.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/bits.h"
#include "support/catch.h"

using attn::io::JsonWriter;
using nlohmann::json;

namespace {

std::string written(std::string_view text) {
  JsonWriter writer;
  writer.text(text);
  return writer.take();
}

}  // namespace

TEST_CASE("commas stand between values and nowhere else") {
  JsonWriter writer;
  writer.begin_object();
  writer.key("empty");
  writer.begin_array();
  writer.end_array();
  writer.key("list");
  writer.begin_array();
  writer.integer(-1);
  writer.begin_object();
  writer.end_object();
  writer.null();
  writer.number(0.5f);
  writer.end_array();
  writer.text("name", "value");
  writer.integer("large", 4294967295);
  writer.end_object();
  CHECK(writer.take() == R"({"empty":[],"list":[-1,{},null,0.5],"name":"value","large":4294967295})");
}

TEST_CASE("any text is valid JSON and reads back") {
  std::string every_byte;
  for (int byte = 0; byte < 128; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& text :
       {std::string("\"\\/\b\f\n\r\t"), every_byte, std::string("掩码 √dₖ \xF0\x9F\x99\x82")})
    CHECK(json::parse(written(text)).get<std::string>() == text);
  CHECK(json::parse(written("a\xFF\xED\xA0\x80z")).get<std::string>() == "a\uFFFD\uFFFD\uFFFD\uFFFDz");
}

TEST_CASE("a float reads back to the same bits") {
  for (const float value :
       {0.0f, -0.0f, 0.1f, 1.0f / 3.0f, -1e-30f, 1.17549435e-38f, 1e-45f, 3.40282347e38f, 16777217.0f}) {
    JsonWriter writer;
    writer.number(value);
    const std::string text = writer.take();
    CAPTURE(text);
    CHECK(json::accept(text));
    CHECK(attn::core::bits_of(std::strtof(text.c_str(), nullptr)) == attn::core::bits_of(value));
  }
}

TEST_CASE("a float that JSON can't say is null") {
  for (const float value : {NAN, INFINITY, -INFINITY}) {
    JsonWriter writer;
    writer.number(value);
    CHECK(writer.take() == "null");
  }
}
