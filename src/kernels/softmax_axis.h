// Softmax and log-softmax over any one axis of a tensor, and their backward.
//
//   softmax:     y[j] = e^(x[j] - m) / sum_l e^(x[l] - m)          m = max_l x[l]
//   log-softmax: y[j] = (x[j] - m) - ln(sum_l e^(x[l] - m))
//
// j and l run along the axis; every line along it is a problem of its own. Rounding: the sum has four lanes,
// element j goes to lane j mod 4, in order, combined as (0 + 1) + (2 + 3). So a line gives the same bits
// whichever axis it lies along, and the bits of kernels/softmax.h without a mask. The logarithm is that of
// kernels/scalar_math.h in double, rounded once.
//
// Error: softmax as in kernels/softmax.h; log-softmax within 3e-7 absolute plus one rounding of x[j] - m. e^x
// below 2^-126 counts as 0, which log-softmax does not care about: y[j] stays x[j] - m - ln(...). A NaN or
// +inf in a line, or nothing but -inf, makes the whole line NaN, as in the formulas; a -inf among finite
// numbers gives 0, and -inf for the logarithm. An empty axis leaves nothing to do.
//
// Tensors are contiguous, all of one shape; a negative axis counts from the end. Source: Bridle 1990; ONNX
// Softmax and LogSoftmax, opset 13.
#pragma once

#include <span>

#include "core/tensor.h"

namespace attn::kernels {

/// `out` may be x itself.
void softmax(core::TensorView x, int axis, std::span<float> out);
void log_softmax(core::TensorView x, int axis, std::span<float> out);

/// From y = softmax(x): dx += y * (dy - sum_l y[l] * dy[l]). Where y is 0, exactly 0 is added.
/// `dx` must not overlap the others.
void softmax_backward(core::TensorView y, int axis, std::span<const float> dy, std::span<float> dx);

/// From y = log_softmax(x): dx += dy - e^y * sum_l dy[l]. `dx` must not overlap the others.
void log_softmax_backward(core::TensorView y, int axis, std::span<const float> dy, std::span<float> dx);

}  // namespace attn::kernels
