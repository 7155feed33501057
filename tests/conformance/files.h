// Reading files whole. One that can't be read is malformed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace attn::conformance {

std::string read_text(const std::filesystem::path& path);
std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path);

}  // namespace attn::conformance
