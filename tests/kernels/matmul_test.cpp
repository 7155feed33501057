#include "kernels/matmul.h"

#include <Eigen/Dense>
#include <limits>

#include "kernels/reference.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

std::vector<float> empty_output(int size) {
  return std::vector<float>(static_cast<std::size_t>(size), std::numeric_limits<float>::quiet_NaN());
}

std::vector<float> expected(const std::vector<float>& a, const std::vector<float>& b,
                            const std::vector<float>& bias, int rows, int depth, int columns) {
  std::vector<float> out = empty_output(rows * columns);
  kernels::reference::linear<float>(a, b, bias, static_cast<std::size_t>(rows),
                                    static_cast<std::size_t>(depth), static_cast<std::size_t>(columns), out);
  return out;
}

}  // namespace

TEST_CASE("matmul gives the reference's bits for every combination of sizes, packed and unpacked") {
  Samples samples;
  kernels::PackedMatrix packed;
  for (const int rows : kSizes) {
    for (const int depth : kSizes) {
      for (const int columns : kSizes) {
        CAPTURE(rows, depth, columns);
        const std::vector<float> a = samples.take(rows * depth);
        const std::vector<float> b = samples.take(depth * columns);
        const std::vector<float> want = expected(a, b, {}, rows, depth, columns);
        std::vector<float> out = empty_output(rows * columns);
        kernels::matmul(view(a, rows, depth), view(b, depth, columns), view(out, rows, columns));
        REQUIRE(same_bits(out, want));
        out = empty_output(rows * columns);
        kernels::pack(view(b, depth, columns), packed);
        kernels::matmul(view(a, rows, depth), packed, view(out, rows, columns));
        REQUIRE(same_bits(out, want));
      }
    }
  }
}

TEST_CASE("linear multiplies with the transposed weight and adds the bias last") {
  Samples samples;
  kernels::PackedMatrix packed;
  for (const int rows : kSizes) {
    for (const int depth : {0, 1, 5, 8, 33}) {
      for (const int columns : kSizes) {
        CAPTURE(rows, depth, columns);
        const std::vector<float> x = samples.take(rows * depth);
        const std::vector<float> weight = samples.take(columns * depth);  // (out, in)
        const std::vector<float> bias = samples.take(columns);
        std::vector<float> transposed = empty_output(depth * columns);
        for (int k = 0; k < depth; ++k) {
          for (int j = 0; j < columns; ++j) {
            transposed[static_cast<std::size_t>(k * columns + j)] =
                weight[static_cast<std::size_t>(j * depth + k)];
          }
        }
        kernels::pack_transposed(view(weight, columns, depth), packed);
        REQUIRE(packed.rows == depth);
        REQUIRE(packed.columns == columns);
        std::vector<float> out = empty_output(rows * columns);
        kernels::linear(view(x, rows, depth), packed, bias, view(out, rows, columns));
        REQUIRE(same_bits(out, expected(x, transposed, bias, rows, depth, columns)));
        kernels::linear(view(x, rows, depth), packed, {}, view(out, rows, columns));
        REQUIRE(same_bits(out, expected(x, transposed, {}, rows, depth, columns)));
      }
    }
  }
}

TEST_CASE("A row of a product has the same bits whichever rows and columns are computed with it") {
  Samples samples;
  const int rows = 17;
  const int depth = 33;
  const int columns = 33;
  const std::vector<float> a = samples.take(rows * depth);
  const std::vector<float> b = samples.take(depth * columns);
  std::vector<float> whole = empty_output(rows * columns);
  kernels::matmul(view(a, rows, depth), view(b, depth, columns), view(whole, rows, columns));
  kernels::PackedMatrix packed;
  for (int first_column = 0; first_column < columns; first_column += 3) {
    for (int width = 1; first_column + width <= columns; width += 2) {
      const core::ConstMatrix part_of_b{b.data() + first_column, depth, width, columns};
      kernels::pack(part_of_b, packed);
      for (int first_row = 0; first_row < rows; first_row += 2) {
        for (const int height : {1, 2, 3, 4, 5, 6, 7, 9}) {
          if (first_row + height > rows) continue;
          CAPTURE(first_row, height, first_column, width);
          const core::ConstMatrix part_of_a{a.data() + first_row * depth, height, depth, depth};
          std::vector<float> from_view = empty_output(height * width);
          std::vector<float> from_packed = empty_output(height * width);
          kernels::matmul(part_of_a, part_of_b, view(from_view, height, width));
          kernels::matmul(part_of_a, packed, view(from_packed, height, width));
          std::vector<float> want;
          for (int i = 0; i < height; ++i) {
            const float* row = whole.data() + (first_row + i) * columns + first_column;
            want.insert(want.end(), row, row + width);
          }
          REQUIRE(same_bits(from_view, want));
          REQUIRE(same_bits(from_packed, want));
        }
      }
    }
  }
}

