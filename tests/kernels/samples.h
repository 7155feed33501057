// Inputs and comparisons shared by the kernel tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/bits.h"
#include "core/tensor.h"

namespace attn::test {

/// Around the widths of vectors, tiles and panels.
inline constexpr int kSizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};

/// Numbers in [-1, 1) of a 32-bit xorshift: the same everywhere.
class Samples {
 public:
  explicit Samples(std::uint32_t seed = 1) : state_(seed * 2654435761u + 88172645u) {}

  float next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return static_cast<float>(static_cast<std::int32_t>(state_) >> 8) * 0x1p-23f;
  }

  std::vector<float> take(int count, float scale = 1.0f) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = scale * next();
    return values;
  }

  /// 0 or 1, about one in three 0.
  std::vector<float> take_flags(int count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = next() < -0.33f ? 0.0f : 1.0f;
    return values;
  }

 private:
  std::uint32_t state_;
};

/// A group of kernels and what they computed: see kernels/battery.h.
struct BatteryPart {
  const char* name;
  std::vector<float> values;
};

inline core::ConstMatrix view(const std::vector<float>& values, int rows, int columns) {
  return {values.data(), rows, columns, columns};
}

inline core::Matrix view(std::vector<float>& values, int rows, int columns) {
  return {values.data(), rows, columns, columns};
}

using core::bits_of;

using core::same_bits;

}  // namespace attn::test
