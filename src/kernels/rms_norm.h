// Root-mean-square normalisation over the last axis.
//
//   rms = sqrt(sum_j x[j]^2 / n + epsilon)      out[j] = x[j] / rms * scale[j]
//
// Rounding: sums have four lanes, column j goes to lane j mod 4, in order, combined as (0 + 1) + (2 + 3);
// every other operation is one IEEE operation in the order written. A row depends on nothing but itself.
// Source: Zhang and Sennrich 2019, equation 4; ONNX RMSNormalization, torch.nn.RMSNorm (epsilon inside the
// root; where several axes are normalised together they are one row).
#pragma once

#include <span>

#include "core/tensor.h"

namespace attn::kernels {

/// sqrt(mean of squares + epsilon) of a row, the number rms_norm divides by, to the bit. The row must not be
/// empty.
float root_mean_square(std::span<const float> row, float epsilon);

/// x and out (T, D), scale (D). `out` may be x itself. D = 0 leaves nothing to do.
void rms_norm(core::ConstMatrix x, std::span<const float> scale, float epsilon, core::Matrix out);

/// Adds the gradients of rms_norm. With n = x / rms, g = dy * scale, the mean over a row:
///
///   dx += (g - n * mean(g * n)) / rms          dscale += dy * n   (row by row, in order)
///
/// x, dy and dx (T, D), the others (D). Nothing may overlap.
void rms_norm_backward(core::ConstMatrix x, std::span<const float> scale, float epsilon, core::ConstMatrix dy,
                       core::Matrix dx, std::span<float> dscale);

}  // namespace attn::kernels
