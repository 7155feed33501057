#include "lessons/numbers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/bits.h"

namespace attn::lessons {
namespace {

constexpr const char* kMinus = "\u2212";

std::string special(float value) {
  if (std::isnan(value)) return "NaN";
  return value > 0.0f ? "∞" : std::string(kMinus) + "∞";
}

}  // namespace

std::string fixed(float value, int decimals) {
  if (!std::isfinite(value)) return special(value);
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, static_cast<double>(std::fabs(value)));
  const bool all_zero = std::strspn(digits, "0.") == std::strlen(digits);
  if (all_zero && value != 0.0f && decimals > 1) return exponent(value);
  return std::signbit(value) && !all_zero ? kMinus + std::string(digits) : std::string(digits);
}

std::string exponent(float value, int decimals) {
  if (!std::isfinite(value)) return special(value);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.*e", decimals, static_cast<double>(std::fabs(value)));
  const char* e = std::strchr(digits, 'e');
  const auto power = static_cast<int>(std::strtol(e + 1, nullptr, 10));
  std::string text = value < 0.0f ? kMinus : "";
  text.append(digits, static_cast<std::size_t>(e - digits));
  text += power < 0 ? "e" + std::string(kMinus) : "e+";
  return text + std::to_string(power < 0 ? -power : power);
}

std::string six_digits(float value) {
  if (!std::isfinite(value)) return special(value);
  if (value == 0.0f) return "0";
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", static_cast<double>(value));
  std::string text;
  for (const char* next = digits; *next != '\0'; ++next)
    text += *next == '-' ? std::string(kMinus) : std::string(1, *next);
  return text;
}

std::string thousands(std::uint32_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string bit_pattern(float value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08X", core::bits_of(value));
  return text;
}

std::string cell_number(float value, float cell_width) {
  const float magnitude = std::fabs(value);
  const float characters = cell_width / 7.2f;  // at 11 to 12 px mono
  if (magnitude > 0.0f && magnitude <= 0.005f) return exponent(value, characters < 7.0f ? 0 : 1);
  if (magnitude < 9.995f) return fixed(value, 2);
  if (magnitude < 99.95f) return fixed(value, characters < 6.0f ? 1 : 2);
  if (magnitude < 9999.5f) return fixed(value, 0);
  return exponent(value);
}

}  // namespace attn::lessons
