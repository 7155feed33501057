// How long a step takes on this device with and without a cache. Not part of any tape: no two runs have the
// same times.
#pragma once

#include <array>

#include "core/result.h"

namespace attn::lessons::kv_cache {

inline constexpr std::array<int, 4> kTimedTokens{8, 16, 32, 64};
inline constexpr int kTimedWidth = 32;  // 2 layers, 4 heads

/// Medians of one step at each length, in microseconds. 0 where the clock is too coarse to tell.
struct Times {
  std::array<float, kTimedTokens.size()> without_cache{};
  std::array<float, kTimedTokens.size()> with_cache{};
};

/// Takes about a frame. Error: what nn refuses.
core::Result<Times> measure();

}  // namespace attn::lessons::kv_cache
