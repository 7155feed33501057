#include "core/utf8.h"

#include "support/catch.h"

using attn::core::utf8_length;
using attn::core::well_formed;

TEST_CASE("well-formed UTF-8 is measured by its lead byte") {
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length(std::string_view("\0", 1)) == 1);
  CHECK(utf8_length("é!") == 2);
  CHECK(utf8_length("掩码") == 3);
  CHECK(utf8_length("\xF0\x9F\x99\x82 smile") == 4);
  CHECK(utf8_length("\xF4\x8F\xBF\xBF") == 4);
}

TEST_CASE("what isn't UTF-8 has no length") {
  for (const char* malformed :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x9F\xBF", "\xE4\xB8", "\xED\xA0\x80",
        "\xF0\x8F\xBF\xBF", "\xF0\x9F\x99", "\xF4\x90\x80\x80", "\xFF"}) {
    CAPTURE(malformed);
    CHECK(utf8_length(malformed) == 0);
  }
}

TEST_CASE("malformed bytes become replacement characters and the rest stays") {
  CHECK(well_formed("") == "");
  CHECK(well_formed("掩码 ok") == "掩码 ok");
  CHECK(well_formed("a\xFFz") == "a\uFFFDz");
  CHECK(well_formed("\xE6\x8E") == "\uFFFD\uFFFD");
}
