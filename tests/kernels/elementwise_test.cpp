#include "kernels/elementwise.h"

#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;

namespace {

template <class Kernel, class Of>
void check_pairs(Kernel kernel, Of of) {
  Samples samples;
  for (const int size : kSizes) {
    CAPTURE(size);
    const std::vector<float> a = samples.take(size, 3.0f);
    const std::vector<float> b = samples.take(size, 3.0f);
    std::vector<float> expected;
    for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(of(a[i], b[i]));
    std::vector<float> out(a.size(), 9.0f);
    kernel(a, b, out);
    CHECK(same_bits(out, expected));
    std::vector<float> in_place = a;
    kernel(in_place, b, in_place);
    CHECK(same_bits(in_place, expected));
  }
}

}  // namespace

TEST_CASE("add gives the sums' bits for every size, in place too") {
  check_pairs(kernels::add, [](float a, float b) { return a + b; });
}

TEST_CASE("subtract gives the differences' bits for every size, in place too") {
  check_pairs(kernels::subtract, [](float a, float b) { return a - b; });
}

TEST_CASE("scale and its backward give the products' bits for every size, in place too") {
  Samples samples;
  for (const int size : kSizes) {
    CAPTURE(size);
    const std::vector<float> x = samples.take(size, 3.0f);
    std::vector<float> dx = samples.take(size);
    std::vector<float> products;
    std::vector<float> sums;
    for (std::size_t i = 0; i < x.size(); ++i) {
      products.push_back(x[i] * 1.3f);
      sums.push_back(dx[i] + products.back());
    }
    std::vector<float> out(x.size(), 9.0f);
    kernels::scale(x, 1.3f, out);
    CHECK(same_bits(out, products));
    kernels::scale_backward(1.3f, x, dx);
    CHECK(same_bits(dx, sums));
    std::vector<float> in_place = x;
    kernels::scale(in_place, 1.3f, in_place);
    CHECK(same_bits(in_place, products));
  }
}
