#include "suite.h"

#include <cstddef>

#include "kernels/f32x4.h"

namespace attn::bench {
namespace {

volatile float kept = 0.0f;

constexpr int kPeakSteps = 4096;

/// Not inlined, because a browser replaces slow code by fast code only where a function is entered.
template <int kSums>
[[gnu::noinline]] void multiply_and_add() {
  kernels::F32x4 sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = kernels::splat(static_cast<float>(i));
  const float factor = kept + 0.5f;
  const kernels::F32x4 a = kernels::load_splat(&factor);
  for (int step = 0; step < kPeakSteps; ++step) {
    // The sum itself is a factor, so that no product can be taken out of the loop.
    for (int i = 0; i < kSums; ++i) sums[i] = sums[i] * a + a;
  }
  kernels::F32x4 total = sums[0];
  for (int i = 1; i < kSums; ++i) total = total + sums[i];
  keep(kernels::sum_of_lanes(total));
}

template <int kSums>
Case peak_case() {
  return {"peak, " + std::to_string(kSums) + " sums", 2.0 * 4.0 * kSums * kPeakSteps, true,
          [] { return Work(multiply_and_add<kSums>); }};
}

}  // namespace

std::vector<Case> peak_cases() { return {peak_case<8>(), peak_case<10>(), peak_case<12>(), peak_case<13>()}; }

std::vector<Case> all_cases() {
  std::vector<Case> cases = peak_cases();
  for (const std::vector<Case>& more : {model_cases(), training_cases(), kernel_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

void keep(float value) { kept = value * 0.0f; }

std::vector<float> numbers(int count) {
  std::vector<float> result(static_cast<std::size_t>(count));
  unsigned state = 1;
  for (float& value : result) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
  }
  return result;
}

}  // namespace attn::bench
