#include "kernels/matmul.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "core/check.h"
#include "kernels/f32x4.h"
#include "kernels/product.h"

namespace attn::kernels {
namespace {

using core::ConstMatrix;
using core::Matrix;

/// From this many rows on, a row-major factor is copied panel by panel before it is used.
constexpr int kRowsWorthCopying = 16;

Product rows_from(Product product, int first, int count) {
  product.a.values = product.a.row(first);
  product.a.rows = count;
  product.out.values = product.out.row(first);
  product.out.rows = count;
  return product;
}

Product panels_from(Product product, int first) {
  product.b.values = product.b.panel(first);
  if (product.bias != nullptr) product.bias += first * kPanelColumns;
  product.out.values += first * kPanelColumns;
  product.columns -= first * kPanelColumns;
  return product;
}

/// The sums (rows, width) that a tile goes on with where it has more columns than out, +0 beyond them; and
/// its end. Not a part of each tile, whose code there are many versions of.
[[gnu::noinline]] void load_narrow(const Product& product, float* sums, int rows, int width, int row,
                                   int column) {
  std::fill_n(sums, rows * width, 0.0f);
  for (int r = 0; product.continues && r < rows; ++r)
    std::copy_n(product.out.row(row + r) + column, product.columns - column, sums + r * width);
}

[[gnu::noinline]] void store_narrow(const Product& product, const float* sums, int rows, int width, int row,
                                    int column) {
  const int columns = product.columns - column;
  for (int r = 0; r < rows; ++r, sums += width) {
    float* to = product.out.row(row + r) + column;
    for (int c = 0; c < columns; ++c) {
      const float value = product.bias != nullptr ? sums[c] + product.bias[column + c] : sums[c];
      to[c] = product.relu && value < 0.0f ? 0.0f : value;
    }
  }
}

/// Rows [row, row + kRows) and kPanels panels of kVectors * 4 columns each, as far as there are columns.
template <int kRows, int kPanels, int kVectors>
inline void tile(const Product& product, int row, const float* panels, int column) {
  constexpr int kWidth = kPanels * kVectors;
  const bool narrow = product.columns - column < 4 * kWidth;
  float sums[kRows][kWidth][4];
  F32x4 sum[kRows][kWidth];
  if (narrow || product.continues) {
    if (narrow) load_narrow(product, sums[0][0], kRows, 4 * kWidth, row, column);
    for (int r = 0; r < kRows; ++r) {
      const float* from = narrow ? sums[r][0] : product.out.row(row + r) + column;
      for (int v = 0; v < kWidth; ++v) sum[r][v] = load(from + 4 * v);
    }
  } else {
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kWidth; ++v) sum[r][v] = zero();
    }
  }
  const float* left[kRows];
  for (int r = 0; r < kRows; ++r) left[r] = product.a.row(row + r);
  const float* right[kPanels];
  for (int p = 0; p < kPanels; ++p) right[p] = panels + p * product.b.panel_step;

  for (int k = 0; k < product.b.depth; ++k) {
    F32x4 factor[kWidth];
    for (int p = 0; p < kPanels; ++p) {
      for (int v = 0; v < kVectors; ++v) factor[p * kVectors + v] = load(right[p] + 4 * v);
      right[p] += product.b.row_step;
    }
    for (int r = 0; r < kRows; ++r) {
      const F32x4 value = load_splat(left[r] + k);
      for (int v = 0; v < kWidth; ++v) sum[r][v] = sum[r][v] + value * factor[v];
    }
  }

  if (narrow) {
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kWidth; ++v) store(sums[r][v], sum[r][v]);
    }
    return store_narrow(product, sums[0][0], kRows, 4 * kWidth, row, column);
  }
  if (product.bias != nullptr) {
    for (int v = 0; v < kWidth; ++v) {
      const F32x4 shift = load(product.bias + column + 4 * v);
      for (int r = 0; r < kRows; ++r) sum[r][v] = sum[r][v] + shift;
    }
  }
  if (product.relu) {
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kWidth; ++v) sum[r][v] = max(sum[r][v], zero());
    }
  }
  for (int r = 0; r < kRows; ++r) {
    float* to = product.out.row(row + r) + column;
    for (int v = 0; v < kWidth; ++v) store(to + 4 * v, sum[r][v]);
  }
}

