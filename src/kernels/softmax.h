// Softmax over the visible columns of a row.
//
//   weights[j] = exp(scores[j] - m) / sum over visible l of exp(scores[l] - m),   m = largest visible score
//
// A column is visible when visible[j] != 0. A masked column gets weight exactly +0 and adds exactly +0 to the
// sum, whatever its score is (NaN and infinities included). A row without a visible column gets weights 0. A
// NaN or +inf among the visible scores makes every visible weight NaN; so do scores that are all -inf, as in
// the formula.
//
// Rounding: the sum has four lanes; column j goes to lane (j - first) mod 4, first being the first visible
// column, in order; the lanes are combined as (0 + 1) + (2 + 3); then each exponential is divided by the sum.
// So masked columns before the first visible one and after the last change no bit, and a row of a masked pass
// equals the row of a shorter pass, of a pass padded on either side, or of a cached step (contract C1). A
// weight is within 4e-7 (relative) of the exact one plus what exp(x) below 2^-126 loses
// (kernels/scalar_math.h: flushed to 0). Source: Vaswani et al. 2017, section 3.2.1, equation 1; the mask as
// a predicate instead of -inf added.
#pragma once

#include <span>

#include "core/tensor.h"

namespace attn::kernels {

/// One row. `visible` has the size of `scores` or is empty: all visible. `weights` may be `scores` itself,
/// but must not overlap it otherwise.
void masked_softmax(std::span<const float> scores, std::span<const float> visible, std::span<float> weights);

/// Row by row. `visible` has the size of `scores`, or null values: all visible. Row stride 0 repeats one mask
/// row.
void masked_softmax(core::ConstMatrix scores, core::ConstMatrix visible, core::Matrix weights);

/// dscores += weights * (dweights - sum over j of weights[j] * dweights[j]), row by row: the Jacobian of
/// softmax times dL/dweights. The sum has four lanes, column j in lane j mod 4, combined as above. Where a
/// weight is 0, masked columns above all, exactly 0 is added, whatever dweights is there; so a row without a
/// visible column adds 0. `dscores` must not overlap the others. Source: Bridle 1990, equation 9.
void softmax_backward(core::ConstMatrix weights, core::ConstMatrix dweights, core::Matrix dscores);

}  // namespace attn::kernels
