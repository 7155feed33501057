// Well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::core {

/// Bytes of the well-formed sequence that `text` begins with, 0 if there is none. `text` must not be empty.
std::size_t utf8_length(std::string_view text);

/// The text with U+FFFD in place of every byte that belongs to no well-formed sequence.
std::string well_formed(std::string_view text);

}  // namespace attn::core
