#include "core/random.h"

#include "core/check.h"

namespace attn::core {
namespace {

constexpr std::uint64_t kMultiplier0 = 0xD2511F53u;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57u;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9u;  // golden ratio
constexpr std::uint32_t kWeyl1 = 0xBB67AE85u;  // sqrt(3) - 1

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::array<std::uint32_t, 4> RandomStream::block(std::uint64_t block) const {
  return philox4x32_10({low(block), high(block), low(stream), high(stream)}, {low(seed), high(seed)});
}

std::uint32_t RandomStream::below(std::uint32_t count, std::uint64_t index) const {
  ATTN_CHECK(count > 0);
  return high(static_cast<std::uint64_t>(bits(index)) * count);
}

void RandomStream::fill_uniform(std::uint64_t first, std::span<float> values) const {
  std::array<std::uint32_t, 4> words{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t index = first + i;
    if (i == 0 || index % 4 == 0) words = block(index / 4);
    values[i] = to_uniform(words[index % 4]);
  }
}

}  // namespace attn::core
