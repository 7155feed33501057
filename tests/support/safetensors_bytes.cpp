#include "support/safetensors_bytes.h"

#include <cstring>

namespace attn::test {

std::vector<std::uint8_t> safetensors_bytes(std::string_view header, std::span<const std::uint8_t> content) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{header.size()} >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

std::vector<std::uint8_t> safetensors_bytes(std::string_view header, std::size_t content_size) {
  return safetensors_bytes(header, std::vector<std::uint8_t>(content_size));
}

std::vector<std::uint8_t> safetensors_bytes(const std::vector<NamedTensor>& tensors) {
  std::string header = "{";
  std::vector<std::uint8_t> content;
  for (const NamedTensor& named : tensors) {
    if (header.size() > 1) header += ",";
    header += "\"" + named.name + "\":{\"dtype\":\"F32\",\"shape\":[";
    for (int axis = 0; axis < named.tensor.shape().rank(); ++axis)
      header += (axis > 0 ? "," : "") + std::to_string(named.tensor.shape()[axis]);
    const std::size_t begin = content.size();
    content.resize(begin + named.tensor.flat().size_bytes());
    if (!named.tensor.flat().empty())
      std::memcpy(content.data() + begin, named.tensor.values(), named.tensor.flat().size_bytes());
    header += "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(content.size()) + "]}";
  }
  return safetensors_bytes(header + "}", content);
}

}  // namespace attn::test
