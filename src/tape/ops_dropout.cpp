// Dropout: the mask is an operand, so a tape shows what was dropped.
#include "kernels/dropout.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {

Value dropout(Tape& tape, Value x, Value keep, float p, Label label) {
  const core::TensorView input = tape.tensor(x);
  const core::TensorView mask = tape.tensor(keep);
  ATTN_CHECK(mask.shape == input.shape);
  const std::span<float> out(tape.allocate(input.shape), static_cast<std::size_t>(input.size()));
  kernels::dropout(input.flat(), mask.flat(), p, out);
  return tape.append(Op::dropout, {x, keep}, {out.data(), input.shape}, label, {p});
}

Value dropout(Tape& tape, Value x, float p, const core::RandomStream& stream, Label label, Label keep_label) {
  const core::Shape shape = tape.tensor(x).shape;
  const std::span<float> keep(tape.allocate(shape), static_cast<std::size_t>(shape.size()));
  kernels::dropout_mask(stream, 0, p, keep);
  return dropout(tape, x, tape.append(Op::leaf, {}, {keep.data(), shape}, keep_label), p, label);
}

void dropout_backward(BackwardContext& at) {
  kernels::dropout_backward(at.input(1).flat(), at.constants()[0], at.output_gradient().flat(),
                            at.input_gradient(0));
}

}  // namespace attn::tape
