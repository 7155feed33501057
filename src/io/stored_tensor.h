// A tensor as it lies in a file: a name, a number type, extents and a view of the file's bytes, and the
// conversions into numbers we compute with. Nothing is copied until a conversion is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"

namespace attn::io {

/// The number types we read, little-endian as safetensors stores them.
enum class Dtype : std::uint8_t { f64, f32, f16, bf16, i64, i32, boolean };

/// "F32", "BOOL", …: the spelling of safetensors.
std::string_view name_of(Dtype dtype);

/// Bytes per element.
std::size_t size_of(Dtype dtype);

/// The type with this spelling; false if there is none.
bool find_dtype(std::string_view name, Dtype& dtype);

/// Extents of a tensor in a file, row-major, rank 0 to 8: more than core::Shape has.
struct Extents {
  static constexpr int kMaxRank = 8;

  std::array<std::uint64_t, kMaxRank> values{};
  int rank = 0;

  bool operator==(const Extents&) const = default;
};

/// "(2, 5, 8)"; "()" for a scalar.
std::string to_string(const Extents& extents);

struct StoredTensor {
  std::string name;
  Dtype dtype = Dtype::f32;
  Extents extents;
  std::span<const std::uint8_t> bytes;  // product of the extents × size_of(dtype), unaligned, not owned

  std::size_t element_count() const { return bytes.size() / size_of(dtype); }
};

/// The extents as a core::Shape. Error: more than core::Shape::kMaxRank axes or 2^31 - 1 elements.
core::Result<core::Shape> shape_of(const StoredTensor& tensor);

/// As float32. F32, F16, BF16 and BOOL (0 or 1) are exact and NaN stays NaN; F64, I64 and I32 are rounded to
/// nearest, F64 beyond the range of float32 becomes infinite. Errors as of shape_of.
core::Result<core::Tensor> to_float(const StoredTensor& tensor);

/// As float64, flat. Exact, except that I64 beyond ±2^53 is rounded.
std::vector<double> to_double(const StoredTensor& tensor);

/// As int, flat: I64, I32 and BOOL. Error: a floating-point tensor, or a value that int does not hold (its
/// flat index is named).
core::Result<std::vector<int>> to_int(const StoredTensor& tensor);

}  // namespace attn::io
