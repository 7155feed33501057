// Our own random numbers: counter-based, so that every draw is a function of (seed, stream, index) and
// nothing else. There is no state to advance: draws may be made in any order, by any slice of the work, and
// twice, and give the same bits on every platform. (PyTorch's numbers, for its initial weights, are
// core/torch_random.h.)
//
// Generator: Philox 4x32-10, Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2,
// 3", section 3.3; it passes TestU01's BigCrush.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace attn::core {

/// The block function: ten rounds, 128 bits of counter and 64 of key to 128 random bits.
std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key);

/// One sequence of numbers. Different seeds and different streams are independent.
struct RandomStream {
  std::uint64_t seed = 0;    // the run: key, low word first
  std::uint64_t stream = 0;  // what the numbers are for: upper half of the counter, low word first

  /// Four numbers at once: draws 4 * block to 4 * block + 3.
  std::array<std::uint32_t, 4> block(std::uint64_t block) const;

  /// Draw `index`: 32 random bits.
  std::uint32_t bits(std::uint64_t index) const { return block(index / 4)[index % 4]; }

  /// Draw `index` as a number in [0, 1): its upper 24 bits times 2^-24, which is exact.
  float uniform(std::uint64_t index) const { return to_uniform(bits(index)); }

  /// Draw `index` as a whole number in [0, count): floor(bits * count / 2^32). Each has probability 1/count
  /// up to 2^-32. `count` must not be 0.
  std::uint32_t below(std::uint32_t count, std::uint64_t index) const;

  /// values[i] = uniform(first + i).
  void fill_uniform(std::uint64_t first, std::span<float> values) const;

  static float to_uniform(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
};

/// A stream for purpose `what` in step `step` of a run: both numbers, side by side.
inline std::uint64_t stream_of(std::uint32_t step, std::uint32_t what) {
  return static_cast<std::uint64_t>(step) << 32 | what;
}

}  // namespace attn::core
