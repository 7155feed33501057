#include "kernels/rms_norm.h"

#include <limits>

#include "kernels/reference_rows.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

constexpr float kEpsilon = 1e-5f;

}  // namespace

TEST_CASE("rms_norm and its backward give the reference's bits for every size") {
  Samples samples;
  for (const int rows : {0, 1, 3}) {
    for (const int columns : kSizes) {
      CAPTURE(rows, columns);
      const std::vector<float> x = samples.take(rows * columns, 3.0f);
      const std::vector<float> dy = samples.take(rows * columns);
      const std::vector<float> scale = samples.take(columns);
      std::vector<float> out(x.size(), std::numeric_limits<float>::quiet_NaN());
      std::vector<float> want(x.size());
      std::vector<float> dx = samples.take(rows * columns);
      std::vector<float> want_dx = dx;
      std::vector<float> dscale = samples.take(columns);
      std::vector<float> want_dscale = dscale;
      const auto width = static_cast<std::size_t>(columns);
      for (std::size_t first = 0; first < x.size(); first += width) {
        kernels::reference::rms_norm<float>(std::span(x).subspan(first, width), scale, kEpsilon,
                                            std::span(want).subspan(first, width));
        kernels::reference::rms_norm_backward<float>(std::span(x).subspan(first, width), scale, kEpsilon,
                                                     std::span(dy).subspan(first, width),
                                                     std::span(want_dx).subspan(first, width), want_dscale);
      }
      kernels::rms_norm(view(x, rows, columns), scale, kEpsilon, view(out, rows, columns));
      CHECK(same_bits(out, want));
      kernels::rms_norm_backward(view(x, rows, columns), scale, kEpsilon, view(dy, rows, columns),
                                 view(dx, rows, columns), dscale);
      CHECK(same_bits(dx, want_dx));
      CHECK(same_bits(dscale, want_dscale));
      std::vector<float> in_place = x;
      kernels::rms_norm(view(in_place, rows, columns), scale, kEpsilon, view(in_place, rows, columns));
      CHECK(same_bits(in_place, want));
    }
  }
}

TEST_CASE("The derivatives of rms_norm agree with a complex step") {
  constexpr double kStep = 1e-30;
  constexpr double kTolerance = 1e-13;
  using Complex = std::complex<double>;
  constexpr double kWideEpsilon = 1e-5;
  Samples samples;
  for (const int columns : kSizes) {
    if (columns == 0) continue;
    const auto wide = [&](float size) {
      const std::vector<float> values = samples.take(columns, size);
      return std::vector<double>(values.begin(), values.end());
    };
    const std::vector<double> x = wide(3.0f);
    const std::vector<double> scale = wide(1.0f);
    const std::vector<double> dy = wide(1.0f);
    std::vector<double> dx(x.size(), 0.0);
    std::vector<double> dscale(x.size(), 0.0);
    kernels::reference::rms_norm_backward<double>(x, scale, kWideEpsilon, dy, dx, dscale);
    for (std::size_t i = 0; i < 2 * x.size(); ++i) {
      std::vector<Complex> stepped_x(x.begin(), x.end());
      std::vector<Complex> stepped_scale(scale.begin(), scale.end());
      (i < x.size() ? stepped_x[i] : stepped_scale[i - x.size()]) += Complex(0.0, kStep);
      std::vector<Complex> out(x.size());
      kernels::reference::rms_norm<Complex>(stepped_x, stepped_scale, kWideEpsilon, out);
      double derivative = 0.0;
      for (std::size_t j = 0; j < x.size(); ++j) derivative += dy[j] * out[j].imag() / kStep;
      CAPTURE(columns, i);
      CHECK(std::abs((i < x.size() ? dx[i] : dscale[i - x.size()]) - derivative) <= kTolerance);
    }
  }
}

TEST_CASE("rms_norm divides by the root of the mean square, epsilon inside the root") {
  std::vector<float> out(2);
  kernels::rms_norm(view(std::vector<float>{6.0f, 8.0f}, 1, 2), std::vector<float>{1.0f, 2.0f}, 14.0f,
                    view(out, 1, 2));  // (36 + 64) / 2 + 14 = 64
  CHECK(same_bits(out, std::vector<float>{0.75f, 2.0f}));
  CHECK(kernels::root_mean_square(std::vector<float>{6.0f, 8.0f}, 14.0f) == 8.0f);
}

TEST_CASE("A row of zeros stays zeros") {
  std::vector<float> out(5, 1.0f);
  kernels::rms_norm(view(std::vector<float>(5, 0.0f), 1, 5), std::vector<float>(5, 2.0f), kEpsilon,
                    view(out, 1, 5));
  CHECK(same_bits(out, std::vector<float>(5, 0.0f)));
}
