#include "tape/compare.h"

#include <cmath>
#include <limits>

#include "core/bits.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::tape;

namespace {

constexpr Label kNorm{Stack::decoder, 0, Block::self_attention, Site::norm};
constexpr Label kWeights{Stack::decoder, 0, Block::self_attention, Site::weights};
constexpr Label kMask{Stack::decoder, 0, Block::self_attention, Site::mask};

/// Appends a computed entry with given values; what computed it doesn't matter here.
void put(Tape& tape, const Label& label, core::Shape shape, const std::vector<float>& values) {
  float* memory = tape.allocate(values.size());
  std::copy(values.begin(), values.end(), memory);
  tape.append(Op::add, {}, {memory, shape}, label);
}

}  // namespace

TEST_CASE("ULP distance counts representable numbers between two floats") {
  CHECK(core::ulp_distance(1.0f, 1.0f) == 0);
  CHECK(core::ulp_distance(1.0f, std::nextafter(1.0f, 2.0f)) == 1);
  CHECK(core::ulp_distance(-1.0f, std::nextafter(-1.0f, 0.0f)) == 1);
  CHECK(core::ulp_distance(0.0f, -0.0f) == 1);
  CHECK(core::ulp_distance(std::numeric_limits<float>::denorm_min(),
                           -std::numeric_limits<float>::denorm_min()) == 3);
  CHECK(core::ulp_distance(1.0f, 2.0f) == 1u << 23);
  CHECK(core::ulp_distance(1.0f, NAN) == UINT32_MAX);
}

TEST_CASE("the largest difference and the ULP distance are those of the same cell") {
  Tape a;
  Tape b;
  put(a, kNorm, {2, 2}, {1.0f, 1e-20f, 3.0f, 4.0f});
  put(b, kNorm, {2, 2}, {1.5f, -1e-20f, 3.0f, 4.0f});
  const auto differences = compare(a, b);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].compared == 4);
  CHECK(differences[0].different == 2);
  CHECK(differences[0].largest_difference == 0.5f);
  CHECK(differences[0].ulp_at_largest == core::ulp_distance(1.0f, 1.5f));
  CHECK(differences[0].largest_index == std::array<int, 4>{0, 0, 0, 0});
  CHECK(differences[0].largest_ulp == core::ulp_distance(1e-20f, -1e-20f));
  CHECK(first_different(differences) == 0);
}

TEST_CASE("only rows both runs have are compared, and one row when asked") {
  Tape a;
  Tape b;
  put(a, kNorm, {3, 2}, {1, 2, 3, 4, 5, 6});
  put(b, kNorm, {2, 2}, {1, 2, 3, 9});
  CHECK(compare(a, b)[0].compared == 4);
  CHECK(compare(a, b, 0)[0].equal());
  CHECK(compare(a, b, 0)[0].compared == 2);
  CHECK_FALSE(compare(a, b, 1)[0].equal());
  CHECK(compare(a, b, 2)[0].compared == 0);
  CHECK(compare_tensor(a, b, kNorm, 1).largest_difference == 5.0f);
}

TEST_CASE("weights are compared where both runs may look") {
  Tape a;
  Tape b;
  a.leaf(core::TensorView{std::vector<float>{1, 0, 1, 1}.data(), {2, 2}}, kMask);
  b.leaf(core::TensorView{std::vector<float>{1, 1, 1, 1}.data(), {2, 2}}, kMask);
  put(a, kWeights, {1, 2, 2}, {1, 0, 0.5f, 0.5f});
  put(b, kWeights, {1, 2, 2}, {1, 0.25f, 0.5f, 0.5f});
  CHECK(compare(a, b)[0].compared == 3);
  CHECK(compare(a, b)[0].equal());
  CHECK(is_visible(b, kWeights, 0, 1));
  CHECK_FALSE(is_visible(a, kWeights, 0, 1));
}

TEST_CASE("NaN on one side is an infinite difference, the same NaN on both sides is none") {
  Tape a;
  Tape b;
  put(a, kNorm, {1, 2}, {NAN, 1});
  put(b, kNorm, {1, 2}, {NAN, NAN});
  const TensorDifference difference = compare(a, b)[0];
  CHECK(difference.different == 1);
  CHECK(std::isinf(difference.largest_difference));
  CHECK(difference.largest_ulp == UINT32_MAX);
}

TEST_CASE("a tensor only one run has is not compared") {
  Tape a;
  Tape b;
  put(a, kNorm, {1, 1}, {1});
  CHECK(compare(a, b).empty());
  CHECK(first_different({}) == -1);
}

