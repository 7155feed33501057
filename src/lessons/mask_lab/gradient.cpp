#include "lessons/mask_lab/gradient.h"

#include <vector>

#include "lessons/mask_lab/experiment.h"
#include "tape/ops_backward.h"

namespace attn::lessons::mask_lab {

void record_gradient(tape::Tape& tape, tape::Value scores, tape::Value weights, tape::Value value) {
  // L = Σ w[i,j]·v[j,d], so dL/dw[i,j] = Σ v[j,d]: the same in every row. From there on it is softmax's.
  const core::ConstMatrix values = core::as_rows(tape.tensor(value));
  std::vector<float> seed(static_cast<std::size_t>(tape.tensor(weights).size()));
  for (std::size_t i = 0; i < seed.size(); ++i)
    for (int d = 0; d < values.columns; ++d) seed[i] += values.row(static_cast<int>(i) % values.rows)[d];
  tape::Gradients gradients;
  tape::backward_by(tape, weights, seed, gradients, [](tape::Op op, tape::BackwardContext& at) {
    if (op == tape::Op::softmax) tape::softmax_backward(at);  // what the scores are made of isn't asked
  });
  tape.leaf(gradients.of(scores), gradient_label());
}

}  // namespace attn::lessons::mask_lab
