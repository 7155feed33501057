// Floats as bit patterns: the counter behind "0 ULP" and the hash behind "the same bits everywhere".
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace attn::core {

/// The 32-bit pattern of a float.
inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The float of a 32-bit pattern.
inline float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// As many floats, equal to the last bit, signs of zeros included.
inline bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// How many representable float32 values lie between a and b: 0 exactly when the bit patterns are equal, 1
/// for neighbours and for -0 against +0. NaN against anything with other bits is the largest distance.
inline std::uint32_t ulp_distance(float a, float b) {
  const std::uint32_t x = bits_of(a);
  const std::uint32_t y = bits_of(b);
  if (x == y) return 0;
  if (a != a || b != b) return UINT32_MAX;
  // Patterns of negative floats count downwards: map both signs to one ascending line.
  const auto ordered = [](std::uint32_t bits) { return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u; };
  const std::uint32_t p = ordered(x);
  const std::uint32_t q = ordered(y);
  return p > q ? p - q : q - p;
}

/// 64-bit FNV-1a over bytes (Fowler, Noll, Vo), continued from `seed`.
inline std::uint64_t fnv1a(const void* bytes, std::size_t count, std::uint64_t seed = 0xcbf29ce484222325ull) {
  const auto* p = static_cast<const unsigned char*>(bytes);
  std::uint64_t hash = seed;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ p[i]) * 0x100000001b3ull;
  return hash;
}

}  // namespace attn::core
