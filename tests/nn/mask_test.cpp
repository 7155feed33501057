#include "nn/mask.h"

#include <limits>

#include "support/catch.h"
#include "support/random_model.h"

using namespace attn;
using nn::Mask;

namespace {

constexpr int kBatch = 3;
constexpr int kHeads = 2;
constexpr int kQueries = 5;
constexpr int kKeys = 7;

/// Calls check(batch, head, query, key) for all of them.
template <class Check>
void for_all(Check check) {
  for (int b = 0; b < kBatch; ++b)
    for (int h = 0; h < kHeads; ++h)
      for (int i = 0; i < kQueries; ++i)
        for (int j = 0; j < kKeys; ++j) check(b, h, i, j);
}

std::vector<std::uint8_t> random_flags(int count, std::uint64_t seed) {
  test::RandomNumbers numbers(seed);
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(count));
  for (std::uint8_t& flag : flags) flag = numbers.below(3) > 0 ? 1 : 0;
  return flags;
}

}  // namespace

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

TEST_CASE(
    "a causal mask with an offset lets query i see keys up to i + offset, and none when that is negative") {
  for (const int offset : {-3, -1, 0, 2, 100}) {
    const Mask mask = Mask::causal(offset);
    for_all([&](int b, int h, int i, int j) { CHECK(mask.may_see(b, h, i, j) == (j <= i + offset)); });
  }
}

TEST_CASE("the bottom right corner lets the last query see the last key, however many there are of each") {
  const Mask more_keys = Mask::causal_bottom_right(3, 5);
  CHECK(more_keys.may_see(2, 4));
  CHECK(more_keys.may_see(0, 2));
  CHECK_FALSE(more_keys.may_see(0, 3));
  const Mask more_queries = Mask::causal_bottom_right(5, 3);
  CHECK(more_queries.may_see(4, 2));
  CHECK_FALSE(more_queries.may_see(1, 0));  // the first rows are empty
  CHECK(more_queries.may_see(2, 0));
}

TEST_CASE("each sequence of a batch may have its own causal offset") {
  const int offsets[] = {0, 2, -1};
  const Mask mask = Mask::causal(offsets);
  CHECK(mask.differs_by_batch());
  for_all([&](int b, int h, int i, int j) { CHECK(mask.may_see(b, h, i, j) == (j <= i + offsets[b])); });
  CHECK_FALSE(mask.may_see(3, 0, 0, 0));  // there is no fourth sequence
}

TEST_CASE("a sliding window has a width on each side, and a negative width is no bound") {
  for (const int left : {-1, 0, 2}) {
    for (const int right : {-1, 0, 1}) {
      for (const int offset : {0, 1}) {
        const Mask mask = Mask::sliding_window(left, right, offset);
        for_all([&](int b, int h, int i, int j) {
          const int p = i + offset;
          const bool want = (left < 0 || j >= p - left) && (right < 0 || j <= p + right);
          CHECK(mask.may_see(b, h, i, j) == want);
        });
      }
    }
  }
  constexpr int kHuge = std::numeric_limits<int>::max();
  CHECK(Mask::sliding_window(kHuge, kHuge, kHuge).may_see(0, 5));
}

TEST_CASE("lengths hide padding on the right, left_padding hides it on the left") {
  const int lengths[] = {7, 0, 4};
  const int padding[] = {0, 7, 3};
  const Mask right = Mask::lengths(lengths);
  const Mask left = Mask::left_padding(padding);
  for_all([&](int b, int h, int i, int j) {
    CHECK(right.may_see(b, h, i, j) == (j < lengths[b]));
    CHECK(left.may_see(b, h, i, j) == (j >= padding[b]));
  });
}

TEST_CASE("a grid of any rank is aligned at the last axis, its axes of extent 1 repeat, short ones hide") {
  const core::Shape shapes[] = {{7},          {5, 7},       {1, 7},       {2, 5, 7},    {2, 1, 7},
                                {3, 2, 5, 7}, {3, 1, 5, 7}, {1, 2, 5, 7}, {3, 1, 1, 7}, {3, 2, 1, 4},
                                {4},          {1},          {2, 5, 3},    {1, 1, 1, 1}};
  std::uint64_t seed = 1;
  for (const core::Shape& shape : shapes) {
    CAPTURE(core::to_string(shape));
    const std::vector<std::uint8_t> flags = random_flags(shape.size(), ++seed);
    const Mask mask = Mask::grid(flags, shape);
    for_all([&](int b, int h, int i, int j) {
      const int asked[] = {b, h, i, j};
      int flat = 0;
      for (int axis = 0; axis < shape.rank(); ++axis) {
        const int index = asked[4 - shape.rank() + axis];
        const bool repeats = shape[axis] == 1 && axis + 1 < shape.rank();
        flat = flat * shape[axis] + (repeats ? 0 : index);
      }
      const bool want = j < shape[-1] && flags[static_cast<std::size_t>(flat)] != 0;
      CHECK(mask.may_see(b, h, i, j) == want);
    });
  }
}

