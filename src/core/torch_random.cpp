#include "core/torch_random.h"

#include <cstring>

namespace attn::core {

std::uint64_t TorchGenerator::next64() {
  const std::uint64_t high = next32();
  return high << 32 | next32();
}

float TorchGenerator::uniform_float() { return static_cast<float>(next32() & 0xFFFFFFu) * 0x1p-24f; }

double TorchGenerator::uniform_double() {
  return static_cast<double>(next64() & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
}

float multiply_add_rounded_once(float x, float y, float z) {
  const double product = static_cast<double>(x) * static_cast<double>(y);  // 48 bits: exact
  const double addend = static_cast<double>(z);
  double sum = product + addend;
  // What the sum lost (Knuth's TwoSum, exact).
  const double product_part = sum - addend;
  const double addend_part = sum - product_part;
  const double lost = (product - product_part) + (addend - addend_part);
  // Round to odd instead of to nearest: an inexact sum must not look like a tie of two floats. Rounding an
  // odd 53-bit number to 24 bits then gives what rounding the exact one gives (Boldo and Melquiond 2008).
  std::uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  if (lost != 0.0 && (bits & 1) == 0) {
    // One step towards what was lost: patterns grow with the magnitude.
    bits = (lost > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1;
    std::memcpy(&sum, &bits, sizeof sum);
  }
  return static_cast<float>(sum);
}

void fill_uniform(std::span<float> values, float low, float high, TorchGenerator& generator) {
  const float width = high - low;
  for (float& value : values) value = multiply_add_rounded_once(generator.uniform_float(), width, low);
}

}  // namespace attn::core