/// All of `product`, whose rows are a multiple of kRows. Panel by panel, so that a panel stays in the cache.
/// Not inlined: browsers allocate registers better in a small function.
template <int kRows, int kPanels = 1, int kVectors = 2>
[[gnu::noinline]] void multiply_block(const Product& given) {
  const Product product = given;
  const float* panels = product.b.values;
  for (int column = 0; column < product.columns; column += kPanels * kVectors * 4) {
    for (int row = 0; row < product.a.rows; row += kRows) {
      tile<kRows, kPanels, kVectors>(product, row, panels, column);
    }
    panels += kPanels * product.b.panel_step;
  }
}

/// Splits the rows into groups of 3, 4 or 5 (1 or 2 when there are no more in all), so that every tile has
/// enough independent sums to keep the adders busy: block(rows constant, first row, row count).
template <class Block>
inline void for_row_blocks(int rows, Block block) {
  using std::integral_constant;
  if (rows == 1) return block(integral_constant<int, 1>{}, 0, 1);
  if (rows == 2) return block(integral_constant<int, 2>{}, 0, 2);
  const int rest = rows % 4 == 0 ? 0 : rows % 4 == 3 ? 3 : rows % 4 + 4;  // 0, 3, 5 or 6
  if (rows > rest) block(integral_constant<int, 4>{}, 0, rows - rest);
  if (rest == 5) return block(integral_constant<int, 5>{}, rows - rest, rest);
  if (rest > 0) return block(integral_constant<int, 3>{}, rows - rest, rest);
}

}  // namespace

void multiply_panels(const Product& product) {
  const int whole_panels = product.columns / kPanelColumns;
  int first = 0;  // panel that comes next
  if (product.a.rows == 1) {
    // Four panels, then two at a time, for want of rows.
    first = whole_panels & ~3;
    Product wide = product;
    wide.columns = first * kPanelColumns;
    if (first > 0) multiply_block<1, 4>(wide);
    if (whole_panels - first >= 2) {
      wide = panels_from(product, first);
      wide.columns = 2 * kPanelColumns;
      multiply_block<1, 2>(wide);
      first += 2;
    }
  } else if (product.a.rows == 2) {
    first = whole_panels & ~1;
    Product wide = product;
    wide.columns = first * kPanelColumns;
    if (first > 0) multiply_block<2, 2>(wide);
  }
  const Product rest = panels_from(product, first);
  if (rest.columns <= 0) return;
  for_row_blocks(rest.a.rows,
                 [&](auto rows, int row, int count) { multiply_block<rows()>(rows_from(rest, row, count)); });
}

