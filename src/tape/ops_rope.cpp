// Rotary position embedding.
#include "kernels/rope.h"
#include "tape/broadcast.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {
namespace {

using core::ConstMatrix;
using core::Shape;
using core::TensorView;

/// The cosines or sines (T, R/2) of each matrix (T, d) of x.
class AngleMatrices {
 public:
  AngleMatrices(TensorView angles, const Shape& x)
      : angles_(angles), rows_(x[-2]), offsets_(angles.shape, x.with(-1, angles.shape[-1])) {
    ATTN_CHECK(angles.shape.rank() >= 2 && angles.shape[-2] == rows_);
  }

  ConstMatrix operator[](int matrix) const {
    const int columns = angles_.shape[-1];
    return {angles_.values + offsets_.offset(matrix * rows_), rows_, columns, columns};
  }

 private:
  TensorView angles_;
  int rows_;
  BroadcastRows offsets_;
};

int matrices_of(const Shape& shape) { return shape.size() == 0 ? 0 : shape.leading_size(2); }

}  // namespace

Value rope(Tape& tape, Value x, Value cosines, Value sines, kernels::RotaryLayout layout, Label label) {
  const TensorView input = tape.tensor(x);
  ATTN_CHECK(input.shape.rank() >= 2 && tape.tensor(cosines).shape == tape.tensor(sines).shape);
  const AngleMatrices cosine(tape.tensor(cosines), input.shape);
  const AngleMatrices sine(tape.tensor(sines), input.shape);
  float* out = tape.allocate(input.shape);
  for (int i = 0; i < matrices_of(input.shape); ++i)
    kernels::rope(core::matrix_of(input, i), cosine[i], sine[i], layout,
                  core::matrix_of(out, input.shape, i));
  return tape.append(Op::rope, {x, cosines, sines}, {out, input.shape}, label, {static_cast<float>(layout)});
}

void rope_backward(BackwardContext& at) {
  const TensorView dy = at.output_gradient();
  const auto layout = static_cast<kernels::RotaryLayout>(static_cast<int>(at.constants()[0]));
  const AngleMatrices cosine(at.input(1), dy.shape);
  const AngleMatrices sine(at.input(2), dy.shape);
  float* dx = at.input_gradient(0).data();
  for (int i = 0; i < matrices_of(dy.shape); ++i)
    kernels::rope_backward(core::matrix_of(dy, i), cosine[i], sine[i], layout,
                           core::matrix_of(dx, dy.shape, i));
}

}  // namespace attn::tape
