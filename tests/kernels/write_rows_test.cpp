#include "kernels/write_rows.h"

#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using kernels::CacheEnd;
using test::kSizes;
using test::same_bits;
using test::Samples;

namespace {

/// Rows as test::view makes them, with `columns` floats each.
template <class Floats>
auto rows_of(Floats& values, int columns) {
  return test::view(values, static_cast<int>(values.size()) / columns, columns);
}

}  // namespace

TEST_CASE("Rows land where they were sent, at every size, and the others stay") {
  Samples samples;
  for (const int columns : kSizes) {
    if (columns == 0) continue;
    constexpr int kLength = 5;
    for (int first = 0; first <= kLength; ++first) {
      for (int count = 0; count <= kLength - first; ++count) {
        CAPTURE(columns, first, count);
        const std::vector<float> rows = samples.take(count * columns);
        std::vector<float> cache = samples.take(kLength * columns);
        std::vector<float> expected = cache;
        std::copy(rows.begin(), rows.end(), expected.begin() + first * columns);
        kernels::write_rows(rows_of(rows, columns), first, CacheEnd::fixed, rows_of(cache, columns));
        CHECK(same_bits(cache, expected));
      }
    }
  }
}

TEST_CASE("A rolling cache goes on at its first row and keeps the newest") {
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6};
  std::vector<float> cache = {0, 0, 0, 0};
  kernels::write_rows(rows_of(rows, 1), 3, CacheEnd::rolling, rows_of(cache, 1));
  CHECK(cache == std::vector<float>{6, 3, 4, 5});  // 1 and 2 were overwritten
}
