// The random numbers of `torch.manual_seed(seed)` on the CPU, to the bit: the Mersenne Twister and PyTorch's
// way of making floats from it. (Normal variates need log and cos, so they live in nn/initialize.) Source:
// MT19937, Matsumoto and Nishimura 1998; ATen/core/TransformationHelper.h.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace attn::core {

class TorchGenerator {
 public:
  explicit TorchGenerator(std::uint32_t seed) : engine_(seed) {}

  /// The next 32 bits.
  std::uint32_t next32() { return static_cast<std::uint32_t>(engine_()); }

  /// The next 64 bits: two draws, the first one high.
  std::uint64_t next64();

  /// Leaves out that many 32-bit draws.
  void skip(std::uint64_t count) { engine_.discard(count); }

  /// Uniform in [0, 1): 24 random bits · 2^-24.
  float uniform_float();

  /// Uniform in [0, 1): 53 random bits of next64() · 2^-53.
  double uniform_double();

 private:
  std::mt19937 engine_;  // its numbers are fixed by the C++ standard
};

/// `Tensor.uniform_(low, high)` for float32: one draw per value, u·(high - low) + low with a single rounding.
void fill_uniform(std::span<float> values, float low, float high, TorchGenerator& generator);

/// x·y + z rounded once, to nearest even. Does not rely on the platform's fmaf, which may be missing (then it
/// rounds twice). Exact for |x·y| and |z| that are zero or in [2^-100, 2^100]; that covers every fill.
float multiply_add_rounded_once(float x, float y, float z);

}  // namespace attn::core
