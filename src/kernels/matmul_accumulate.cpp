#include "kernels/matmul_accumulate.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"
#include "kernels/elementwise.h"
#include "kernels/f32x4.h"

namespace attn::kernels {
namespace {

using core::ConstMatrix;
using core::Matrix;

// A block of b is copied so that its panels of 8 columns lie in order ([k][8]) and stay in the first-level
// cache while a streams past them; 16 kB.
constexpr int kDepth = 128;
constexpr int kPanels = 4;
constexpr int kColumns = 8;  // of a panel

/// Rows of the left factor: element (row, k) is values[row * row_step + k * step].
struct Left {
  const float* values;
  std::ptrdiff_t row_step;
};

/// A block of out (kRows, columns): out += left times `depth` rows of the panels.
struct Block {
  const float* panels;  // [panel][kDepth][8]
  int depth;
  float* out;
  std::ptrdiff_t out_stride;
  int columns;  // at most kPanels * kColumns
};

/// kStep is 1 for rows read in place, kRows or more for a packed transposed factor (row_step 1).
template <int kRows, int kStep>
[[gnu::noinline]] void multiply_block(Left left, Block block) {
  const float* panel = block.panels;
  for (int column = 0; column < block.columns; column += kColumns) {
    F32x4 sum[kRows][2];
    const int columns = block.columns - column;
    const bool whole = columns >= kColumns;
    float* out[kRows];
    for (int r = 0; r < kRows; ++r) out[r] = block.out + r * block.out_stride + column;
    const auto get = [](const float* from, int count) {
      return count >= 4 ? load(from) : load_partial(from, std::max(count, 0));
    };
    for (int r = 0; r < kRows; ++r) {
      sum[r][0] = whole ? load(out[r]) : get(out[r], columns);
      sum[r][1] = whole ? load(out[r] + 4) : get(out[r] + 4, columns - 4);
    }
    const float* rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = left.values + r * left.row_step;
    const float* right = panel;
    for (int k = 0; k < block.depth; ++k) {
      const F32x4 first = load(right);
      const F32x4 second = load(right + 4);
      right += kColumns;
      for (int r = 0; r < kRows; ++r) {
        const F32x4 value = load_splat(rows[r] + k * kStep);
        sum[r][0] = sum[r][0] + value * first;
        sum[r][1] = sum[r][1] + value * second;
      }
    }
    for (int r = 0; r < kRows; ++r) {
      if (whole) {
        store(out[r], sum[r][0]);
        store(out[r] + 4, sum[r][1]);
      } else {
        store_partial(out[r], sum[r][0], std::min(columns, 4));
        store_partial(out[r] + 4, sum[r][1], std::max(columns - 4, 0));
      }
    }
    panel += kDepth * kColumns;
  }
}

/// Copies rows [first, first + depth) and `columns` columns of b into panels, padded with zeros.
void copy_panels(ConstMatrix b, int first, int depth, int column, int columns, float* panels) {
  for (int start = 0; start < columns; start += kColumns, panels += kDepth * kColumns) {
    const int count = std::min(columns - start, kColumns);
    for (int k = 0; k < depth; ++k) {
      const float* from = b.row(first + k) + column + start;
      float* to = panels + k * kColumns;
      if (count == kColumns) {
        store(to, load(from));
        store(to + 4, load(from + 4));
      } else {
        for (int c = 0; c < kColumns; ++c) to[c] = c < count ? from[c] : 0.0f;
      }
    }
  }
}

/// Four rows of the transposed factor, side by side: to[k][4] = a[first + k][row + 0 .. 3].
void copy_transposed(ConstMatrix a, int first, int depth, int row, int rows, float* to) {
  for (int k = 0; k < depth; ++k) {
    const float* from = a.row(first + k) + row;
    store(to + 4 * k, rows == 4 ? load(from) : load_partial(from, rows));
  }
}

template <int kStep>
void multiply_rows(int rows, Left left, const Block& block) {
  switch (rows) {
    case 1:
      return multiply_block<1, kStep>(left, block);
    case 2:
      return multiply_block<2, kStep>(left, block);
    case 3:
      return multiply_block<3, kStep>(left, block);
    default:
      return multiply_block<4, kStep>(left, block);
  }
}

template <bool kTransposed>
void add_product(ConstMatrix a, ConstMatrix b, Matrix out) {
  float panels[kPanels * kDepth * kColumns];
  float packed[kDepth * 4];
  for (int first = 0; first < b.rows; first += kDepth) {
    const int depth = std::min(b.rows - first, kDepth);
    for (int column = 0; column < out.columns; column += kPanels * kColumns) {
      const int columns = std::min(out.columns - column, kPanels * kColumns);
      copy_panels(b, first, depth, column, columns, panels);
      for (int row = 0; row < out.rows; row += 4) {
        const int rows = std::min(out.rows - row, 4);
        const Block block{panels, depth, out.row(row) + column, out.stride, columns};
        if constexpr (kTransposed) {
          copy_transposed(a, first, depth, row, rows, packed);
          multiply_rows<4>(rows, {packed, 1}, block);
        } else {
          multiply_rows<1>(rows, {a.row(row) + first, a.stride}, block);
        }
      }
    }
  }
}

}  // namespace

void add_matmul(ConstMatrix a, ConstMatrix b, Matrix out) {
  ATTN_CHECK(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
  add_product<false>(a, b, out);
}

void add_matmul_transposed(ConstMatrix a, ConstMatrix b, Matrix out) {
  ATTN_CHECK(a.rows == b.rows && out.rows == a.columns && out.columns == b.columns);
  add_product<true>(a, b, out);
}

void add_column_sums(ConstMatrix a, std::span<float> sums) {
  ATTN_CHECK(static_cast<int>(sums.size()) == a.columns);
  for (int row = 0; row < a.rows; ++row) add(sums, {a.row(row), sums.size()}, sums);
}

}  // namespace attn::kernels
