// Matrix products whose bits do not depend on how they are computed.
//
// Every output is s = +0; for k = 0 .. K-1: s = s + a[i,k] * b[k,j], one rounding for the product, one for
// the sum. SIMD lanes run across columns j, tiles across rows i and columns j, never along k. So the bits of
// out[i,j] depend on row i of a and column j of b only: not on how many rows or columns there are, not on
// strides or alignment, not on whether b was packed. That is what makes a prefix, a masked pass and a cached
// step agree (contracts C1 and C2 of the design). Readable version: kernels/reference.h. Nothing here
// allocates except the two pack functions.
//
// Tiles: 4x8 (eight accumulators; b's panel of 8 columns stays in the first-level cache while a streams past
// it), 5x8 for a last group of five rows, and wider ones (3x8, 2x16, 1x32) where fewer rows leave fewer
// independent sums.
#pragma once

#include <span>
#include <vector>

#include "core/tensor.h"

namespace attn::kernels {

inline constexpr int kPanelColumns = 8;

/// The right factor of a product, laid out for reading in order: panels of 8 columns, each [k][8], the last
/// one padded with zeros. Pack a weight once, use it for every product.
struct PackedMatrix {
  int rows = 0;     // K
  int columns = 0;  // N
  std::vector<float> panels;

  int panel_count() const { return (columns + kPanelColumns - 1) / kPanelColumns; }
  const float* panel(int index) const {
    return panels.data() + static_cast<std::ptrdiff_t>(index) * rows * kPanelColumns;
  }
};

/// Packs b (K, N). Reuses `packed`'s storage: nothing is allocated when the size is unchanged.
void pack(core::ConstMatrix b, PackedMatrix& packed);

/// Packs the transpose of `weight` (N, K), PyTorch's (out_features, in_features), as a (K, N) factor.
void pack_transposed(core::ConstMatrix weight, PackedMatrix& packed);

/// out (M, N) = a (M, K) b (K, N). `out` is overwritten and must not overlap a or b. Sizes that do not fit
/// are our own mistake and stop the program. With K = 0 the result is +0.
void matmul(core::ConstMatrix a, const PackedMatrix& b, core::Matrix out);

/// The same for a factor that is used once (activations): b is read where it lies, rows b.stride apart.
void matmul(core::ConstMatrix a, core::ConstMatrix b, core::Matrix out);

/// out (M, N) = x (M, K) weight (K, N) + bias (N): first the whole sum over k, then one addition of the bias.
/// An empty bias adds nothing. Overlap as for matmul.
void linear(core::ConstMatrix x, const PackedMatrix& weight, std::span<const float> bias, core::Matrix out);

}  // namespace attn::kernels
