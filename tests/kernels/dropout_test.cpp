#include "kernels/dropout.h"

#include <limits>

#include "kernels/reference_activation.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr core::RandomStream kStream{.seed = 11, .stream = 4};

std::vector<float> mask(int size, float p, std::uint64_t first = 0) {
  std::vector<float> keep(static_cast<std::size_t>(size), 9.0f);
  kernels::dropout_mask(kStream, first, p, keep);
  return keep;
}

}  // namespace

TEST_CASE("dropout and its backward give the reference's bits for every size, in place too") {
  Samples samples;
  for (const int size : kSizes) {
    for (const float p : {0.0f, 0.1f, 0.5f, 0.9f, 1.0f}) {
      CAPTURE(size, p);
      const std::vector<float> x = samples.take(size, 3.0f);
      const std::vector<float> keep = mask(size, p);
      std::vector<float> out(x.size(), 9.0f);
      std::vector<float> dx = samples.take(size);
      std::vector<float> want;
      std::vector<float> want_dx;
      for (std::size_t i = 0; i < x.size(); ++i) {
        want.push_back(kernels::reference::dropout(x[i], keep[i], p));
        want_dx.push_back(dx[i] + kernels::reference::dropout(x[i], keep[i], p));
      }
      kernels::dropout(x, keep, p, out);
      CHECK(same_bits(out, want));
      kernels::dropout_backward(keep, p, x, dx);  // linear in x: the gradient is dropped out like a value
      CHECK(same_bits(dx, want_dx));
      std::vector<float> in_place = x;
      kernels::dropout(in_place, keep, p, in_place);
      CHECK(same_bits(in_place, want));
    }
  }
}

TEST_CASE("Dropout with p = 0 is the identity to the bit, with p = 1 it is 0") {
  const std::vector<float> x{-0.0f, 1e-45f, kInfinity, -3.0f, 3e38f, 7.0f};
  std::vector<float> out(x.size());
  CHECK(mask(6, 0.0f) == std::vector<float>(6, 1.0f));
  kernels::dropout(x, mask(6, 0.0f), 0.0f, out);
  CHECK(same_bits(out, x));
  CHECK(mask(6, 1.0f) == std::vector<float>(6, 0.0f));
  kernels::dropout(x, mask(6, 1.0f), 1.0f, out);
  CHECK(same_bits(out, std::vector<float>(6, 0.0f)));
}

TEST_CASE("What is dropped is exactly 0, and what stays keeps the mean") {
  const std::vector<float> keep{0.0f, 1.0f, 0.0f, 1.0f, 0.0f};
  const std::vector<float> x{kInfinity, 2.0f, std::nanf(""), -4.0f, -1.0f};
  std::vector<float> out(5);
  kernels::dropout(x, keep, 0.5f, out);
  CHECK(same_bits(out, std::vector<float>{0.0f, 4.0f, 0.0f, -8.0f, 0.0f}));
  std::vector<float> dx(5, 0.0f);
  kernels::dropout_backward(keep, 0.5f, x, dx);
  CHECK(same_bits(dx, out));
}

TEST_CASE("The mask of a slice is the slice of the mask") {
  const std::vector<float> whole = mask(40, 0.3f, 100);
  for (const int first : {1, 2, 3, 4, 17}) {
    const std::vector<float> slice = mask(20, 0.3f, 100 + static_cast<std::uint64_t>(first));
    CHECK(same_bits(slice, std::span(whole).subspan(static_cast<std::size_t>(first), 20)));
  }
}

TEST_CASE("The share of dropped elements is p") {
  constexpr int kSize = 20000;
  for (const float p : {0.1f, 0.5f, 0.9f}) {
    int dropped = 0;
    for (const float keep : mask(kSize, p)) dropped += keep == 0.0f ? 1 : 0;
    const double expected = static_cast<double>(p) * kSize;
    CHECK(std::abs(dropped - expected) < 5.0 * std::sqrt(expected * (1.0 - static_cast<double>(p))));
  }
}
