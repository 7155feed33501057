// How long something takes on this device, for lessons that time it. Browsers' clocks are coarse: a
// repetition lasts as many calls as the clock needs to tell its time.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "lessons/numbers.h"

namespace attn::lessons {

inline constexpr int kRepetitions = 3;         // of which the median counts
inline constexpr float kLeastMeasured = 2e3f;  // microseconds: twenty ticks of a clock of 0.1 ms
inline constexpr int kMostCalls = 1 << 14;     // of a clock that stands still

/// The median time of one call, in microseconds. A repetition lasts about `least`: less than twenty ticks is
/// for a screen that may not wait.
template <class Call>
float median_us(Call&& call, float least = kLeastMeasured) {
  using Clock = std::chrono::steady_clock;
  const auto time_of = [&](int calls) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<float, std::micro>(Clock::now() - start).count();
  };
  int calls = 1;
  float passed = time_of(calls);
  while (passed < least / 4.0f && calls < kMostCalls) passed = time_of(calls *= 2);
  if (passed > 0.0f && passed < least) calls = static_cast<int>(static_cast<float>(calls) * least / passed);
  std::array<float, kRepetitions> times{};
  for (float& time : times) time = time_of(calls) / static_cast<float>(calls);
  std::sort(times.begin(), times.end());
  return times[kRepetitions / 2];
}

/// "12.3 µs"; "< 0.1 µs" for what rounds to nothing.
inline std::string microseconds(float time) {
  return time < 0.05f ? std::string("< 0.1 µs") : fixed(time, 1) + " µs";
}

}  // namespace attn::lessons
