#include "core/tensor.h"

#include <string>

#include "core/result.h"
#include "support/catch.h"

using namespace attn::core;

TEST_CASE("A shape knows its rank, its extents from both ends and its size") {
  const Shape shape{2, 5, 8};
  CHECK(shape.rank() == 3);
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 8);
  CHECK(shape.size() == 80);
  CHECK(to_string(shape) == "(2, 5, 8)");
  CHECK(Shape{}.size() == 1);
  CHECK(to_string(Shape{}) == "()");
  CHECK(Shape{3, 0}.size() == 0);
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2} != Shape{2, 1});
}

TEST_CASE("A tensor starts at zero and is copied by value") {
  Tensor tensor(Shape{2, 3});
  for (const float value : tensor.flat()) REQUIRE(value == 0.0f);
  const Tensor copy = tensor;
  tensor.values()[5] = 7.0f;
  CHECK(copy.values()[5] == 0.0f);
  CHECK(Tensor().size() == 0);
}

TEST_CASE("Views address rows, slices and strided rows without copying") {
  Tensor tensor(Shape{6, 2});
  for (int i = 0; i < tensor.size(); ++i) tensor.values()[i] = static_cast<float>(i);
  const TensorView middle = rows_of(tensor.view(), 2, 3);
  CHECK(middle.shape == Shape{3, 2});
  CHECK(middle.values == tensor.values() + 4);
  const ConstMatrix matrix = as_matrix(middle);
  CHECK(matrix.rows == 3);
  CHECK(matrix.row(2)[1] == 9.0f);
  const TensorView flat{tensor.values(), Shape{12}};
  const TensorView part = slice_of(flat, 4, 4);
  CHECK(part.shape == Shape{4});
  CHECK(part.values[0] == 4.0f);
  const Matrix column{tensor.values() + 1, 6, 1, 2};
  CHECK(column.row(3)[0] == 7.0f);
}

TEST_CASE("A result holds a value or an error, and a message has an end") {
  const Result<int> value = 3;
  CHECK(value.ok());
  CHECK(value.value() == 3);
  const Result<int> error = error_at("row %d of '%s'", 4, "x");
  CHECK_FALSE(error.ok());
  CHECK(error.error() == "row 4 of 'x'");
  CHECK(ok_status().ok());
  CHECK(error_at("%s", std::string(5000, 'a').c_str()).message.size() == 999);
}
