// The safetensors file format, read strictly.
//
//   u64 little-endian N (at most 100,000,000) | N bytes of UTF-8 JSON | the tensors' bytes, one after another
//   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, …,
//    "__metadata__": {"key": "text", …}}
//
// Offsets count from the first byte after the header. Accepted: white space around the JSON, tensors listed
// in any order, scalars (rank 0), empty tensors, unaligned offsets, NaN. Refused: holes, overlaps or bytes
// left over, byte counts that differ from shape × type, duplicate names or fields, unknown fields and types,
// integers that are negative, fractional or above 2^53 - 1, more than 8 axes. A message names the tensor and
// the byte in the file. Source: github.com/huggingface/safetensors, README "Format".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "io/stored_tensor.h"

namespace attn::io {

struct SafetensorsFile {
  std::vector<StoredTensor> tensors;  // in the order of their bytes
  std::vector<std::pair<std::string, std::string>> metadata;

  /// The tensor of this name, null if there is none.
  const StoredTensor* find(std::string_view name) const;
};

/// Checks the whole file and returns views into `file`, which must outlive them. No tensor is copied.
core::Result<SafetensorsFile> parse_safetensors(std::span<const std::uint8_t> file);

}  // namespace attn::io
