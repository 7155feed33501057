#include "io/stored_tensor.h"

#include <cstring>
#include <limits>

#include "io/json_scanner.h"

namespace attn::io {
namespace {

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t bytes;
};

constexpr std::array<DtypeRow, 7> kDtypes{{
    {Dtype::f64, "F64", 8},
    {Dtype::f32, "F32", 4},
    {Dtype::f16, "F16", 2},
    {Dtype::bf16, "BF16", 2},
    {Dtype::i64, "I64", 8},
    {Dtype::i32, "I32", 4},
    {Dtype::boolean, "BOOL", 1},
}};

constexpr bool in_enum_order() {
  for (std::size_t i = 0; i < kDtypes.size(); ++i)
    if (kDtypes[i].dtype != static_cast<Dtype>(i)) return false;
  return true;
}
static_assert(in_enum_order(), "one row per Dtype, in the order of the enum");

template <class Number>
Number read_little_endian(const std::uint8_t* bytes) {
  std::uint64_t pattern = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) pattern |= std::uint64_t{bytes[i]} << (8 * i);
  if constexpr (sizeof(Number) == 8) {
    Number value;
    std::memcpy(&value, &pattern, 8);
    return value;
  } else {
    const auto narrow = static_cast<std::uint32_t>(pattern);
    Number value;
    std::memcpy(&value, &narrow, 4);
    return value;
  }
}

std::uint32_t read_u16(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8;
}

float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

// IEEE 754 binary16 to binary32, exact.
float float_of_half(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1Fu;
  const std::uint32_t fraction = half & 0x3FFu;
  if (exponent == 0x1F) return float_of_bits(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -magnitude : magnitude;
}

float float_element(Dtype dtype, const std::uint8_t* bytes) {
  switch (dtype) {
    case Dtype::f64:
      return static_cast<float>(read_little_endian<double>(bytes));
    case Dtype::f32:
      return read_little_endian<float>(bytes);
    case Dtype::f16:
      return float_of_half(read_u16(bytes));
    case Dtype::bf16:
      return float_of_bits(read_u16(bytes) << 16);
    case Dtype::i64:
      return static_cast<float>(read_little_endian<std::int64_t>(bytes));
    case Dtype::i32:
      return static_cast<float>(read_little_endian<std::int32_t>(bytes));
    case Dtype::boolean:
      return bytes[0] != 0 ? 1.0f : 0.0f;
  }
  return 0.0f;
}

double double_element(Dtype dtype, const std::uint8_t* bytes) {
  if (dtype == Dtype::f64) return read_little_endian<double>(bytes);
  if (dtype == Dtype::i64) return static_cast<double>(read_little_endian<std::int64_t>(bytes));
  if (dtype == Dtype::i32) return static_cast<double>(read_little_endian<std::int32_t>(bytes));
  return static_cast<double>(float_element(dtype, bytes));
}

}  // namespace

std::string_view name_of(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)].name; }
std::size_t size_of(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)].bytes; }

bool find_dtype(std::string_view name, Dtype& dtype) {
  for (const DtypeRow& row : kDtypes) {
    if (row.name == name) {
      dtype = row.dtype;
      return true;
    }
  }
  return false;
}

std::string to_string(const Extents& extents) {
  std::string text = "(";
  for (int axis = 0; axis < extents.rank; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(extents.values[static_cast<std::size_t>(axis)]);
  }
  return text + ")";
}

core::Result<core::Shape> shape_of(const StoredTensor& tensor) {
  const Extents& extents = tensor.extents;
  if (extents.rank > core::Shape::kMaxRank)
    return core::error_at("tensor %s has %d axes, at most %d can be used", quoted(tensor.name).c_str(),
                          extents.rank, core::Shape::kMaxRank);
  constexpr std::uint64_t kLargest = std::numeric_limits<int>::max();
  bool fits = tensor.element_count() <= kLargest;
  core::Shape shape;
  for (int axis = 0; axis < extents.rank && fits; ++axis) {
    const std::uint64_t extent = extents.values[static_cast<std::size_t>(axis)];
    fits = extent <= kLargest;
    if (fits) shape.append(static_cast<int>(extent));
  }
  if (!fits)
    return core::error_at("tensor %s of shape %s is too large to use", quoted(tensor.name).c_str(),
                          to_string(extents).c_str());
  return shape;
}

core::Result<core::Tensor> to_float(const StoredTensor& tensor) {
  const core::Result<core::Shape> shape = shape_of(tensor);
  if (!shape.ok()) return core::Error{shape.error()};
  core::Tensor result(shape.value());
  const std::size_t step = size_of(tensor.dtype);
  const std::uint8_t* from = tensor.bytes.data();
  for (float& value : result.flat()) {
    value = float_element(tensor.dtype, from);
    from += step;
  }
  return result;
}

std::vector<double> to_double(const StoredTensor& tensor) {
  std::vector<double> values(tensor.element_count());
  const std::uint8_t* from = tensor.bytes.data();
  for (double& value : values) {
    value = double_element(tensor.dtype, from);
    from += size_of(tensor.dtype);
  }
  return values;
}

core::Result<std::vector<int>> to_int(const StoredTensor& tensor) {
  const bool wide = tensor.dtype == Dtype::i64;
  if (!wide && tensor.dtype != Dtype::i32 && tensor.dtype != Dtype::boolean)
    return core::error_at("tensor %s holds %s, not integers", quoted(tensor.name).c_str(),
                          std::string(name_of(tensor.dtype)).c_str());
  std::vector<int> values(tensor.element_count());
  const std::uint8_t* from = tensor.bytes.data();
  for (std::size_t i = 0; i < values.size(); ++i, from += size_of(tensor.dtype)) {
    std::int64_t value = 0;
    if (wide) {
      value = read_little_endian<std::int64_t>(from);
    } else if (tensor.dtype == Dtype::i32) {
      value = read_little_endian<std::int32_t>(from);
    } else {
      value = from[0] != 0 ? 1 : 0;
    }
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
      return core::error_at("tensor %s: element %zu is %lld, beyond 32 bits", quoted(tensor.name).c_str(), i,
                            static_cast<long long>(value));
    values[i] = static_cast<int>(value);
  }
  return values;
}

}  // namespace attn::io
