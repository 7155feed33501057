// Writes the safetensors format (io/safetensors.h): tensors one after another in the order they were added,
// the header filled with spaces so that the first begins on a multiple of 8 bytes, as the format's own writer
// does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "io/json_writer.h"
#include "io/stored_tensor.h"

namespace attn::io {

class SafetensorsWriter {
 public:
  SafetensorsWriter() { header_.begin_object(); }

  /// As F32, to the bit, or as F16: rounded to the nearest half, ties to even, beyond ±65504 to infinity.
  void add(std::string_view name, core::TensorView tensor, Dtype dtype = Dtype::f32);

  /// A single F64 number, shape ().
  void add(std::string_view name, double number);

  /// The whole file. The metadata may be empty; names must be distinct. Ends this writer.
  std::vector<std::uint8_t> finish(std::span<const std::pair<std::string, std::string>> metadata = {});

 private:
  void begin(std::string_view name, Dtype dtype, const core::Shape& shape, std::size_t bytes);

  JsonWriter header_;
  std::vector<std::uint8_t> content_;
};

/// IEEE 754 binary32 to binary16: nearest, ties to even. NaN stays NaN.
std::uint16_t half_of_float(float value);

}  // namespace attn::io