namespace {

/// A factor of fewer than four columns: its rows are read only as far as they go.
template <int kRows>
[[gnu::noinline]] void multiply_narrow(ConstMatrix a, ConstMatrix b, Matrix out) {
  for (int row = 0; row < a.rows; row += kRows) {
    F32x4 sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = zero();
    const float* left[kRows];
    for (int r = 0; r < kRows; ++r) left[r] = a.row(row + r);
    for (int k = 0; k < b.rows; ++k) {
      const F32x4 factor = load_partial(b.row(k), b.columns);
      for (int r = 0; r < kRows; ++r) sum[r] = sum[r] + load_splat(left[r] + k) * factor;
    }
    for (int r = 0; r < kRows; ++r) store_partial(out.row(row + r), sum[r], b.columns);
  }
}

void multiply_packed(ConstMatrix a, const PackedMatrix& b, const float* bias, Matrix out) {
  ATTN_CHECK(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
  multiply_panels({.a = a, .b = panels_of(b), .out = out, .columns = b.columns, .bias = bias});
}

/// Whole panels of a row-major factor for many rows: rows of b may be so far apart that a panel does not stay
/// in the cache (powers of two fall on each other), so a piece of one is copied and used for all rows of a.
void multiply_copied(ConstMatrix a, ConstMatrix b, Matrix out, int panel_count) {
  constexpr int kDepth = 512;
  float panel[kDepth * kPanelColumns];
  for (int column = 0; column < panel_count * kPanelColumns; column += kPanelColumns) {
    Matrix to = out;
    to.values += column;
    for (int first = 0; first < b.rows; first += kDepth) {
      const int depth = std::min(b.rows - first, kDepth);
      for (int k = 0; k < depth; ++k) {
        const float* from = b.row(first + k) + column;
        store(panel + k * kPanelColumns, load(from));
        store(panel + k * kPanelColumns + 4, load(from + 4));
      }
      ConstMatrix left = a;
      left.values += first;
      multiply_panels({.a = left,
                       .b = {panel, 0, kPanelColumns, depth},
                       .out = to,
                       .columns = kPanelColumns,
                       .continues = first > 0});
    }
  }
}

/// Fills the panels from element(k, column).
template <class Element>
void fill_panels(int rows, int columns, PackedMatrix& packed, Element element) {
  packed.rows = rows;
  packed.columns = columns;
  packed.panels.resize(static_cast<std::size_t>(packed.panel_count()) * static_cast<std::size_t>(rows) *
                       kPanelColumns);
  float* to = packed.panels.data();
  for (int first = 0; first < columns; first += kPanelColumns) {
    const int count = std::min(columns - first, kPanelColumns);
    for (int k = 0; k < rows; ++k) {
      for (int c = 0; c < count; ++c) *to++ = element(k, first + c);
      for (int c = count; c < kPanelColumns; ++c) *to++ = 0.0f;
    }
  }
}

}  // namespace

void pack(ConstMatrix b, PackedMatrix& packed) {
  fill_panels(b.rows, b.columns, packed, [&](int k, int column) { return b.row(k)[column]; });
}

void pack_transposed(ConstMatrix weight, PackedMatrix& packed) {
  fill_panels(weight.columns, weight.rows, packed, [&](int k, int column) { return weight.row(column)[k]; });
}

void matmul(ConstMatrix a, const PackedMatrix& b, Matrix out) { multiply_packed(a, b, nullptr, out); }

void linear(ConstMatrix x, const PackedMatrix& weight, std::span<const float> bias, Matrix out) {
  ATTN_CHECK(bias.empty() || static_cast<int>(bias.size()) == weight.columns);
  multiply_packed(x, weight, bias.empty() ? nullptr : bias.data(), out);
}

void matmul(ConstMatrix a, ConstMatrix b, Matrix out) {
  ATTN_CHECK(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
  if (b.columns < 4) {
    return for_row_blocks(a.rows, [&](auto rows, int row, int count) {
      const Product part = rows_from({.a = a, .b = {}, .out = out, .columns = b.columns}, row, count);
      multiply_narrow<rows()>(part.a, b, part.out);
    });
  }
  const int panel_count = b.columns / kPanelColumns;
  const int in_panels = panel_count * kPanelColumns;
  const bool copies = a.rows >= kRowsWorthCopying && b.rows > 0;
  if (copies) {
    multiply_copied(a, b, out, panel_count);
  } else {
    multiply_panels(
        {.a = a, .b = {b.values, kPanelColumns, b.stride, b.rows}, .out = out, .columns = in_panels});
  }
  // The last 1 to 7 columns in vectors of four; the last vector ends with the last column and may compute
  // some columns a second time, to the same bits.
  for (int column = in_panels; column < b.columns; column += 4) {
    const int first = std::min(column, b.columns - 4);
    const Product vector{.a = a, .b = {b.values + first, 0, b.stride, b.rows}, .out = out, .columns = 4};
    for_row_blocks(a.rows, [&](auto rows, int row, int count) {
      Product part = rows_from(vector, row, count);
      part.out.values += first;
      multiply_block<rows(), 1, 1>(part);
    });
  }
}

}  // namespace attn::kernels
