// The kernels compiled a second time, without SIMD, under another namespace in the same program.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "core/bits.h"
#include "core/check.h"
#include "core/random.h"
#include "core/tensor.h"
#include "kernels/samples.h"
#include "support/catch.h"

#define ATTN_FORCE_SCALAR
#define kernels kernels_without_simd
#include "kernels/activation.cpp"
#include "kernels/adam.cpp"
#include "kernels/attention.cpp"
#include "kernels/battery.h"
#include "kernels/cross_entropy.cpp"
#include "kernels/dropout.cpp"
#include "kernels/elementwise.cpp"
#include "kernels/feed_forward.cpp"
#include "kernels/layer_norm.cpp"
#include "kernels/layer_norm_backward.cpp"
#include "kernels/matmul.cpp"
#include "kernels/matmul_accumulate.cpp"
#include "kernels/rms_norm.cpp"
#include "kernels/rope.cpp"
#include "kernels/scalar_math.cpp"
#include "kernels/softmax.cpp"
#include "kernels/softmax_axis.cpp"
#include "kernels/softmax_backward.cpp"
#undef kernels

namespace attn::test {
std::vector<BatteryPart> battery_with_simd();
}

TEST_CASE("Plain C++ gives the bits of the SIMD path") {
  CHECK(std::string(attn::kernels_without_simd::kSimdName) == "scalar");
  const std::vector<attn::test::BatteryPart> scalar = attn::kernels_without_simd::run_battery();
  const std::vector<attn::test::BatteryPart> simd = attn::test::battery_with_simd();
  REQUIRE(scalar.size() == simd.size());
  for (std::size_t part = 0; part < simd.size(); ++part) {
    const std::vector<float>& got = scalar[part].values;
    const std::vector<float>& want = simd[part].values;
    REQUIRE(got.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (attn::test::bits_of(got[i]) == attn::test::bits_of(want[i])) continue;
      FAIL(simd[part].name << ": value " << i << " is " << got[i] << " without SIMD and " << want[i]
                           << " with it");
    }
  }
}
