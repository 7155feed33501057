#include "kernels/layer_norm.h"

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

constexpr float kEpsilon = 1e-5f;

std::vector<float> layer_norm(const std::vector<float>& x, const std::vector<float>& scale,
                              const std::vector<float>& shift, int rows) {
  std::vector<float> out(x.size(), std::numeric_limits<float>::quiet_NaN());
  const int columns = static_cast<int>(scale.size());
  kernels::layer_norm(view(x, rows, columns), scale, shift, kEpsilon, view(out, rows, columns));
  return out;
}

}  // namespace

TEST_CASE("layer_norm gives the reference's bits for every size") {
  Samples samples;
  for (const int rows : kSizes) {
    for (const int columns : kSizes) {
      CAPTURE(rows, columns);
      const std::vector<float> x = samples.take(rows * columns, 3.0f);
      const std::vector<float> scale = samples.take(columns);
      const std::vector<float> shift = samples.take(columns);
      std::vector<float> want(x.size());
      const std::size_t width = static_cast<std::size_t>(columns);
      for (std::size_t first = 0; first < x.size(); first += width) {
        kernels::reference::layer_norm<float>(std::span(x).subspan(first, width), scale, shift, kEpsilon,
                                              std::span(want).subspan(first, width));
      }
      REQUIRE(same_bits(layer_norm(x, scale, shift, rows), want));
      std::vector<float> in_place = x;
      kernels::layer_norm(view(x, rows, columns), scale, shift, kEpsilon, view(in_place, rows, columns));
      REQUIRE(same_bits(in_place, want));
    }
  }
}

TEST_CASE("row_statistics returns the numbers that layer_norm divides by") {
  Samples samples;
  for (const int columns : kSizes) {
    if (columns == 0) continue;
    CAPTURE(columns);
    const std::vector<float> x = samples.take(columns, 2.0f);
    const std::vector<float> scale = samples.take(columns);
    const std::vector<float> shift = samples.take(columns);
    const kernels::RowStatistics statistics = kernels::row_statistics(x, kEpsilon);
    const std::vector<float> out = layer_norm(x, scale, shift, 1);
    for (std::size_t j = 0; j < out.size(); ++j) {
      const float normalised = (x[j] - statistics.mean) / statistics.deviation;
      const float scaled = normalised * scale[j];
      CHECK(test::bits_of(out[j]) == test::bits_of(scaled + shift[j]));
    }
  }
}

TEST_CASE("A constant row becomes the shift") {
  for (const int columns : {1, 4, 8, 16}) {  // sums of these are exact
    const std::vector<float> x(static_cast<std::size_t>(columns), 0.75f);
    Samples samples;
    const std::vector<float> scale = samples.take(columns);
    const std::vector<float> shift = samples.take(columns);
    CHECK(same_bits(layer_norm(x, scale, shift, 1), shift));
  }
}

TEST_CASE("The variance is the biased one") {
  // Mean 3, squared deviations 4 and 4 over 2 elements: variance 4.
  const kernels::RowStatistics statistics = kernels::row_statistics(std::vector<float>{1.0f, 5.0f}, 0.0f);
  CHECK(statistics.mean == 3.0f);
  CHECK(statistics.deviation == 2.0f);
}

TEST_CASE("A large mean does not drown a small variance") {
  const kernels::RowStatistics statistics =
      kernels::row_statistics(std::vector<float>{4096.0f, 4096.5f, 4097.0f, 4096.5f}, 0.0f);
  CHECK(statistics.mean == 4096.5f);
  CHECK(statistics.deviation == std::sqrt(0.125f));
}

TEST_CASE("layer_norm agrees with double precision") {
  // A handful of roundings on values up to 10, and the mean's error divided by a deviation near 1.
  constexpr double kTolerance = 4e-6;
  Samples samples;
  for (const int columns : {2, 3, 8, 31, 64, 512}) {
    const std::vector<float> x = samples.take(columns, 2.0f);
    const std::vector<float> scale = samples.take(columns);
    const std::vector<float> shift = samples.take(columns);
    const std::vector<float> out = layer_norm(x, scale, shift, 1);
    const Eigen::ArrayXd wide = Eigen::Map<const Eigen::ArrayXf>(x.data(), columns).cast<double>();
    const Eigen::ArrayXd centred = wide - wide.mean();
    const double deviation = std::sqrt(centred.square().mean() + static_cast<double>(kEpsilon));
    for (int j = 0; j < columns; ++j) {
      const std::size_t at = static_cast<std::size_t>(j);
      const double want =
          centred(j) / deviation * static_cast<double>(scale[at]) + static_cast<double>(shift[at]);
      REQUIRE(std::abs(static_cast<double>(out[at]) - want) <= kTolerance);
    }
  }
}

TEST_CASE("add_layer_norm gives the bits of a sum and a layer norm, wherever it may write") {
  Samples samples;
  for (const int rows : kSizes) {
    for (const int columns : kSizes) {
      CAPTURE(rows, columns);
      const std::vector<float> x = samples.take(rows * columns, 3.0f);
      const std::vector<float> y = samples.take(rows * columns, 3.0f);
      const std::vector<float> scale = samples.take(columns);
      const std::vector<float> shift = samples.take(columns);
      std::vector<float> sum(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) sum[i] = x[i] + y[i];
      const std::vector<float> want = layer_norm(sum, scale, shift, rows);
      const auto run = [&](const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& s,
                           std::vector<float>& out) {
        kernels::add_layer_norm(view(a, rows, columns), view(b, rows, columns), scale, shift, kEpsilon,
                                view(s, rows, columns), view(out, rows, columns));
      };
      std::vector<float> s(x.size());
      std::vector<float> out(x.size());
      run(x, y, s, out);
      REQUIRE(same_bits(s, sum));
      REQUIRE(same_bits(out, want));
      std::vector<float> over_x = x;
      run(over_x, y, over_x, over_x);
      REQUIRE(same_bits(over_x, want));
      over_x = x;
      std::vector<float> over_y = y;
      run(over_x, over_y, over_x, over_y);
      REQUIRE(same_bits(over_x, sum));
      REQUIRE(same_bits(over_y, want));
    }
  }
}