TEST_CASE("PyTorch's masks with a batch are turned round and keep their order") {
  const std::vector<std::uint8_t> padding = random_flags(kBatch * kKeys, 30);
  const Mask keys = Mask::from_pytorch_key_padding(padding, kBatch, kKeys);
  const std::vector<std::uint8_t> blocked = random_flags(kBatch * kHeads * kQueries * kKeys, 31);
  const Mask pairs = Mask::from_pytorch_bool(blocked, kBatch, kHeads, kQueries, kKeys);
  for_all([&](int b, int h, int i, int j) {
    CHECK(keys.may_see(b, h, i, j) == (padding[static_cast<std::size_t>(b * kKeys + j)] == 0));
    const int flat = ((b * kHeads + h) * kQueries + i) * kKeys + j;  // (B·H, T, S)
    CHECK(pairs.may_see(b, h, i, j) == (blocked[static_cast<std::size_t>(flat)] == 0));
  });
}

TEST_CASE("a mask written into a tensor says what may_see says, in the smallest shape that will do") {
  const int offsets[] = {0, 2, 1};
  const int lengths[] = {7, 3, 5};
  const Mask by_batch = Mask::causal(offsets).and_also(Mask::lengths(lengths));
  const Mask by_head = Mask::grid(random_flags(kHeads * kKeys, 32), {kHeads, 1, kKeys});
  const struct {
    Mask mask;
    core::Shape shape;
  } cases[] = {
      {Mask::none(), {kQueries, kKeys}},
      {Mask::causal(1).and_also(Mask::keys(random_flags(4, 33))), {kQueries, kKeys}},
      {by_head.and_also(Mask::sliding_window(2, 1)), {kHeads, kQueries, kKeys}},
      {by_batch, {kBatch, 1, kQueries, kKeys}},
      {by_batch.and_also(by_head), {kBatch, kHeads, kQueries, kKeys}},
  };
  for (const auto& one : cases) {
    const Mask& mask = one.mask;  // names of their own: clang 14 lets no lambda capture a binding
    const core::Shape& shape = one.shape;
    CAPTURE(core::to_string(shape));
    REQUIRE(mask.shape_for(kBatch, kHeads, kQueries, kKeys) == shape);
    core::Tensor tensor(shape);
    mask.write(tensor.flat(), shape);
    int visible = 0;
    for_all([&](int b, int h, int i, int j) {
      const int row = shape.rank() < 4 ? 0 : b;
      const int matrix = shape.rank() < 3 || shape[-3] == 1 ? row : row * kHeads + h;
      const float value = tensor.values()[(matrix * kQueries + i) * kKeys + j];
      CHECK(value == (mask.may_see(b, h, i, j) ? 1.0f : 0.0f));
      visible += value != 0.0f ? 1 : 0;
    });
    CHECK(visible > 0);
  }
}

TEST_CASE(
    "a float mask is taken apart: minus infinity hides, finite numbers are a bias, short ones hide too") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  core::Tensor values(core::Shape{2, 3});
  const float given[] = {0.0f, -kInfinity, 0.5f, -1e9f, -1e9f, -1e9f};
  for (int i = 0; i < 6; ++i) values.values()[i] = given[i];
  const nn::FloatMask mask = nn::split_float_mask(values.view(), 4);
  CHECK(mask.visible.may_see(0, 0));
  CHECK_FALSE(mask.visible.may_see(0, 1));
  CHECK(mask.visible.may_see(0, 2));
  CHECK(mask.visible.may_see(1, 0));  // -1e9 is a number
  CHECK_FALSE(mask.visible.may_see(1, 3));
  REQUIRE(mask.bias.shape() == core::Shape{2, 4});
  const float expected[] = {0.0f, 0.0f, 0.5f, 0.0f, -1e9f, -1e9f, -1e9f, 0.0f};
  for (int i = 0; i < 8; ++i) CHECK(mask.bias.values()[i] == expected[i]);

  core::Tensor only_infinite(core::Shape{2});
  only_infinite.values()[1] = -kInfinity;
  CHECK(nn::split_float_mask(only_infinite.view(), 2).bias.size() == 0);
}

TEST_CASE(
    "the reach of a query is from the first to the last key it sees, and whole when nothing is missing") {
  const std::vector<std::uint8_t> flags = random_flags(kBatch * kHeads * kQueries * kKeys, 61);
  const std::vector<std::uint8_t> all(static_cast<std::size_t>(kQueries * kKeys), 1);
  const int offsets[] = {-2, 0, 3};
  const Mask masks[] = {Mask::none(),
                        Mask::causal(-1),
                        Mask::causal(offsets),
                        Mask::sliding_window(1, 0, 1),
                        Mask::lengths(offsets),
                        Mask::left_padding(offsets).and_also(Mask::causal()),
                        Mask::grid(flags, core::Shape{kBatch, kHeads, kQueries, kKeys}),
                        Mask::matrix(all, kQueries, kKeys)};
  for (const Mask& mask : masks)
    for (int keys = 0; keys <= kKeys; ++keys)
      for_all([&](int b, int h, int i, int) {
        const Mask::Reach reach = mask.reach(b, h, i, keys);
        REQUIRE(0 <= reach.first);
        REQUIRE(reach.end <= keys);
        for (int j = 0; j < keys; ++j) {
          const bool inside = j >= reach.first && j < reach.end;
          if (mask.may_see(b, h, i, j)) REQUIRE(inside);
          if (inside && (reach.whole || j == reach.first || j == reach.end - 1)) {
            REQUIRE(mask.may_see(b, h, i, j));
          }
        }
      });
}
