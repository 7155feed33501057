// Safetensors files written byte by byte, for tests of the reader: valid ones and, since nothing is checked
// here, broken ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace attn::test {

// u64 length of `header`, `header` as it is, `content` as it is.
std::vector<std::uint8_t> safetensors_bytes(std::string_view header, std::span<const std::uint8_t> content);

// The same with `content_size` zero bytes.
std::vector<std::uint8_t> safetensors_bytes(std::string_view header, std::size_t content_size);

struct NamedTensor {
  std::string name;
  core::Tensor tensor;
};

// A valid F32 file of these tensors, in this order.
std::vector<std::uint8_t> safetensors_bytes(const std::vector<NamedTensor>& tensors);

}  // namespace attn::test
