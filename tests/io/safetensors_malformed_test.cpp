#include <random>

#include "io/safetensors.h"
#include "support/catch.h"
#include "support/safetensors_bytes.h"

namespace {

using attn::test::safetensors_bytes;

struct Malformed {
  std::string_view header;
  std::size_t content_size;
  std::string_view fragment;  // of the message
};

// One tensor "x" whose entry reads `fields`, before 4 bytes of content.
#define ONE(fields) "{\"x\":{" fields "}}", 4

const Malformed kMalformed[] = {
    // The JSON around the tensors.
    {"", 0, "header, byte 8: expected '{'"},
    {"   ", 0, "header, byte 11: expected '{'"},
    {"[]", 0, "header, byte 8: expected '{'"},
    {"null", 0, "header, byte 8: expected '{'"},
    {"\xEF\xBB\xBF{}", 0, "header, byte 8: expected '{'"},
    {std::string_view("\0{}", 3), 0, "header, byte 8: expected '{'"},
    {"{", 0, "header, byte 9: expected a string"},
    {"{}}", 0, "header, byte 10: text after the end"},
    {std::string_view("{}\0", 3), 0, "header, byte 10: text after the end"},
    {"{,}", 0, "header, byte 9: expected a string"},
    {"{x:{}}", 0, "header, byte 9: expected a string"},
    {"{'x':{}}", 0, "header, byte 9: expected a string"},
    {R"({"x")", 0, "header, byte 12: expected ':'"},
    {R"({"x"})", 0, "header, byte 12: expected ':'"},
    {R"({"x":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]})", 1, "expected '}'"},
    {R"({"x":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]},})", 1, "expected a string"},
    {"{\"\xFF\":{}}", 0, "header, byte 10: bytes that are not UTF-8"},
    {R"({"\ud800":{}})", 0, "half a surrogate pair"},
    // One tensor's entry.
    {R"({"x":7})", 0, "header, tensor 'x', byte 13: expected '{'"},
    {R"({"x":null})", 0, "header, tensor 'x', byte 13: expected '{'"},
    {R"({"x":{}})", 0, "header, tensor 'x', byte 15: missing field 'dtype'"},
    {ONE(R"("shape":[1],"data_offsets":[0,4])"), "missing field 'dtype'"},
    {ONE(R"("dtype":"F32","data_offsets":[0,4])"), "missing field 'shape'"},
    {ONE(R"("dtype":"F32","shape":[1])"), "missing field 'data_offsets'"},
    {ONE(R"("dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4])"), "duplicate field 'dtype'"},
    {ONE(R"("dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4])"), "duplicate field 'shape'"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[0,4],"device":"cpu")"), "unknown field 'device'"},
    {ONE(R"("dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4])"), "number type 'F8_E4M3' is not one of"},
    {ONE(R"("dtype":"f32","shape":[1],"data_offsets":[0,4])"), "number type 'f32' is not one of"},
    {ONE(R"("dtype":"","shape":[1],"data_offsets":[0,4])"), "number type '' is not one of"},
    {ONE(R"("dtype":32,"shape":[1],"data_offsets":[0,4])"), "expected a string"},
    {ONE(R"("dtype" "F32","shape":[1],"data_offsets":[0,4])"), "expected ':'"},
    // Shapes.
    {ONE(R"("dtype":"F32","shape":1,"data_offsets":[0,4])"), "expected '['"},
    {ONE(R"("dtype":"F32","shape":[-1],"data_offsets":[0,4])"), "a negative number"},
    {ONE(R"("dtype":"F32","shape":[1.0],"data_offsets":[0,4])"), "a number with a fraction"},
    {ONE(R"("dtype":"F32","shape":[1e0],"data_offsets":[0,4])"), "a number with a fraction or exponent"},
    {ONE(R"("dtype":"F32","shape":[01],"data_offsets":[0,4])"), "a number with a leading zero"},
    {ONE(R"("dtype":"F32","shape":["1"],"data_offsets":[0,4])"), "expected a non-negative integer"},
    {ONE(R"("dtype":"F32","shape":[true],"data_offsets":[0,4])"), "expected a non-negative integer"},
    {ONE(R"("dtype":"F32","shape":[[1]],"data_offsets":[0,4])"), "expected a non-negative integer"},
    {ONE(R"("dtype":"F32","shape":[1,],"data_offsets":[0,4])"), "expected a non-negative integer"},
    {ONE(R"("dtype":"F32","shape":[1)"), "expected ']'"},
    {ONE(R"("dtype":"F32","shape":[9007199254740992],"data_offsets":[0,4])"), "an integer above 2^53 - 1"},
    {ONE(R"("dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4])"), "more than 8 axes"},
    {ONE(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4])"),
     "tensor 'x': shape (4294967296, 4294967296) has too many elements"},
    // 2^53 - 1 times 2^11 elements of 8 bytes: the product alone fits in 64 bits, the bytes don't.
    {ONE(R"("dtype":"F64","shape":[9007199254740991,2048],"data_offsets":[0,4])"), "has too many elements"},
    // Offsets.
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[])"), "expected a non-negative integer"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[0])"), "expected ','"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[0,4,4])"), "expected ']'"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":{"0":4})"), "expected '['"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[-4,0])"), "a negative number"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551620])"),
     "an integer above 2^53 - 1"},
    {ONE(R"("dtype":"F32","shape":[0],"data_offsets":[4,0])"), "end before they begin"},
    {ONE(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), "lie beyond the end of the file"},
    {ONE(R"("dtype":"F32","shape":[1],"data_offsets":[9007199254740987,9007199254740991])"),
     "lie beyond the end of the file"},
    {ONE(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])"),
     "tensor 'x': shape (2) of F32 takes 8 bytes, its offsets give 4"},
    {ONE(R"("dtype":"F64","shape":[1],"data_offsets":[0,4])"), "takes 8 bytes, its offsets give 4"},
    {ONE(R"("dtype":"F32","shape":[],"data_offsets":[0,0])"), "takes 4 bytes, its offsets give 0"},
    {ONE(R"("dtype":"BOOL","shape":[3],"data_offsets":[0,3])"), "1 bytes at byte 66 belong to no tensor"},
    {ONE(R"("dtype":"BOOL","shape":[3],"data_offsets":[1,4])"), "leave a hole before them"},
    {"{}", 1, "1 bytes at byte 10 belong to no tensor"},
    // Several tensors.
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"BOOL","shape":[2],"data_offsets":[1,3]}})",
     3, "tensor 'b': bytes [118, 120) overlap the tensor before them"},
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})",
     2, "tensor 'b': bytes [117, 119) overlap"},
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"BOOL","shape":[1],"data_offsets":[3,4]}})",
     4, "tensor 'b': bytes [120, 121) leave a hole before them"},
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"BOOL","shape":[0],"data_offsets":[1,1]}})",
     2, "tensor 'b': bytes [118, 118) overlap"},
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"a":{"dtype":"BOOL","shape":[2],"data_offsets":[2,4]}})",
     4, "header: duplicate tensor 'a'"},
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]},"\u0061":{"dtype":"BOOL","shape":[2],"data_offsets":[2,4]}})",
     4, "header: duplicate tensor 'a'"},
    {R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}"b":{}})", 2, "expected '}'"},
    // Metadata.
    {R"({"__metadata__":[]})", 0, "tensor '__metadata__', byte 24: expected '{'"},
    {R"({"__metadata__":null})", 0, "expected '{'"},
    {R"({"__metadata__":{"heads":8}})", 0, "byte 33: expected a string"},
    {R"({"__metadata__":{"a":{"b":"c"}}})", 0, "expected a string"},
    {R"({"__metadata__":{"a":"b",}})", 0, "expected a string"},
    {R"({"__metadata__":{"a":"b","a":"c"}})", 0, "duplicate key 'a' in '__metadata__'"},
    {R"({"__metadata__":{},"__metadata__":{}})", 0, "duplicate '__metadata__'"},
};
#undef ONE

}  // namespace

