#include <cinttypes>

#include "kernels/battery.h"
#include "kernels/f32x4.h"
#include "support/catch.h"

namespace attn::test {

std::vector<float> battery_with_simd() { return kernels::run_battery(); }

namespace {

/// Of the battery, on every compiler, optimisation level, instruction set and browser. A change of this
/// number is a change of what the engine computes: say so in the changelog.
constexpr std::uint64_t kBatteryHash = 0x208b51956bf5b6b8u;

}  // namespace

TEST_CASE("The kernels give the same bits wherever they run") {
  const std::vector<float> results = battery_with_simd();
  for (const float value : results) REQUIRE(std::isfinite(value));
  const std::uint64_t hash = core::fnv1a(results.data(), results.size() * sizeof(float));
  char text[32];
  std::snprintf(text, sizeof text, "0x%016" PRIx64, hash);
  INFO("path " << kernels::kSimdName << ", hash " << text);
  CHECK(hash == kBatteryHash);
}

}  // namespace attn::test
