#include "io/safetensors_writer.h"

#include <cstring>

#include "core/bits.h"
#include "core/check.h"

namespace attn::io {
namespace {

template <class Number>
void append_little_endian(std::vector<std::uint8_t>& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

}  // namespace

std::uint16_t half_of_float(float value) {
  const std::uint32_t bits = core::bits_of(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // rounds to 65536 or more
  // A half's last place in units of the float's: 13 bits lower, more below the smallest normal half, 2^-14.
  const std::uint32_t exponent = magnitude >> 23;
  if (exponent < 102) return static_cast<std::uint16_t>(sign);  // below half of the smallest, 2^-24
  const bool normal = exponent >= 113;
  const std::uint32_t fraction = normal ? magnitude - (112u << 23) : (magnitude & 0x7FFFFFu) | 0x800000u;
  const std::uint32_t shift = normal ? 13 : 126 - exponent;
  const std::uint32_t rest = fraction & ((1u << shift) - 1);
  const std::uint32_t tie = 1u << (shift - 1);
  std::uint32_t half = fraction >> shift;
  if (rest > tie || (rest == tie && (half & 1) != 0)) ++half;
  return static_cast<std::uint16_t>(sign | half);
}

void SafetensorsWriter::begin(std::string_view name, Dtype dtype, const core::Shape& shape,
                              std::size_t bytes) {
  header_.key(name);
  header_.begin_object();
  header_.text("dtype", name_of(dtype));
  header_.key("shape");
  header_.begin_array();
  for (int axis = 0; axis < shape.rank(); ++axis) header_.integer(shape[axis]);
  header_.end_array();
  header_.key("data_offsets");
  header_.begin_array();
  header_.integer(static_cast<std::int64_t>(content_.size()));
  header_.integer(static_cast<std::int64_t>(content_.size() + bytes));
  header_.end_array();
  header_.end_object();
}

void SafetensorsWriter::add(std::string_view name, core::TensorView tensor, Dtype dtype) {
  ATTN_CHECK(dtype == Dtype::f32 || dtype == Dtype::f16);
  begin(name, dtype, tensor.shape, static_cast<std::size_t>(tensor.size()) * size_of(dtype));
  for (const float value : tensor.flat()) {
    if (dtype == Dtype::f16)
      append_little_endian(content_, half_of_float(value));
    else
      append_little_endian(content_, core::bits_of(value));
  }
}

void SafetensorsWriter::add(std::string_view name, double number) {
  begin(name, Dtype::f64, core::Shape{}, sizeof number);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  append_little_endian(content_, bits);
}

std::vector<std::uint8_t> SafetensorsWriter::finish(
    std::span<const std::pair<std::string, std::string>> metadata) {
  if (!metadata.empty()) {
    header_.key("__metadata__");
    header_.begin_object();
    for (const auto& [key, text] : metadata) header_.text(key, text);
    header_.end_object();
  }
  header_.end_object();
  std::string header = header_.take();
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::vector<std::uint8_t> file;
  file.reserve(8 + header.size() + content_.size());
  append_little_endian(file, std::uint64_t{header.size()});
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), content_.begin(), content_.end());
  return file;
}

}  // namespace attn::io
