// Numbers as a reader sees them: U+2212 for minus, no "-0.00", thousands commas, 32-bit patterns.
#pragma once

#include <cstdint>
#include <string>

namespace attn::lessons {

/// "−0.12", "0.00", "NaN", "−∞". With two decimals or more, a number that would print as zero and isn't has
/// an exponent instead: "1.2e−7", so that 0.00 is exactly 0.
std::string fixed(float value, int decimals);

/// "5.9e−1", "1.2e+3"; "∞" for infinity, "NaN".
std::string exponent(float value, int decimals = 1);

/// Up to six significant digits, as a table has them: "−1.25", "0.333333", "1e−07", "0", "NaN".
std::string six_digits(float value);

/// "11,377,989".
std::string thousands(std::uint32_t value);

/// "0xBDF44CA0".
std::string bit_pattern(float value);

/// Short enough for a cell of this width: two decimals, fewer for large magnitudes, an exponent
/// for those that would print as 0.00 and aren't.
std::string cell_number(float value, float cell_width);

}  // namespace attn::lessons
