// The way back along the tape: reverse-mode differentiation (Linnainmaa 1970; Baydin et al. 2018, §3.2).
//
// For a number L that depends on one entry of the tape, `backward` gives dL/d(every entry): it starts from
// dL/d(that entry), goes through the entries in reverse order, and each op adds its part to its inputs'
// gradients. Composite layers need nothing of their own. Sums run in a fixed order, so gradients have the
// same bits on every platform (contract C2).
//
// Masks: a score that may not be seen has gradient exactly 0, and so has everything of a row that sees
// nothing (contract C3); no NaN can come from there.
#pragma once

#include <span>
#include <vector>

#include "core/tensor.h"
#include "tape/arena.h"
#include "tape/tape.h"

namespace attn::tape {

/// Where the gradient of a parameter goes when it is to be added up over several tapes, as training does over
/// the parts of a batch.
struct GradientSink {
  std::span<const float> parameter;  // what leaves of the tape borrow, as a whole or in parts
  std::span<float> gradient;         // of the same size; dL/d(parameter) is added to what is there
};

/// dL/d(entry) for the entries of one tape. Keeps its memory from one run to the next: after the first of a
/// size, nothing is allocated.
class Gradients {
 public:
  /// dL/d(value) in the value's shape; its `values` are null where L does not depend on the entry, or not in
  /// a differentiable way (tokens, masks). Stays in place until the next backward() or clear().
  core::TensorView of(Value value) const;

  /// gradient += dL/d(parameter): adds the gradients of all leaves whose memory lies within the parameter's,
  /// each at its place (W_k is a part of in_proj_weight), in the order of the tape. `gradient` has the
  /// parameter's size. What is there stays, so gradients of several runs add up; the caller zeroes.
  void accumulate_into(core::TensorView parameter, std::span<float> gradient) const;

  /// Forgets all gradients, keeps the memory.
  void clear();

 private:
  friend class BackwardContext;
  friend void begin_backward(const Tape&, Value, std::span<const float>, Gradients&,
                             std::span<const GradientSink>);

  struct Slot {
    const float* value = nullptr;  // where the entry's own values lie
    float* gradient = nullptr;     // null: nothing was added yet
    core::Shape shape;
    bool leaf = false;
  };

  std::span<float> memory_for(const Tape& tape, Value value);
  float* place_in_sink(core::TensorView leaf) const;

  std::vector<Slot> slots_;              // one for each entry of the tape
  std::span<const GradientSink> sinks_;  // during backward()
  Arena values_;
  Arena scratch_;
};

/// Fills `gradients` (what it held is forgotten) with the gradients of L = Σ seed·output, that is of any L
/// with dL/d(output) = seed. The seed has output's size; for a scalar loss it is {1}. The gradient of a leaf
/// whose memory lies within a sink's parameter is added there, at its place, and of() gives that place: sums
/// over rows go on where the tape before stopped, so a batch that is cut into tapes of some sequences each
/// gives a parameter that is used once the bits of the whole batch. Parameters of sinks must not overlap.
void backward(const Tape& tape, Value output, std::span<const float> seed, Gradients& gradients,
              std::span<const GradientSink> sinks = {});

}  // namespace attn::tape
