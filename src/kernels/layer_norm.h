// Layer normalisation over the last axis.
//
//   mean = sum_j x[j] / n      variance = sum_j (x[j] - mean)^2 / n  (biased, as PyTorch)
//   deviation = sqrt(variance + epsilon)
//   out[j] = (x[j] - mean) / deviation * scale[j] + shift[j]
//
// Rounding: both sums have four lanes, column j goes to lane j mod 4, in order, combined as (0 + 1) + (2 +
// 3); every other operation is one IEEE operation in the order written. A row depends on nothing but itself.
// Source: Ba, Kiros and Hinton 2016, equation 4; scale and shift are PyTorch's `weight` and `bias`.
#pragma once

#include <span>

#include "core/tensor.h"

namespace attn::kernels {

struct RowStatistics {
  float mean;
  float deviation;  // sqrt(variance + epsilon)
};

/// The two numbers layer_norm uses for a row, to the bit. The row must not be empty.
RowStatistics row_statistics(std::span<const float> row, float epsilon);

/// x and out (T, D), scale and shift (D). `out` may be x itself. D = 0 leaves nothing to do.
void layer_norm(core::ConstMatrix x, std::span<const float> scale, std::span<const float> shift,
                float epsilon, core::Matrix out);

/// sum = x + y, then out = layer_norm(sum), row by row: the bits of kernels::add and layer_norm. All (T, D).
/// `sum` may be x, y or `out` itself (then only the normalised rows are left), `out` may be x or y. D = 0
/// leaves nothing to do.
void add_layer_norm(core::ConstMatrix x, core::ConstMatrix y, std::span<const float> scale,
                    std::span<const float> shift, float epsilon, core::Matrix sum, core::Matrix out);

/// Adds the gradients of layer_norm. With n = (x - mean) / deviation, g = dy * scale, means over a row:
///
///   dx     += ((g - mean(g)) - n * mean(g * n)) / deviation
///   dscale += dy * n          dshift += dy           (row by row, in order)
///
/// x, dy and dx (T, D), the others (D). Both means are sums of four lanes as above, divided by D. Nothing may
/// overlap. Source: Ba, Kiros and Hinton 2016, equation 4, differentiated.
void layer_norm_backward(core::ConstMatrix x, std::span<const float> scale, float epsilon,
                         core::ConstMatrix dy, core::Matrix dx, std::span<float> dscale,
                         std::span<float> dshift);

}  // namespace attn::kernels
