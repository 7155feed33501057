#include "kernels/elementwise.h"

#include <limits>

#include "kernels/reference.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;

TEST_CASE("add, relu and gelu give the reference's bits for every size, in place too") {
  Samples samples;
  for (const int size : kSizes) {
    CAPTURE(size);
    const std::vector<float> a = samples.take(size, 3.0f);
    const std::vector<float> b = samples.take(size, 3.0f);
    std::vector<float> sums;
    std::vector<float> rectified;
    std::vector<float> gelus;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sums.push_back(a[i] + b[i]);
      rectified.push_back(kernels::reference::relu(a[i]));
      gelus.push_back(kernels::reference::gelu(a[i]));
    }
    std::vector<float> out(a.size(), 9.0f);
    kernels::add(a, b, out);
    CHECK(same_bits(out, sums));
    kernels::relu(a, out);
    CHECK(same_bits(out, rectified));
    kernels::gelu(a, out);
    CHECK(same_bits(out, gelus));

    std::vector<float> in_place = a;
    kernels::add(in_place, b, in_place);
    CHECK(same_bits(in_place, sums));
    in_place = a;
    kernels::relu(in_place, in_place);
    CHECK(same_bits(in_place, rectified));
    in_place = a;
    kernels::gelu(in_place, in_place);
    CHECK(same_bits(in_place, gelus));
  }
}

TEST_CASE("relu keeps NaN and both zeros and clears negative numbers to +0") {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> out(6);
  kernels::relu(std::vector<float>{-infinity, -1e-45f, -0.0f, 0.0f, infinity, std::nanf("")}, out);
  CHECK(same_bits(std::span(out).first(5), std::vector<float>{0.0f, 0.0f, -0.0f, 0.0f, infinity}));
  CHECK(std::isnan(out[5]));
}

TEST_CASE("gelu agrees with double precision") {
  constexpr double kTolerance = 2.5e-7;  // times max(1, |x|): erf's error and two roundings
  for (int i = -40000; i <= 40000; ++i) {
    const float x = static_cast<float>(i) * 2.5e-4f;
    float out = 0.0f;
    kernels::gelu(std::span(&x, 1), std::span(&out, 1));
    const double want = kernels::reference::gelu(static_cast<double>(x));
    REQUIRE(std::abs(static_cast<double>(out) - want) <= kTolerance * std::max(1.0, std::abs(want)));
  }
}
