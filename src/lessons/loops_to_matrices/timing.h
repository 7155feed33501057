// How long both ways take on this device. Not part of any tape: no two runs have the same times.
#pragma once

#include <array>

namespace attn::lessons::loops_to_matrices {

inline constexpr std::array<int, 4> kTimedWords{8, 16, 32, 64};
inline constexpr int kTimedWidth = 16;

/// Medians, in microseconds, one for each of kTimedWords. 0 where the clock is too coarse to tell.
struct Times {
  std::array<float, kTimedWords.size()> loops{};
  std::array<float, kTimedWords.size()> matrices{};
};

/// Takes about 3 ms.
Times measure();

}  // namespace attn::lessons::loops_to_matrices
