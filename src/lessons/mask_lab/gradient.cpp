#include "lessons/mask_lab/gradient.h"

#include "kernels/softmax.h"
#include "lessons/mask_lab/experiment.h"

namespace attn::lessons::mask_lab {

void record_gradient(tape::Tape& tape, tape::Value weights, tape::Value value) {
  // L = Σ w[i,j]·v[j,d], so dL/dw[i,j] = Σ v[j,d]: the same in every row. From there on it is softmax's.
  const core::TensorView shares = tape.tensor(weights);
  const core::ConstMatrix values = core::as_rows(tape.tensor(value));
  core::Tensor dweights(shares.shape), dscores(shares.shape);
  for (int i = 0; i < shares.size(); ++i)
    for (int d = 0; d < values.columns; ++d) dweights.values()[i] += values.row(i % values.rows)[d];
  kernels::softmax_backward(core::as_rows(shares), core::as_rows(dweights.view()),
                            core::as_rows(dscores.values(), shares.shape));
  tape.leaf(dscores.view(), gradient_label());
}

}  // namespace attn::lessons::mask_lab
