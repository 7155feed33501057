#include "nn/dropout.h"

#include "tape/ops.h"

namespace attn::nn {

tape::Value Dropout::operator()(tape::Tape& tape, tape::Value x) {
  if (probability_ == 0.0f) return x;
  const core::RandomStream stream{seed_, core::stream_of(step_, next_place_++)};
  return tape::dropout(tape, x, probability_, stream, tape::Label{});
}

}  // namespace attn::nn
