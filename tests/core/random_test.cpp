#include "core/random.h"

#include <cmath>
#include <set>
#include <vector>

#include "core/bits.h"
#include "support/catch.h"

using namespace attn;
using core::RandomStream;
using Words = std::array<std::uint32_t, 4>;

TEST_CASE("Philox 4x32-10 gives its authors' known answers") {
  // Random123 1.14, tests/kat_vectors
  CHECK(core::philox4x32_10({0, 0, 0, 0}, {0, 0}) ==
        Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
  CHECK(core::philox4x32_10({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
        Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu});
  CHECK(
      core::philox4x32_10({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}) ==
      Words{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u});
}

TEST_CASE("A draw depends on seed, stream and index alone, however the draws are cut") {
  const RandomStream stream{.seed = 0x123456789abcdef0u, .stream = core::stream_of(7, 3)};
  std::vector<float> whole(50);
  stream.fill_uniform(1u << 30, whole);
  for (std::size_t i = 0; i < whole.size(); ++i)
    REQUIRE(core::bits_of(whole[i]) == core::bits_of(stream.uniform((1u << 30) + i)));
  for (const std::size_t cut : {1u, 2u, 3u, 4u, 5u, 17u, 49u}) {
    std::vector<float> parts(50);
    stream.fill_uniform(1u << 30, std::span(parts).first(cut));
    stream.fill_uniform((1u << 30) + cut, std::span(parts).subspan(cut));
    REQUIRE(parts == whole);
  }
}

TEST_CASE("Every part of seed, stream and index matters") {
  const RandomStream base{};
  std::set<std::uint32_t> draws{base.bits(0)};
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    CHECK(draws.insert(RandomStream{.seed = one}.bits(0)).second);
    CHECK(draws.insert(RandomStream{.stream = one}.bits(0)).second);
    CHECK(draws.insert(base.bits(one)).second);
  }
}

TEST_CASE("Uniform numbers are multiples of 2^-24 in [0, 1), evenly spread") {
  CHECK(RandomStream::to_uniform(0) == 0.0f);
  CHECK(RandomStream::to_uniform(255) == 0.0f);
  CHECK(RandomStream::to_uniform(~0u) == 1.0f - 0x1p-24f);
  constexpr int kDraws = 1 << 16;
  std::vector<float> values(kDraws);
  RandomStream{.seed = 1}.fill_uniform(0, values);
  double sum = 0.0;
  double squares = 0.0;
  int counts[16] = {};
  for (const float value : values) {
    REQUIRE((value >= 0.0f && value < 1.0f));
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
    ++counts[static_cast<int>(value * 16.0f)];
  }
  // Five standard deviations: of the mean sqrt(1/12 / n), of the mean square sqrt(4/45 / n), of a count
  // sqrt(n / 16 * 15 / 16).
  CHECK(std::abs(sum / kDraws - 0.5) < 5.0 * std::sqrt(1.0 / 12.0 / kDraws));
  CHECK(std::abs(squares / kDraws - 1.0 / 3.0) < 5.0 * std::sqrt(4.0 / 45.0 / kDraws));
  for (const int count : counts)
    CHECK(std::abs(count - kDraws / 16) < 5.0 * std::sqrt(kDraws / 16.0 * 15.0 / 16.0));
}

TEST_CASE("Whole numbers below a count reach both ends and no further") {
  const RandomStream stream{.seed = 5};
  int counts[3] = {};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint32_t draw = stream.below(3, i);
    REQUIRE(draw < 3);
    ++counts[draw];
  }
  for (const int count : counts) CHECK(std::abs(count - 1000) < 130);  // five standard deviations
  CHECK(stream.below(1, 0) == 0);
}
