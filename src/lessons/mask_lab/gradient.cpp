#include "lessons/mask_lab/gradient.h"

#include <vector>

#include "lessons/mask_lab/experiment.h"
#include "tape/ops_backward.h"

namespace attn::lessons::mask_lab {

void record_gradient(tape::Tape& tape, tape::Value scores, tape::Value context) {
  const std::vector<float> seed(static_cast<std::size_t>(tape.tensor(context).size()), 1.0f);
  tape::Gradients gradients;
  tape::backward_by(tape, context, seed, gradients, [](tape::Op op, tape::BackwardContext& at) {
    if (op == tape::Op::context) tape::context_backward(at);
    if (op == tape::Op::softmax) tape::softmax_backward(at);
    // What the scores and values are made from isn't asked.
  });
  tape.leaf(gradients.of(scores), gradient_label());
}

}  // namespace attn::lessons::mask_lab
