#include "kernels/matmul_accumulate.h"

#include "kernels/reference_backward.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

std::size_t count(int n) { return static_cast<std::size_t>(n); }

/// Both products of one shape against the readable version, starting from what is there.
void check_shape(Samples& samples, int rows, int depth, int columns) {
  CAPTURE(rows, depth, columns);
  const std::vector<float> a = samples.take(rows * depth);
  const std::vector<float> b = samples.take(depth * columns);
  const std::vector<float> start = samples.take(rows * columns);

  std::vector<float> out = start;
  std::vector<float> want = start;
  kernels::add_matmul(view(a, rows, depth), view(b, depth, columns), view(out, rows, columns));
  kernels::reference::add_matmul<float>(a, b, count(rows), count(depth), count(columns), want);
  REQUIRE(same_bits(out, want));

  out = start;
  want = start;
  kernels::add_matmul_transposed(view(a, depth, rows), view(b, depth, columns), view(out, rows, columns));
  kernels::reference::add_matmul_transposed<float>(a, b, count(rows), count(depth), count(columns), want);
  REQUIRE(same_bits(out, want));
}

}  // namespace

TEST_CASE("the accumulating products give the reference's bits for every size") {
  Samples samples;
  for (const int rows : kSizes)
    for (const int depth : kSizes)
      for (const int columns : kSizes) check_shape(samples, rows, depth, columns);
}

TEST_CASE("blocks in depth and in columns change no bit") {
  Samples samples;
  for (const int depth : {127, 128, 129, 256, 300})
    for (const int columns : {31, 32, 33, 64, 70}) check_shape(samples, 5, depth, columns);
}

TEST_CASE("the accumulating products read and write strided matrices and nothing beside them") {
  Samples samples;
  constexpr int kRows = 6, kDepth = 5, kColumns = 11, kStride = 20;
  const std::vector<float> a = samples.take(kStride * kStride);
  const std::vector<float> b = samples.take(kStride * kStride);
  const std::vector<float> start = samples.take(kRows * kStride);
  for (const bool transposed : {false, true}) {
    std::vector<float> out = start;
    const core::Matrix to{out.data(), kRows, kColumns, kStride};
    if (transposed) {
      kernels::add_matmul_transposed({a.data(), kDepth, kRows, kStride},
                                     {b.data(), kDepth, kColumns, kStride}, to);
    } else {
      kernels::add_matmul({a.data(), kRows, kDepth, kStride}, {b.data(), kDepth, kColumns, kStride}, to);
    }
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kStride; ++j) {
        float want = start[count(i * kStride + j)];
        for (int k = 0; j < kColumns && k < kDepth; ++k)
          want += a[count(transposed ? k * kStride + i : i * kStride + k)] * b[count(k * kStride + j)];
        REQUIRE(test::bits_of(out[count(i * kStride + j)]) == test::bits_of(want));
      }
    }
  }
}

TEST_CASE("column sums add the rows in order to what is there") {
  Samples samples;
  for (const int rows : kSizes) {
    for (const int columns : kSizes) {
      CAPTURE(rows, columns);
      const std::vector<float> a = samples.take(rows * columns);
      std::vector<float> sums = samples.take(columns);
      std::vector<float> want = sums;
      kernels::add_column_sums(view(a, rows, columns), sums);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) want[count(j)] += a[count(i * columns + j)];
      REQUIRE(same_bits(sums, want));
    }
  }
}
