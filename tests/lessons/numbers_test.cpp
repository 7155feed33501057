#include "lessons/numbers.h"

#include <cmath>
#include <limits>

#include "lessons/place.h"
#include "support/catch.h"

using namespace attn::lessons;

TEST_CASE("fixed decimals have a real minus sign and no negative zero") {
  CHECK(fixed(-0.125f, 2) == "−0.12");
  CHECK(fixed(1.005f, 0) == "1");
  CHECK(fixed(0.0f, 2) == "0.00");
  CHECK(fixed(-0.0f, 2) == "0.00");
  CHECK(fixed(-0.004f, 2) == "−4.0e−3");
  CHECK(fixed(-1e6f, 1) == "−1000000.0");
}

TEST_CASE("only 0 prints as 0.00: what two decimals can't tell from it has an exponent") {
  CHECK(fixed(1.2e-7f, 2) == "1.2e−7");
  CHECK(fixed(-1.2e-7f, 3) == "−1.2e−7");
  CHECK(fixed(0.006f, 2) == "0.01");
  CHECK(fixed(0.04f, 1) == "0.0");  // one decimal is meant to be coarse
  CHECK(fixed(0.4f, 0) == "0");
  CHECK(cell_number(0.0f, 48.0f) == "0.00");
  CHECK(cell_number(1.2e-7f, 64.0f) == "1.2e−7");
  CHECK(cell_number(1.2e-7f, 40.0f) == "1e−7");
  CHECK(cell_number(-4e-3f, 40.0f) == "−4e−3");
  CHECK(cell_number(0.005f, 40.0f) == "5e−3");
  CHECK(cell_number(0.0051f, 40.0f) == "0.01");
}

TEST_CASE("exponents have one decimal, a real minus sign and a sign of their own") {
  CHECK(exponent(0.59f) == "5.9e−1");
  CHECK(exponent(-1234.0f) == "−1.2e+3");
  CHECK(exponent(1.0f) == "1.0e+0");
  CHECK(exponent(0.0f) == "0.0e+0");
  CHECK(exponent(1e-38f) == "1.0e−38");
}

TEST_CASE("six significant digits are written as short as they are") {
  CHECK(six_digits(0.0f) == "0");
  CHECK(six_digits(-0.0f) == "0");
  CHECK(six_digits(-1.25f) == "−1.25");
  CHECK(six_digits(1.0f / 3.0f) == "0.333333");
  CHECK(six_digits(-1e-7f) == "−1e−07");
  CHECK(six_digits(12345678.0f) == "1.23457e+07");
}

TEST_CASE("what is no number is said in every notation") {
  for (const auto& notation : {fixed(NAN, 2), exponent(NAN), six_digits(NAN), cell_number(NAN, 48)})
    CHECK(notation == "NaN");
  CHECK(fixed(INFINITY, 2) == "∞");
  CHECK(exponent(-INFINITY) == "−∞");
  CHECK(six_digits(-INFINITY) == "−∞");
  CHECK(cell_number(INFINITY, 48) == "∞");
}

TEST_CASE("thousands are separated and patterns have eight digits") {
  CHECK(thousands(0) == "0");
  CHECK(thousands(999) == "999");
  CHECK(thousands(1000) == "1,000");
  CHECK(thousands(11377989) == "11,377,989");
  CHECK(thousands(std::numeric_limits<std::uint32_t>::max()) == "4,294,967,295");
  CHECK(bit_pattern(1.0f) == "0x3F800000");
  CHECK(bit_pattern(0.0f) == "0x00000000");
  CHECK(bit_pattern(-0.0f) == "0x80000000");
}

TEST_CASE("a cell's number fits its cell") {
  CHECK(cell_number(-9.99f, 36.0f) == "−9.99");
  CHECK(cell_number(9.999f, 36.0f) == "10.0");
  CHECK(cell_number(9.999f, 48.0f) == "10.00");
  CHECK(cell_number(-123.4f, 36.0f) == "−123");
  CHECK(cell_number(98765.0f, 48.0f) == "9.9e+4");
}

TEST_CASE("places are said in both languages with layers counted from 1") {
  using attn::tape::Block;
  using attn::tape::Site;
  using attn::tape::Stack;
  CHECK(place_of({Stack::decoder, 0, Block::self_attention, Site::weights}).en ==
        "decoder layer 1 · self-attention · weights");
  CHECK(place_of({Stack::encoder, 5, Block::feed_forward, Site::hidden}).zh ==
        "编码器第 6 层 · 前馈网络 · hidden");
  CHECK(place_of({Stack::decoder, -1, Block::none, Site::output}).zh == "解码器 · output");
}
