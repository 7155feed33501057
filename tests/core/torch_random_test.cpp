#include "core/torch_random.h"

#include <cmath>
#include <vector>

#include "core/bits.h"
#include "support/catch.h"

using attn::core::bits_of;
using attn::core::multiply_add_rounded_once;
using attn::core::TorchGenerator;

namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// round(value · 2^scale), ties to even, for integers: the reference that the multiply-add is held against.
// `value` is exact.
float float_of_integer(Wide value, int scale) {
  const bool negative = value < 0;
  auto magnitude = static_cast<UnsignedWide>(negative ? -value : value);
  int exponent = 0;
  bool sticky = false;
  while (magnitude >> 25 != 0) {
    sticky = sticky || (magnitude & 1) != 0;
    magnitude >>= 1;
    ++exponent;
  }
  if (magnitude >> 24 != 0) {
    const bool half = (magnitude & 1) != 0;
    magnitude >>= 1;
    ++exponent;
    if (half && (sticky || (magnitude & 1) != 0)) ++magnitude;
  }
  const double result = std::ldexp(static_cast<double>(magnitude), exponent - scale);
  return static_cast<float>(negative ? -result : result);
}

float rounded_twice(float x, float y, float z) {
  return static_cast<float>(static_cast<double>(x) * static_cast<double>(y) + static_cast<double>(z));
}

}  // namespace

TEST_CASE("The generator is MT19937") {
  TorchGenerator generator(5489);
  for (int i = 0; i < 9999; ++i) generator.next32();
  CHECK(generator.next32() == 4123659995u);  // [rand.predef] of the C++ standard
}

TEST_CASE("Uniform numbers come from the low bits of a draw") {
  TorchGenerator raw(7);
  TorchGenerator uniform(7);
  for (int i = 0; i < 100; ++i) {
    const float expected = static_cast<float>(raw.next32() % (1u << 24)) / 16777216.0f;
    REQUIRE(bits_of(uniform.uniform_float()) == bits_of(expected));
  }
  const std::uint64_t high = raw.next32();
  const std::uint64_t pattern = high << 32 | raw.next32();
  CHECK(uniform.uniform_double() ==
        static_cast<double>(pattern % (std::uint64_t{1} << 53)) / 9007199254740992.0);
}

TEST_CASE("A multiply-add whose sum looks like a tie in double precision is still rounded once") {
  // Just below the middle of z and its neighbour, by less than a double can say; z's last bit is odd.
  const float z = 1.0f + 0x1p-23f;
  const float x = 8388609.0f * 0x1p-36f;
  const float y = 16777214.0f * 0x1p-35f;  // x·y = 2^-24 - 2·2^-71
  CHECK(rounded_twice(x, y, z) == 1.0f + 0x1p-22f);
  CHECK(bits_of(multiply_add_rounded_once(x, y, z)) == bits_of(z));
  CHECK(bits_of(multiply_add_rounded_once(-x, y, -z)) == bits_of(-z));
  // Just above the middle of 1 and its neighbour.
  const float p = 8390641.0f * 0x1p-36f;
  const float q = 16773151.0f * 0x1p-35f;  // p·q = 2^-24 + 124463·2^-71
  CHECK(rounded_twice(p, q, 1.0f) == 1.0f);
  CHECK(bits_of(multiply_add_rounded_once(p, q, 1.0f)) == bits_of(1.0f + 0x1p-23f));
  CHECK(bits_of(multiply_add_rounded_once(p, -q, -1.0f)) == bits_of(-1.0f - 0x1p-23f));
}

TEST_CASE("Multiply-adds equal exact integer arithmetic rounded once") {
  TorchGenerator generator(1);
  int twice_differs = 0;
  for (int i = 0; i < 200'000; ++i) {
    // x = a·2^-24, y = b·2^-24, z = c·2^-s: the sum is an integer multiple of 2^-72.
    const auto a = static_cast<std::int64_t>(generator.next32() & 0xFFFFFF);
    const auto b = static_cast<std::int64_t>(generator.next32() & 0xFFFFFF);
    auto c = static_cast<std::int64_t>(generator.next32() & 0xFFFFFF);
    const int s = 10 + static_cast<int>(generator.next32() % 62);
    if (generator.next32() % 2 == 0) c = -c;
    const float x = static_cast<float>(a) * 0x1p-24f;
    const float y = static_cast<float>(b) * 0x1p-24f;
    const float z = std::ldexp(static_cast<float>(c), -s);
    const Wide exact =
        (static_cast<Wide>(a * b) << 24) + static_cast<Wide>(c) * (static_cast<Wide>(1) << (72 - s));
    const float expected = float_of_integer(exact, 72);
    const float once = multiply_add_rounded_once(x, y, z);
    if (bits_of(once) != bits_of(expected)) FAIL("a " << a << " b " << b << " c " << c << " s " << s);
    if (x * y + z != expected) ++twice_differs;
  }
  CHECK(twice_differs > 10'000);  // two roundings do differ on such numbers
}

TEST_CASE("Fills stay inside their bounds and depend on the seed alone") {
  std::vector<float> first(1000);
  std::vector<float> again(1000);
  std::vector<float> other(1000);
  TorchGenerator a(3), b(3), c(4);
  attn::core::fill_uniform(first, -0.25f, 0.75f, a);
  attn::core::fill_uniform(again, -0.25f, 0.75f, b);
  attn::core::fill_uniform(other, -0.25f, 0.75f, c);
  CHECK(first == again);
  CHECK(first != other);
  for (const float value : first) REQUIRE((value >= -0.25f && value <= 0.75f));
}
