// Normalisations over the last axis.
#include "kernels/layer_norm.h"
#include "kernels/rms_norm.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {

Value layer_norm(Tape& tape, Value x, Value scale, Value shift, float epsilon, Label label) {
  const core::TensorView input = tape.tensor(x);
  float* out = tape.allocate(input.shape);
  kernels::layer_norm(core::as_rows(input), tape.tensor(scale).flat(), tape.tensor(shift).flat(), epsilon,
                      core::as_rows(out, input.shape));
  return tape.append(Op::layer_norm, {x, scale, shift}, {out, input.shape}, label, {epsilon});
}

void layer_norm_backward(BackwardContext& at) {
  const core::TensorView x = at.input(0);
  kernels::layer_norm_backward(
      core::as_rows(x), at.input(1).flat(), at.constants()[0], core::as_rows(at.output_gradient()),
      core::as_rows(at.input_gradient(0).data(), x.shape), at.input_gradient(1), at.input_gradient(2));
}

Value rms_norm(Tape& tape, Value x, Value scale, float epsilon, Label label) {
  const core::TensorView input = tape.tensor(x);
  float* out = tape.allocate(input.shape);
  kernels::rms_norm(core::as_rows(input), tape.tensor(scale).flat(), epsilon,
                    core::as_rows(out, input.shape));
  return tape.append(Op::rms_norm, {x, scale}, {out, input.shape}, label, {epsilon});
}

void rms_norm_backward(BackwardContext& at) {
  const core::TensorView x = at.input(0);
  kernels::rms_norm_backward(core::as_rows(x), at.input(1).flat(), at.constants()[0],
                             core::as_rows(at.output_gradient()),
                             core::as_rows(at.input_gradient(0).data(), x.shape), at.input_gradient(1));
}

}  // namespace attn::tape