TEST_CASE("Every malformed header is refused with a message that says what and where") {
  for (const Malformed& malformed : kMalformed) {
    CAPTURE(malformed.header);
    const auto parsed =
        attn::io::parse_safetensors(safetensors_bytes(malformed.header, malformed.content_size));
    REQUIRE_FALSE(parsed.ok());
    CAPTURE(parsed.error());
    CHECK(parsed.error().find(malformed.fragment) != std::string::npos);
  }
}

TEST_CASE("A header length that cannot be true is refused before anything is read") {
  std::vector<std::uint8_t> file = safetensors_bytes("{}", 0);
  for (std::size_t size = 0; size < 8; ++size) {
    const auto parsed = attn::io::parse_safetensors(std::span(file).first(size));
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error() ==
          "file of " + std::to_string(size) + " bytes is too short for a safetensors header");
  }
  file[0] = 3;
  CHECK(attn::io::parse_safetensors(file).error() ==
        "header of 3 bytes does not fit in the file of 10 bytes");
  file[7] = 0xFF;
  CHECK(attn::io::parse_safetensors(file).error().find("above the limit of 100000000") != std::string::npos);
  const std::uint64_t just_above = 100'000'001;
  for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<std::uint8_t>(just_above >> (8 * i));
  CHECK(attn::io::parse_safetensors(file).error().find("above the limit of 100000000") != std::string::npos);
  --file[0];
  CHECK(attn::io::parse_safetensors(file).error().find("does not fit in the file") != std::string::npos);
}

