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

/// The median time of one call, in microseconds.
template <class Call>
float median_us(Call&& call) {
  using Clock = std::chrono::steady_clock;
  const auto time_of = [&](int calls) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<float, std::micro>(Clock::now() - start).count();
  };
  int calls = 1;
  while (time_of(calls) < kLeastMeasured && calls < kMostCalls) calls *= 2;
  std::array<float, kRepetitions> times{};
  for (float& time : times) time = time_of(calls) / static_cast<float>(calls);
  std::sort(times.begin(), times.end());
  return times[kRepetitions / 2];
}

/// The mean time of one call, in microseconds, over as many as take a millisecond: for a screen that may not
/// wait.
template <class Call>
float mean_us(Call&& call) {
  using Clock = std::chrono::steady_clock;
  constexpr float kLeast = 1e3f;
  const Clock::time_point start = Clock::now();
  float passed = 0.0f;
  int done = 0;
  for (int calls = 1; passed < kLeast && done < kMostCalls; calls = done) {
    for (int i = 0; i < calls; ++i) call();
    done += calls;
    passed = std::chrono::duration<float, std::micro>(Clock::now() - start).count();
  }
  return passed / static_cast<float>(done);
}

/// "12.3 µs"; "< 0.1 µs" for what rounds to nothing.
inline std::string microseconds(float time) {
  return time < 0.05f ? std::string("< 0.1 µs") : fixed(time, 1) + " µs";
}

}  // namespace attn::lessons
