#include "io/safetensors.h"

#include <cmath>
#include <cstring>

#include "support/catch.h"
#include "support/safetensors_bytes.h"

using attn::io::Dtype;
using attn::io::SafetensorsFile;
using attn::test::safetensors_bytes;

TEST_CASE("A safetensors file gives names, types, shapes and views of its own bytes") {
  const std::vector<std::uint8_t> content = {0, 0, 128, 63, 0, 0, 0, 192, 9, 0, 0, 0, 0, 0, 0, 0};
  const auto file = safetensors_bytes(R"({"__metadata__":{"format":"pt","note":"\u6ce8"},)"
                                      R"("ids":{"dtype":"I64","shape":[1],"data_offsets":[8,16]},)"
                                      R"("w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})",
                                      content);
  const auto parsed = attn::io::parse_safetensors(file);
  REQUIRE(parsed.ok());
  const SafetensorsFile& value = parsed.value();
  REQUIRE(value.tensors.size() == 2);
  CHECK(value.tensors[0].name == "w");  // by offset, not by place in the header
  CHECK(value.tensors[0].dtype == Dtype::f32);
  CHECK(value.tensors[0].bytes.data() == file.data() + file.size() - 16);
  CHECK(to_string(value.tensors[0].extents) == "(1, 2)");
  CHECK(attn::io::to_double(value.tensors[0]) == std::vector<double>{1.0, -2.0});
  REQUIRE(value.find("ids") == &value.tensors[1]);
  CHECK(attn::io::to_int(value.tensors[1]).value() == std::vector<int>{9});
  CHECK(value.find("absent") == nullptr);
  REQUIRE(value.metadata.size() == 2);
  CHECK(value.metadata[1].first == "note");
  CHECK(value.metadata[1].second == "\u6ce8");
}

TEST_CASE("Scalars, empty tensors and files without tensors are legal") {
  const auto file = safetensors_bytes(R"({"after":{"dtype":"BOOL","shape":[3,0,2],"data_offsets":[4,4]},)"
                                      R"("before":{"dtype":"F64","shape":[0],"data_offsets":[0,0]},)"
                                      R"("scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                                      4);
  const auto parsed = attn::io::parse_safetensors(file);
  REQUIRE(parsed.ok());
  const auto* scalar = parsed.value().find("scalar");
  REQUIRE(scalar != nullptr);
  const attn::core::Tensor tensor = attn::io::to_float(*scalar).value();
  CHECK(tensor.shape().rank() == 0);
  CHECK(tensor.size() == 1);
  const auto* after = parsed.value().find("after");
  REQUIRE(after != nullptr);
  CHECK(attn::io::to_float(*after).value().shape() == attn::core::Shape{3, 0, 2});
  CHECK(attn::io::parse_safetensors(safetensors_bytes("{}", 0)).ok());
  CHECK(attn::io::parse_safetensors(safetensors_bytes(R"({"__metadata__":{}})", 0)).ok());
}

TEST_CASE("White space anywhere around the JSON is accepted") {
  const auto file = safetensors_bytes(
      " \n\t\r{ \"x\" : { \"shape\" : [ 1 , 1 ] ,\"data_offsets\":[ 0 , 1 ] , \"dtype\":\"BOOL\" } }   ", 1);
  REQUIRE(attn::io::parse_safetensors(file).ok());
}

TEST_CASE("Tensors at unaligned offsets are read") {
  std::vector<std::uint8_t> content(9);
  const double number = -1.75;
  std::memcpy(content.data() + 1, &number, 8);
  const auto file = safetensors_bytes(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]},)"
                                      R"("b":{"dtype":"F64","shape":[],"data_offsets":[1,9]}})",
                                      content);
  const auto parsed = attn::io::parse_safetensors(file);
  REQUIRE(parsed.ok());
  CHECK(attn::io::to_double(parsed.value().tensors[1]) == std::vector<double>{-1.75});
  CHECK(attn::io::to_float(parsed.value().tensors[1]).value().values()[0] == -1.75f);
}

TEST_CASE("NaN and infinity are values like any other") {
  const std::vector<std::uint8_t> content = {0, 0, 192, 127, 0, 0, 128, 255};
  const auto file = safetensors_bytes(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", content);
  const auto parsed = attn::io::parse_safetensors(file);
  REQUIRE(parsed.ok());
  const attn::core::Tensor tensor = attn::io::to_float(parsed.value().tensors[0]).value();
  CHECK(std::isnan(tensor.values()[0]));
  CHECK(tensor.values()[1] == -INFINITY);
}

TEST_CASE("Eight axes are read and names need not be identifiers") {
  const auto file =
      safetensors_bytes(R"({"":{"dtype":"BOOL","shape":[1,1,1,1,1,1,1,2],"data_offsets":[0,2]},)"
                        R"("a\"b \u0000":{"dtype":"BOOL","shape":[1],"data_offsets":[2,3]}})",
                        3);
  const auto parsed = attn::io::parse_safetensors(file);
  REQUIRE(parsed.ok());
  CHECK(parsed.value().find("") != nullptr);
  CHECK(parsed.value().find(std::string_view("a\"b \0", 5)) != nullptr);
}

TEST_CASE("A file of many tensors is read in one pass") {
  std::vector<attn::test::NamedTensor> tensors;
  for (int i = 0; i < 300; ++i)
    tensors.push_back({"tensor " + std::to_string(i), attn::core::Tensor(attn::core::Shape{i % 7, 3})});
  const auto file = safetensors_bytes(tensors);
  const auto parsed = attn::io::parse_safetensors(file);
  REQUIRE(parsed.ok());
  CHECK(parsed.value().tensors.size() == 300);
}