namespace {

/// The elements of `x` (rows, 2) for one sequence: 10·b + row, 0.5 more in column 1.
std::vector<float> counted(int batch, int rows, int padding) {
  std::vector<float> values;
  for (int b = 0; b < batch; ++b)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < 2; ++column) {
        const auto place = static_cast<float>(row - padding);
        values.push_back(row < padding
                             ? -1.0f
                             : 10.0f * static_cast<float>(b) + place + 0.5f * static_cast<float>(column));
      }
  return values;
}

}  // namespace

TEST_CASE("two batches are compared sequence by sequence, in the rows both have") {
  Tape a;
  Tape b;
  put(a, kNorm, {2, 3, 2}, counted(2, 3, 0));
  std::vector<float> values = counted(2, 4, 0);
  put(b, kNorm, {2, 4, 2}, values);
  CHECK(compare(a, b)[0].compared == 12);
  CHECK(compare(a, b)[0].equal());
  CHECK(compare(a, b, 1)[0].compared == 4);
  Tape c;
  values[(1 * 4 + 2) * 2 + 1] = 99.0f;  // sequence 1, row 2, column 1
  put(c, kNorm, {2, 4, 2}, values);
  const TensorDifference difference = compare(a, c)[0];
  CHECK(difference.different == 1);
  CHECK(difference.largest_index == std::array<int, 4>{1, 2, 1, 0});
  CHECK(compare(a, c, 1)[0].equal());
}

TEST_CASE("one sequence of a padded batch is compared with a run of its own") {
  Tape batch;
  put(batch, kNorm, {2, 5, 2}, counted(2, 5, 2));  // three rows each, padded by two on the left
  for (int b = 0; b < 2; ++b) {
    Tape alone;
    const std::vector<float> all = counted(2, 3, 0);
    put(alone, kNorm, {3, 2}, {all.begin() + 6 * b, all.begin() + 6 * (b + 1)});
    const auto differences = compare(batch, alone, std::nullopt, {.index = b, .target_offset = 2});
    REQUIRE(differences.size() == 1);
    CHECK(differences[0].compared == 6);
    CHECK(differences[0].equal());
    CHECK(compare(alone, batch, std::nullopt, {}, {.index = b, .target_offset = 2})[0].equal());
    CHECK_FALSE(compare(batch, alone, std::nullopt, {.index = 1 - b, .target_offset = 2})[0].equal());
    CHECK_FALSE(compare(batch, alone, std::nullopt, {.index = b, .target_offset = 1})[0].equal());
    CHECK(compare(batch, alone, 2, {.index = b, .target_offset = 2})[0].compared == 2);
  }
  Tape alone;
  put(alone, kNorm, {3, 2}, counted(1, 3, 0));
  CHECK(compare(batch, alone).empty());  // which sequence was not said
}

TEST_CASE("weights of a padded batch are compared where both runs may look, whatever the mask's shape") {
  const core::Shape shapes[] = {{2, 1, 3, 3}, {2, 1, 1, 3}, {2, 2, 3, 3}};
  for (const core::Shape& shape : shapes) {
    CAPTURE(core::to_string(shape));
    Tape batch;  // sequence 1 has one key of padding on the left
    std::vector<float> mask;
    std::vector<float> weights;
    for (int b = 0; b < 2; ++b)
      for (int h = 0; h < 2; ++h)
        for (int t = 0; t < 3; ++t)
          for (int s = 0; s < 3; ++s) {
            const bool stored = h < shape[1] && t < shape[2];
            if (stored) mask.push_back(b == 1 && s == 0 ? 0.0f : 1.0f);
            weights.push_back(static_cast<float>(100 * b + 10 * h + 3 * (t - b) + (s - b)));
          }
    batch.leaf(core::TensorView{mask.data(), shape}, kMask);
    put(batch, kWeights, {2, 2, 3, 3}, weights);
    Tape alone;
    std::vector<float> own;
    for (int h = 0; h < 2; ++h)
      for (int t = 0; t < 2; ++t)
        for (int s = 0; s < 2; ++s) own.push_back(static_cast<float>(100 + 10 * h + 3 * t + s));
    put(alone, kWeights, {2, 2, 2}, own);
    const auto differences = compare(batch, alone, std::nullopt, {.index = 1, .target_offset = 1});
    REQUIRE(differences.size() == 1);
    CHECK(differences[0].compared == 8);
    CHECK(differences[0].equal());
    CHECK(is_visible(batch, kWeights, 0, 0, 1, 0));
    CHECK_FALSE(is_visible(batch, kWeights, 0, 0, 1, 1));
    CHECK(is_visible(batch, kWeights, 2, 1, 1, 1));
  }
}
