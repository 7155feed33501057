// Numbers as a reader sees them: U+2212 for minus, no "-0.00", thousands commas, 32-bit patterns.
#pragma once

#include <cstdint>
#include <string>

namespace attn::lessons {

/// "−0.12", "0.00", "NaN", "−∞".
std::string fixed(float value, int decimals);

/// One significant decimal: "5.9e−1", "1.2e+3"; "∞" for infinity, "NaN".
std::string exponent(float value);

/// Up to six significant digits, as a table has them: "−1.25", "0.333333", "1e−07", "0", "NaN".
std::string six_digits(float value);

/// "11,377,989".
std::string thousands(std::uint32_t value);

/// "0xBDF44CA0".
std::string bit_pattern(float value);

/// Short enough for a cell of this width: two decimals, fewer for large magnitudes.
std::string cell_number(float value, float cell_width);

}  // namespace attn::lessons
