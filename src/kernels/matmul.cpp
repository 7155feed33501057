#include "kernels/matmul.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"
#include "kernels/f32x4.h"

namespace attn::kernels {
namespace {

using core::ConstMatrix;
using core::Matrix;

/// The right factor as panels of 8 columns: panel p begins p * panel_step floats after `values`, and within
/// it row k of the factor k * row_step floats further. Fits a PackedMatrix and a row-major matrix alike.
struct Panels {
  const float* values;
  std::ptrdiff_t panel_step;
  std::ptrdiff_t row_step;
  int depth;  // K

  const float* panel(int index) const { return values + index * panel_step; }
};

/// out[r, first ..] for kRows rows from `row` on: kPanels panels of kVectors * 4 columns, of which `columns`
/// are stored. `bias` is null or points to the bias of the first column.
template <int kRows, int kPanels, int kVectors>
inline void tile(ConstMatrix a, int row, const Panels& b, const float* first_panel, const float* bias,
                 Matrix out, int first_column, int columns) {
  constexpr int kWidth = kPanels * kVectors;
  F32x4 sum[kRows][kWidth];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kWidth; ++v) sum[r][v] = zero();
  }
  const float* left[kRows];
  for (int r = 0; r < kRows; ++r) left[r] = a.row(row + r);
  const float* right[kPanels];
  for (int p = 0; p < kPanels; ++p) right[p] = first_panel + p * b.panel_step;

  for (int k = 0; k < b.depth; ++k) {
    F32x4 factor[kWidth];
    for (int p = 0; p < kPanels; ++p) {
      for (int v = 0; v < kVectors; ++v) factor[p * kVectors + v] = load(right[p] + 4 * v);
      right[p] += b.row_step;
    }
    for (int r = 0; r < kRows; ++r) {
      const F32x4 value = load_splat(left[r] + k);
      for (int v = 0; v < kWidth; ++v) sum[r][v] = sum[r][v] + value * factor[v];
    }
  }

  for (int v = 0; v < kWidth; ++v) {
    const int count = std::min(columns - 4 * v, 4);
    if (count <= 0) return;
    const F32x4 shift = bias == nullptr ? zero()
                        : count == 4    ? load(bias + 4 * v)
                                        : load_partial(bias + 4 * v, count);
    for (int r = 0; r < kRows; ++r) {
      const F32x4 value = bias == nullptr ? sum[r][v] : sum[r][v] + shift;
      float* to = out.row(row + r) + first_column + 4 * v;
      if (count == 4) {
        store(to, value);
      } else {
        store_partial(to, value, count);
      }
    }
  }
}

/// Columns of a factor that has fewer than four: the rows of b are read only as far as they go.
template <int kRows>
inline void narrow_tile(ConstMatrix a, int row, ConstMatrix b, Matrix out) {
  F32x4 sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = zero();
  for (int k = 0; k < b.rows; ++k) {
    const F32x4 factor = load_partial(b.row(k), b.columns);
    for (int r = 0; r < kRows; ++r) sum[r] = sum[r] + load_splat(a.row(row + r) + k) * factor;
  }
  for (int r = 0; r < kRows; ++r) store_partial(out.row(row + r), sum[r], b.columns);
}

/// Calls group(rows constant, first row) for groups of 3, 4 or 5 rows (1 or 2 when there are no more in all),
/// so that every group has enough independent sums to keep the adders busy.
template <class Group>
inline void for_row_groups(int rows, Group group) {
  using std::integral_constant;
  int row = 0;
  for (; rows - row > 6 || rows - row == 4; row += 4) group(integral_constant<int, 4>{}, row);
  switch (rows - row) {
    case 6:
      group(integral_constant<int, 3>{}, row);
      group(integral_constant<int, 3>{}, row + 3);
      break;
    case 5:
      group(integral_constant<int, 5>{}, row);
      break;
    case 3:
      group(integral_constant<int, 3>{}, row);
      break;
    case 2:
      group(integral_constant<int, 2>{}, row);
      break;
    case 1:
      group(integral_constant<int, 1>{}, row);
      break;
    default:
      break;
  }
}

/// All rows times the panels that hold columns [0, columns).
void multiply_panels(ConstMatrix a, const Panels& b, const float* bias, Matrix out, int columns) {
  const int panel_count = (columns + kPanelColumns - 1) / kPanelColumns;
  int panel = 0;
  const auto wide = [&](auto rows, auto panels) {
    for (; panel_count - panel >= panels(); panel += panels()) {
      const int column = panel * kPanelColumns;
      tile<rows(), panels(), 2>(a, 0, b, b.panel(panel), bias == nullptr ? nullptr : bias + column, out,
                                column, columns - column);
    }
  };
  using std::integral_constant;
  if (a.rows == 1) {
    wide(integral_constant<int, 1>{}, integral_constant<int, 4>{});
    wide(integral_constant<int, 1>{}, integral_constant<int, 2>{});
  } else if (a.rows == 2) {
    wide(integral_constant<int, 2>{}, integral_constant<int, 2>{});
  }
  for (; panel < panel_count; ++panel) {
    const int column = panel * kPanelColumns;
    for_row_groups(a.rows, [&](auto rows, int row) {
      tile<rows(), 1, 2>(a, row, b, b.panel(panel), bias == nullptr ? nullptr : bias + column, out, column,
                         columns - column);
    });
  }
}

void multiply_packed(ConstMatrix a, const PackedMatrix& b, const float* bias, Matrix out) {
  ATTN_CHECK(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
  const Panels panels{b.panels.data(), static_cast<std::ptrdiff_t>(b.rows) * kPanelColumns, kPanelColumns,
                      b.rows};
  multiply_panels(a, panels, bias, out, b.columns);
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
  const Panels panels{b.values, kPanelColumns, b.stride, b.rows};
  const int in_panels = b.columns / kPanelColumns * kPanelColumns;
  multiply_panels(a, panels, nullptr, out, in_panels);
  if (in_panels == b.columns) return;
  if (b.columns < 4) {
    for_row_groups(a.rows, [&](auto rows, int row) { narrow_tile<rows()>(a, row, b, out); });
    return;
  }
  // The last 1 to 7 columns in vectors of four; the last vector ends with the last column and may compute
  // some columns a second time, to the same bits.
  for (int column = in_panels; column < b.columns; column += 4) {
    const int first = std::min(column, b.columns - 4);
    for_row_groups(a.rows, [&](auto rows, int row) {
      tile<rows(), 1, 1>(a, row, panels, b.values + first, nullptr, out, first, 4);
    });
  }
}

}  // namespace attn::kernels