TEST_CASE("matmul writes its own columns of a wider matrix and nothing else") {
  Samples samples;
  const int rows = 6;
  const int depth = 5;
  const int stride = 24;
  for (const int columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17}) {
    CAPTURE(columns);
    const std::vector<float> a = samples.take(rows * depth);
    const std::vector<float> b = samples.take(depth * columns);
    const std::vector<float> want = expected(a, b, {}, rows, depth, columns);
    kernels::PackedMatrix packed;
    kernels::pack(view(b, depth, columns), packed);
    for (const bool use_packed : {false, true}) {
      std::vector<float> wide(static_cast<std::size_t>(rows * stride), 7.0f);
      const core::Matrix out{wide.data() + 3, rows, columns, stride};
      if (use_packed) {
        kernels::matmul(view(a, rows, depth), packed, out);
      } else {
        kernels::matmul(view(a, rows, depth), view(b, depth, columns), out);
      }
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < stride; ++j) {
          const bool inside = j >= 3 && j < 3 + columns;
          const float value = wide[static_cast<std::size_t>(i * stride + j)];
          REQUIRE(value == (inside ? want[static_cast<std::size_t>(i * columns + j - 3)] : 7.0f));
        }
      }
    }
  }
}

TEST_CASE("A sum starts from +0 and products are rounded before they are added") {
  const auto product = [](std::vector<float> a, std::vector<float> b) {
    const int depth = static_cast<int>(a.size());
    std::vector<float> out = empty_output(8);
    std::vector<float> wide;
    for (const float value : b) wide.insert(wide.end(), 8, value);
    kernels::matmul(view(a, 1, depth), view(wide, depth, 8), view(out, 1, 8));
    return out[0];
  };
  CHECK(test::bits_of(product({-0.0f}, {1.0f})) == test::bits_of(0.0f));
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, rounded to 1 + 2^-11. A fused multiply-add would leave the 2^-24 in
  // the sum.
  const float a = 1.0f + 0x1p-12f;
  CHECK(product({1.0f + 0x1p-11f, a}, {-1.0f, a}) == 0.0f);
  // In order of k: (2^24 + 1) - 2^24 is 0 in float, 2^24 - 2^24 + 1 is 1.
  CHECK(product({0x1p24f, 1.0f, -0x1p24f}, {1.0f, 1.0f, 1.0f}) == 0.0f);
  CHECK(product({0x1p24f, -0x1p24f, 1.0f}, {1.0f, 1.0f, 1.0f}) == 1.0f);
}

TEST_CASE("matmul stays within the error bound of a sum in order") {
  Samples samples;
  const int rows = 33;
  const int depth = 257;
  const int columns = 41;
  const std::vector<float> a = samples.take(rows * depth);
  const std::vector<float> b = samples.take(depth * columns);
  std::vector<float> out = empty_output(rows * columns);
  kernels::matmul(view(a, rows, depth), view(b, depth, columns), view(out, rows, columns));
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd left = Eigen::Map<const RowMajor>(a.data(), rows, depth).cast<double>();
  const Eigen::MatrixXd right = Eigen::Map<const RowMajor>(b.data(), depth, columns).cast<double>();
  const Eigen::MatrixXd exact = left * right;
  const Eigen::MatrixXd magnitude = left.cwiseAbs() * right.cwiseAbs();
  // Higham, Accuracy and Stability, section 3.1: depth roundings of half an ulp, relative to the sum of
  // magnitudes.
  const double kBound = depth * 0x1p-24 * 1.001;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      REQUIRE(std::abs(static_cast<double>(out[static_cast<std::size_t>(i * columns + j)]) - exact(i, j)) <=
              kBound * magnitude(i, j));
    }
  }
}

TEST_CASE("Packing again with the same size allocates nothing and leaves no old value") {
  Samples samples;
  kernels::PackedMatrix packed;
  const std::vector<float> first = samples.take(5 * 11);
  const std::vector<float> second = samples.take(5 * 11);
  kernels::pack(view(first, 5, 11), packed);
  const float* storage = packed.panels.data();
  kernels::pack(view(second, 5, 11), packed);
  CHECK(packed.panels.data() == storage);
  REQUIRE(packed.panels.size() == 80);
  for (int k = 0; k < 5; ++k) {
    for (int j = 0; j < 16; ++j) {
      const float value = packed.panel(j / 8)[k * 8 + j % 8];
      CHECK(value == (j < 11 ? second[static_cast<std::size_t>(k * 11 + j)] : 0.0f));
    }
  }
}

TEST_CASE("NaN and infinity in one row or column stay there") {
  Samples samples;
  std::vector<float> a = samples.take(5 * 4);
  std::vector<float> b = samples.take(4 * 11);
  a[2 * 4 + 1] = std::numeric_limits<float>::quiet_NaN();
  b[1 * 11 + 10] = std::numeric_limits<float>::infinity();
  kernels::PackedMatrix packed;
  kernels::pack(view(b, 4, 11), packed);
  std::vector<float> out = empty_output(5 * 11);
  kernels::matmul(view(a, 5, 4), packed, view(out, 5, 11));
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 11; ++j) {
      CAPTURE(i, j);
      CHECK(std::isfinite(out[static_cast<std::size_t>(i * 11 + j)]) == (i != 2 && j != 10));
    }
  }
}
