#include "io/stored_tensor.h"

#include <cmath>
#include <cstring>

#include "core/bits.h"
#include "support/catch.h"

namespace {

using attn::io::Dtype;
using attn::io::StoredTensor;

// A vector of the given type over bytes that stay with the caller.
StoredTensor vector_of(Dtype dtype, const std::vector<std::uint8_t>& bytes) {
  StoredTensor tensor;
  tensor.name = "x";
  tensor.dtype = dtype;
  tensor.bytes = bytes;
  tensor.extents.rank = 1;
  tensor.extents.values[0] = bytes.size() / attn::io::size_of(dtype);
  return tensor;
}

template <class Number>
std::vector<std::uint8_t> bytes_of(std::initializer_list<Number> numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("Float16 is read exactly over all of its 65,536 patterns") {
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bytes = bytes_of<std::uint16_t>({static_cast<std::uint16_t>(pattern)});
    const float value = attn::io::to_float(vector_of(Dtype::f16, bytes)).value().values()[0];
    const int exponent = static_cast<int>(pattern >> 10 & 31);
    const int fraction = static_cast<int>(pattern & 1023);
    // IEEE 754-2008 §3.4: (-1)^s · 2^(e - 15) · 1.f, subnormals 2^-14 · 0.f.
    double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) magnitude = fraction == 0 ? HUGE_VAL : NAN;
    const bool negative = pattern >> 15 != 0;
    const bool same = std::isnan(magnitude)
                          ? std::isnan(value)
                          : static_cast<double>(value) == (negative ? -magnitude : magnitude);
    if (!same || std::signbit(value) != negative) FAIL("pattern " << pattern << " was read as " << value);
  }
}

TEST_CASE("Every number type is converted to float, double and int") {
  const auto f32 = bytes_of<float>({1.5f, -0.0f, INFINITY, NAN});
  const auto f64 = bytes_of<double>({1.0 + 0x1p-24, 1e300, -2.5, 0.1});
  const auto bf16 = bytes_of<std::uint16_t>({0x3FC0, 0xC000, 0x7F80, 0x0001});
  const auto i64 = bytes_of<std::int64_t>({-3, 1 << 30, 16777217});
  const auto i32 = bytes_of<std::int32_t>({-3, 2147483647, 0});
  const std::vector<std::uint8_t> boolean = {0, 1, 2};

  const attn::core::Tensor a = attn::io::to_float(vector_of(Dtype::f32, f32)).value();
  CHECK(a.shape() == attn::core::Shape{4});
  CHECK(std::memcmp(a.values(), f32.data(), f32.size()) == 0);

  const attn::core::Tensor b = attn::io::to_float(vector_of(Dtype::f64, f64)).value();
  CHECK(b.values()[0] == 1.0f);  // the tie goes to even
  CHECK(b.values()[1] == INFINITY);
  CHECK(b.values()[3] == 0.1f);
  CHECK(attn::io::to_double(vector_of(Dtype::f64, f64)) ==
        std::vector<double>{1.0 + 0x1p-24, 1e300, -2.5, 0.1});

  CHECK(attn::io::to_double(vector_of(Dtype::bf16, bf16)) ==
        std::vector<double>{1.5, -2.0, HUGE_VAL, 0x1p-133});

  CHECK(attn::io::to_int(vector_of(Dtype::i64, i64)).value() == std::vector<int>{-3, 1 << 30, 16777217});
  CHECK(attn::io::to_double(vector_of(Dtype::i64, i64))[2] == 16777217.0);
  CHECK(attn::io::to_float(vector_of(Dtype::i64, i64)).value().values()[2] == 16777216.0f);
  CHECK(attn::io::to_int(vector_of(Dtype::i32, i32)).value() == std::vector<int>{-3, 2147483647, 0});
  CHECK(attn::io::to_double(vector_of(Dtype::i32, i32))[1] == 2147483647.0);
  CHECK(attn::io::to_int(vector_of(Dtype::boolean, boolean)).value() == std::vector<int>{0, 1, 1});
  CHECK(attn::io::to_double(vector_of(Dtype::boolean, boolean)) == std::vector<double>{0, 1, 1});
}

TEST_CASE("A signalling NaN of a 32-bit file keeps its bits") {
  const auto bytes = bytes_of<std::uint32_t>({0x7FA00001u});
  const attn::core::Tensor tensor = attn::io::to_float(vector_of(Dtype::f32, bytes)).value();
  CHECK(attn::core::bits_of(tensor.values()[0]) == 0x7FA00001u);
}

TEST_CASE("Integers that int does not hold and fractions asked for as integers are errors") {
  const auto wide = bytes_of<std::int64_t>({0, std::int64_t{1} << 31});
  const auto result = attn::io::to_int(vector_of(Dtype::i64, wide));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error() == "tensor 'x': element 1 is 2147483648, beyond 32 bits");
  const auto fractions = attn::io::to_int(vector_of(Dtype::f32, bytes_of<float>({1.0f})));
  REQUIRE_FALSE(fractions.ok());
  CHECK(fractions.error() == "tensor 'x' holds F32, not integers");
}

TEST_CASE("A tensor with more axes than the engine has stays readable as numbers") {
  const std::vector<std::uint8_t> bytes = bytes_of<float>({1, 2});
  StoredTensor tensor = vector_of(Dtype::f32, bytes);
  tensor.extents.rank = 5;
  tensor.extents.values = {1, 1, 2, 1, 1};
  const auto result = attn::io::to_float(tensor);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error() == "tensor 'x' has 5 axes, at most 4 can be used");
  CHECK(attn::io::to_double(tensor) == std::vector<double>{1, 2});
}

TEST_CASE("An empty tensor with an extent beyond int is an error, not a wrapped shape") {
  StoredTensor tensor;
  tensor.name = "x";
  tensor.extents.rank = 2;
  tensor.extents.values = {0, std::uint64_t{1} << 33};
  const auto result = attn::io::to_float(tensor);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error() == "tensor 'x' of shape (0, 8589934592) is too large to use");
}
