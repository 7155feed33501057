// Matrix products that are added to what is there: the way back through linear and attention.
//
// The ordering contract of kernels/matmul.h, only that a sum starts from what is in `out`: s = out[i,j]; for
// k = 0 .. K-1: s = s + a[i,k] * b[k,j], one rounding for the product, one for the sum; lanes and tiles never
// run along k. The bits of out[i,j] depend on itself, on row i of a and on column j of b only. `out` must not
// overlap the factors. Sizes that do not fit are our own mistake and stop the program. Nothing here
// allocates.
#pragma once

#include <span>

#include "core/tensor.h"

namespace attn::kernels {

/// out (M, N) += a (M, K) b (K, N). dx += dy W.
void add_matmul(core::ConstMatrix a, core::ConstMatrix b, core::Matrix out);

/// out (M, N) += transpose of a (K, M) times b (K, N), both read where they lie. dW += dy^T x: k is the row
/// of the batch, in order.
void add_matmul_transposed(core::ConstMatrix a, core::ConstMatrix b, core::Matrix out);

/// sums (N) += the rows of a (M, N), in order. db += sum of dy.
void add_column_sums(core::ConstMatrix a, std::span<float> sums);

}  // namespace attn::kernels
