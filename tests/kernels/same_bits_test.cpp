#include <cinttypes>
#include <string>

#include "kernels/battery.h"
#include "kernels/f32x4.h"
#include "support/catch.h"

namespace attn::test {

std::vector<BatteryPart> battery_with_simd() { return kernels::run_battery(); }

namespace {

struct PartHash {
  const char* name;
  std::uint64_t hash;
};

/// Of the parts of the battery, on every compiler, optimisation level, instruction set and browser. A change
/// of one is a change of what the engine computes: say so in the changelog.
constexpr PartHash kHashes[] = {
    {"fused", 0xdd66cbb5e9cb6121u},
    {"products", 0xab9425b77960e3e6u},
    {"rows", 0xdeac5bb41b937d56u},
    {"functions", 0x2d03837ba925c4e6u},
    {"activations", 0xb3153a4cb86d7744u},
    {"axes", 0xabd5e11460a8c114u},
    {"RMS norm and rotary embedding", 0xefb504c29cb25c14u},
    {"losses", 0x9c5fd98bf6eac0bau},
    {"Adam", 0x8b9986103fc6cfa6u},
    {"dropout", 0x76c1670a8352fb5eu},
};

}  // namespace

TEST_CASE("The kernels give the same bits wherever they run") {
  const std::vector<BatteryPart> battery = battery_with_simd();
  REQUIRE(battery.size() == std::size(kHashes));
  INFO("path " << kernels::kSimdName);
  for (std::size_t part = 0; part < battery.size(); ++part) {
    const std::vector<float>& values = battery[part].values;
    for (const float value : values) REQUIRE(std::isfinite(value));
    const std::uint64_t hash = core::fnv1a(values.data(), values.size() * sizeof(float));
    char text[32];
    std::snprintf(text, sizeof text, "0x%016" PRIx64 "u", hash);
    INFO(battery[part].name << " " << text);
    CHECK(std::string(battery[part].name) == kHashes[part].name);
    CHECK(hash == kHashes[part].hash);
  }
}

}  // namespace attn::test
