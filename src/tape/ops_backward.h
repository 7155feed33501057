// What an op's backward works with. The ops' files and backward.cpp include it, and who goes back through a
// few ops only and doesn't want the others' code (`backward_by`).
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "tape/backward.h"
#include "tape/tape.h"

namespace attn::tape {

/// One entry's turn on the way back. Its backward reads dL/d(output) and ADDS dL/d(input) to the gradient of
/// each input that it is differentiable in: an input may be used by several entries, or twice by one.
class BackwardContext {
 public:
  BackwardContext(const Tape& tape, Value value, Gradients& gradients)
      : tape_(tape), entry_(tape.entry(value)), value_(value), gradients_(gradients) {
    gradients.scratch_.clear();
  }

  const std::array<float, 3>& constants() const { return entry_.constants; }
  core::TensorView output() const { return entry_.value; }
  core::TensorView output_gradient() const { return gradients_.of(value_); }

  /// Whether operand `i` is there.
  bool has_input(int i) const { return entry_.inputs[static_cast<std::size_t>(i)].valid(); }
  core::TensorView input(int i) const { return tape_.tensor(entry_.inputs[static_cast<std::size_t>(i)]); }

  /// Where dL/d(input i) is added up; zeros when nothing was added yet. In the input's shape.
  std::span<float> input_gradient(int i) {
    return gradients_.memory_for(tape_, entry_.inputs[static_cast<std::size_t>(i)]);
  }

  /// Memory for this turn, uninitialised.
  float* scratch(const core::Shape& shape) {
    return gradients_.scratch_.allocate(static_cast<std::size_t>(shape.size()));
  }

 private:
  const Tape& tape_;
  const Entry& entry_;
  Value value_;
  Gradients& gradients_;
};

/// Forgets what `gradients` held and puts the seed at the output.
void begin_backward(const Tape& tape, Value output, std::span<const float> seed, Gradients& gradients,
                    std::span<const GradientSink> sinks);

/// tape/backward.h's `backward`, with `step_back(Op, BackwardContext&)` to choose each op's way back: for a
/// tape whose ops are known. Not by a pointer: what a function's address is taken of, every page loads.
template <class StepBack>
void backward_by(const Tape& tape, Value output, std::span<const float> seed, Gradients& gradients,
                 StepBack&& step_back, std::span<const GradientSink> sinks = {}) {
  begin_backward(tape, output, seed, gradients, sinks);
  for (int index = output.index; index >= 0; --index) {
    if (gradients.of({index}).values == nullptr) continue;
    BackwardContext at(tape, {index}, gradients);
    step_back(tape.entry({index}).op, at);
  }
}

void lookup_backward(BackwardContext& at);
void linear_backward(BackwardContext& at);
void split_heads_backward(BackwardContext& at);
void merge_heads_backward(BackwardContext& at);
void transpose_backward(BackwardContext& at);
void mean_heads_backward(BackwardContext& at);
void divide_rows_backward(BackwardContext& at);
void concatenate_backward(BackwardContext& at);
void scores_backward(BackwardContext& at);
void softcap_backward(BackwardContext& at);
void softmax_backward(BackwardContext& at);
void context_backward(BackwardContext& at);
void add_backward(BackwardContext& at);
void subtract_backward(BackwardContext& at);
void layer_norm_backward(BackwardContext& at);
void relu_backward(BackwardContext& at);
void gelu_backward(BackwardContext& at);
void gelu_tanh_backward(BackwardContext& at);
void silu_backward(BackwardContext& at);
void tanh_backward(BackwardContext& at);
void sigmoid_backward(BackwardContext& at);
void rms_norm_backward(BackwardContext& at);
void scale_backward(BackwardContext& at);
void dropout_backward(BackwardContext& at);
void replace_backward(BackwardContext& at);
void rope_backward(BackwardContext& at);
void log_softmax_backward(BackwardContext& at);
void cross_entropy_backward(BackwardContext& at);

}  // namespace attn::tape
