#include "kernels/elementwise.h"

#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using test::kSizes;
using test::same_bits;
using test::Samples;

TEST_CASE("add gives the sums' bits for every size, in place too") {
  Samples samples;
  for (const int size : kSizes) {
    CAPTURE(size);
    const std::vector<float> a = samples.take(size, 3.0f);
    const std::vector<float> b = samples.take(size, 3.0f);
    std::vector<float> sums;
    for (std::size_t i = 0; i < a.size(); ++i) sums.push_back(a[i] + b[i]);
    std::vector<float> out(a.size(), 9.0f);
    kernels::add(a, b, out);
    CHECK(same_bits(out, sums));
    std::vector<float> in_place = a;
    kernels::add(in_place, b, in_place);
    CHECK(same_bits(in_place, sums));
  }
}

TEST_CASE("subtract gives the differences' bits for every size, in place too") {
  Samples samples;
  for (const int size : kSizes) {
    CAPTURE(size);
    const std::vector<float> a = samples.take(size, 3.0f);
    const std::vector<float> b = samples.take(size, 3.0f);
    std::vector<float> differences;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
    std::vector<float> out(a.size(), 9.0f);
    kernels::subtract(a, b, out);
    CHECK(same_bits(out, differences));
    std::vector<float> in_place = a;
    kernels::subtract(in_place, b, in_place);
    CHECK(same_bits(in_place, differences));
  }
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
