#include "kernels/rope.h"

#include "kernels/reference_rows.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using kernels::RotaryLayout;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

constexpr RotaryLayout kLayouts[] = {RotaryLayout::interleaved, RotaryLayout::halves};

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("rope and its backward give the reference's bits for every width, turned in part or in full") {
  Samples samples;
  constexpr int kRows = 3;
  for (const RotaryLayout layout : kLayouts) {
    for (const int columns : kSizes) {
      for (int half = 0; 2 * half <= columns; half += half < 4 ? 1 : 3) {
        CAPTURE(static_cast<int>(layout), columns, half);
        const std::vector<float> x = samples.take(kRows * columns, 3.0f);
        const std::vector<float> cosines = samples.take(kRows * half);
        const std::vector<float> sines = samples.take(kRows * half);
        std::vector<float> out(x.size(), 9.0f);
        std::vector<float> want(x.size());
        std::vector<float> dx = samples.take(kRows * columns);
        std::vector<float> want_dx = dx;
        const auto width = static_cast<std::size_t>(columns);
        const auto pairs = static_cast<std::size_t>(half);
        for (std::size_t row = 0; row < kRows; ++row) {
          const std::span<const float> cosine = std::span(cosines).subspan(row * pairs, pairs);
          const std::span<const float> sine = std::span(sines).subspan(row * pairs, pairs);
          const std::span<const float> from = std::span(x).subspan(row * width, width);
          const bool interleaved = layout == RotaryLayout::interleaved;
          kernels::reference::rope<float>(from, cosine, sine, interleaved,
                                          std::span(want).subspan(row * width, width));
          kernels::reference::rope_backward<float>(from, cosine, sine, interleaved,
                                                   std::span(want_dx).subspan(row * width, width));
        }
        kernels::rope(view(x, kRows, columns), view(cosines, kRows, half), view(sines, kRows, half), layout,
                      view(out, kRows, columns));
        CHECK(same_bits(out, want));
        kernels::rope_backward(view(x, kRows, columns), view(cosines, kRows, half), view(sines, kRows, half),
                               layout, view(dx, kRows, columns));
        CHECK(same_bits(dx, want_dx));
        std::vector<float> in_place = x;
        kernels::rope(view(in_place, kRows, columns), view(cosines, kRows, half), view(sines, kRows, half),
                      layout, view(in_place, kRows, columns));
        CHECK(same_bits(in_place, want));
      }
    }
  }
}

TEST_CASE("The derivative of rope agrees with a complex step") {
  constexpr double kStep = 1e-30;
  constexpr double kTolerance = 1e-15;
  using Complex = std::complex<double>;
  Samples samples;
  for (const bool interleaved : {false, true}) {
    const std::vector<double> x = widened(samples.take(7));
    const std::vector<double> dy = widened(samples.take(7));
    const std::vector<double> cosines = widened(samples.take(3));
    const std::vector<double> sines = widened(samples.take(3));
    std::vector<double> dx(7, 0.0);
    kernels::reference::rope_backward<double>(dy, cosines, sines, interleaved, dx);
    for (std::size_t i = 0; i < 7; ++i) {
      std::vector<Complex> stepped(x.begin(), x.end());
      stepped[i] += Complex(0.0, kStep);
      std::vector<Complex> out(7);
      kernels::reference::rope<Complex>(stepped, std::vector<Complex>(cosines.begin(), cosines.end()),
                                        std::vector<Complex>(sines.begin(), sines.end()), interleaved, out);
      double derivative = 0.0;
      for (std::size_t j = 0; j < 7; ++j) derivative += dy[j] * out[j].imag() / kStep;
      CHECK(std::abs(dx[i] - derivative) <= kTolerance);
    }
  }
}

TEST_CASE("A quarter turn swaps the pair that its layout names") {
  const std::vector<float> x{1.0f, 2.0f, 3.0f, 4.0f, 5.0f};
  const std::vector<float> cosines{0.0f, 1.0f};  // the first pair by 90 degrees, the second not at all
  const std::vector<float> sines{1.0f, 0.0f};
  std::vector<float> out(5);
  kernels::rope(view(x, 1, 5), view(cosines, 1, 2), view(sines, 1, 2), RotaryLayout::interleaved,
                view(out, 1, 5));
  CHECK(out == std::vector<float>{-2.0f, 1.0f, 3.0f, 4.0f, 5.0f});
  kernels::rope(view(x, 1, 5), view(cosines, 1, 2), view(sines, 1, 2), RotaryLayout::halves, view(out, 1, 5));
  CHECK(out == std::vector<float>{-3.0f, 2.0f, 1.0f, 4.0f, 5.0f});
}
