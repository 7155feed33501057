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
