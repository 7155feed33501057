// What matmul.cpp multiplies, for the kernels that are made of products (feed_forward.cpp, attention.cpp).
// Not an interface: use matmul.h.
#pragma once

#include <cstddef>

#include "core/tensor.h"
#include "kernels/matmul.h"

namespace attn::kernels {

/// The right factor as panels of 8 columns: panel p begins p * panel_step floats after `values`, and within
/// it row k of the factor k * row_step floats further. Fits a PackedMatrix and a row-major matrix alike.
struct Panels {
  const float* values = nullptr;
  std::ptrdiff_t panel_step = 0;
  std::ptrdiff_t row_step = 0;
  int depth = 0;  // K

  const float* panel(int index) const { return values + index * panel_step; }
};

/// out (rows, columns) = a (rows, K) times the panels, plus bias unless that is null, then relu if asked.
struct Product {
  core::ConstMatrix a;
  Panels b;
  core::Matrix out;
  int columns = 0;
  const float* bias = nullptr;
  bool continues = false;  // the sums start from what is in out instead of +0
  bool relu = false;
};

/// A packed factor, or its rows from `first_row` on.
inline Panels panels_of(const PackedMatrix& packed, int first_row = 0) {
  return {packed.panels.data() + static_cast<std::ptrdiff_t>(first_row) * kPanelColumns,
          static_cast<std::ptrdiff_t>(packed.rows) * kPanelColumns, kPanelColumns, packed.rows - first_row};
}

/// Computes all of it. The last panel must be whole in memory.
void multiply_panels(const Product& product);

}  // namespace attn::kernels
