#include "nn/mask.h"

#include "support/catch.h"

using attn::nn::Mask;

TEST_CASE("a causal mask lets query i see keys 0..i") {
  const Mask mask = Mask::causal();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) CHECK(mask.may_see(i, j) == (j <= i));
}

TEST_CASE("a mask without a rule hides nothing") { CHECK(Mask::none().may_see(0, 100)); }

TEST_CASE("PyTorch's boolean masks say true for blocked and are turned round at the border") {
  const std::uint8_t blocked[] = {0, 0, 1};
  const Mask padding = Mask::from_pytorch_key_padding(blocked);
  for (int query = 0; query < 4; ++query) {
    CHECK(padding.may_see(query, 0));
    CHECK_FALSE(padding.may_see(query, 2));
  }
  const std::uint8_t grid[] = {0, 1, 1, 0};
  const Mask matrix = Mask::from_pytorch_bool(grid, 2, 2);
  CHECK(matrix.may_see(0, 0));
  CHECK_FALSE(matrix.may_see(0, 1));
  CHECK_FALSE(matrix.may_see(1, 0));
}

TEST_CASE("a mask shorter than the keys hides what lies beyond it") {
  const std::uint8_t visible[] = {1, 1};
  CHECK_FALSE(Mask::keys(visible).may_see(0, 2));
}

TEST_CASE("two masks together allow what both allow") {
  const std::uint8_t visible[] = {1, 0, 1};
  const Mask both = Mask::causal().and_also(Mask::keys(visible));
  CHECK(both.may_see(2, 0));
  CHECK_FALSE(both.may_see(2, 1));
  CHECK(both.may_see(2, 2));
  CHECK_FALSE(both.may_see(1, 2));
}

TEST_CASE("materialised, a mask is 1 where a query may see a key and 0 elsewhere") {
  const attn::core::Tensor tensor = Mask::causal().materialise(2, 3);
  const float expected[] = {1, 0, 0, 1, 1, 0};
  for (int i = 0; i < 6; ++i) CHECK(tensor.values()[i] == expected[i]);
}
