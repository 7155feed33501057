#include "kernels/write_rows.h"

#include <algorithm>

namespace attn::kernels {

void write_rows(core::ConstMatrix rows, int first, CacheEnd end, core::Matrix cache) {
  ATTN_CHECK(rows.columns == cache.columns && first >= 0);
  ATTN_CHECK(end == CacheEnd::rolling ? first < cache.rows || rows.rows == 0
                                      : first <= cache.rows && rows.rows <= cache.rows - first);
  int to = first;
  for (int i = 0; i < rows.rows; ++i) {
    std::copy_n(rows.row(i), rows.columns, cache.row(to));
    if (++to == cache.rows) to = 0;
  }
}

}  // namespace attn::kernels