TEST_CASE("A message stays short however long the names in the file are") {
  const std::string name(200'000, 'n');
  const std::string entry = R"(":{"dtype":"BOOL","shape":[2],"data_offsets":[0,1]}})";
  const auto parsed = attn::io::parse_safetensors(safetensors_bytes("{\"" + name + entry, 1));
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error() ==
        "tensor '" + std::string(60, 'n') + "...': shape (2) of BOOL takes 2 bytes, its offsets give 1");
}

TEST_CASE("Deep nesting is refused at its first unexpected byte") {
  const auto parsed = attn::io::parse_safetensors(safetensors_bytes(std::string(1'000'000, '{'), 0));
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error() == "header, byte 9: expected a string");
}

TEST_CASE("A mutated or truncated file gives a checked result and never a crash") {
  const std::vector<std::uint8_t> valid = safetensors_bytes(
      R"({"__metadata__":{"k\u00e9y":"v"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
      R"("b":{"dtype":"I64","shape":[],"data_offsets":[16,24]},"c":{"dtype":"F16","shape":[0],"data_offsets":[24,24]}})",
      24);
  int accepted = 0;
  int refused = 0;
  // A copy of exactly the size, so that a sanitizer sees any read beyond it.
  const auto try_bytes = [&](const std::vector<std::uint8_t>& bytes) {
    const std::vector<std::uint8_t> exact(bytes);
    const auto parsed = attn::io::parse_safetensors(exact);
    parsed.ok() ? ++accepted : ++refused;
    if (!parsed.ok()) {
      if (parsed.error().empty()) FAIL("an error without a message");
      return;
    }
    for (const attn::io::StoredTensor& tensor : parsed.value().tensors) {
      const auto numbers = attn::io::to_float(tensor);
      if (numbers.ok() &&
          attn::io::to_double(tensor).size() != static_cast<std::size_t>(numbers.value().size()))
        FAIL("a tensor with two sizes");
    }
  };
  for (std::size_t size = 0; size < valid.size(); ++size)
    try_bytes(std::vector<std::uint8_t>(valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(size)));
  CHECK(accepted == 0);  // no proper prefix of a file is a file
  for (std::size_t at = 0; at < valid.size(); ++at) {
    for (const int replacement : {0x00, 0x22, 0x2C, 0x2D, 0x30, 0x39, 0x5B, 0x5C, 0x7B, 0x7D, 0x80, 0xFF}) {
      std::vector<std::uint8_t> bytes = valid;
      bytes[at] = static_cast<std::uint8_t>(replacement);
      try_bytes(bytes);
    }
  }
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::uint8_t> bytes = valid;
    for (int change = 0; change < 1 + round % 3; ++change)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random() & 0xFF);
    try_bytes(bytes);
  }
  // Both outcomes must occur, otherwise the mutations test nothing.
  CHECK(accepted > 100);
  CHECK(refused > 1000);
}
