// Elements left out, and elements put in place of others: the marks are an operand, so a tape shows which.
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

Value replace(Tape& tape, Value x, Value given, Value marks, Label label) {
  const core::TensorView from = tape.tensor(x);
  const core::TensorView other = tape.tensor(given);
  const core::TensorView marked = tape.tensor(marks);
  ATTN_CHECK(other.shape == from.shape && marked.shape == from.shape);
  float* out = tape.allocate(from.shape);
  for (int i = 0; i < from.size(); ++i) out[i] = marked.values[i] != 0.0f ? other.values[i] : from.values[i];
  return tape.append(Op::replace, {x, given, marks}, {out, from.shape}, label);
}

void replace_backward(BackwardContext& at) {
  const std::span<const float> marks = at.input(2).flat();
  const std::span<const float> dy = at.output_gradient().flat();
  for (const int input : {0, 1}) {
    const std::span<float> dx = at.input_gradient(input);
    for (std::size_t i = 0; i < dy.size(); ++i)
      if ((marks[i] != 0.0f) == (input == 1)) dx[i] += dy[i];
  }
}

}  // namespace attn::tape
