// The tape: an append-only list of operations (a Wengert list). Every op runs when it is recorded, in reading
// order, and leaves an entry: what was done, to which values, the result, and a Label that says what the
// result is. There is no graph compiler and no layer class; src/nn is plain functions over `Value` handles.
// The ops are in tape/ops.h, the way back in tape/backward.h.
//
// Axes: the last two axes of a tensor are its matrix, those before them number independent problems:
// (T, D), (B, T, D), (H, T, S), (B, H, T, S). A run of one sequence has no batch axis.
//
// Memory: values live in an arena owned by the tape. `clear()` forgets the entries and keeps the memory, so a
// second run of the same size allocates nothing. Parameters are borrowed: the model must outlive the tape.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "tape/arena.h"
#include "tape/label.h"

namespace attn::tape {

/// A handle to one entry of one tape. One that is not valid() stands for an operand that is not there (a
/// linear layer without bias, softmax without a mask).
struct Value {
  int index = -1;

  bool valid() const { return index >= 0; }
  bool operator==(const Value&) const = default;
};

// clang-format off
enum class Op : std::uint8_t {
  leaf,         // given from outside: tokens, masks, parameters
  lookup,       // rows of a table                       inputs: table, tokens
  linear,       // x·Wᵀ + b                             inputs: x, W, b or none
  split_heads,  // (…, T, H·d) → (…, H, T, d), a copy   inputs: x
  merge_heads,  // (…, H, T, d) → (…, T, H·d), a copy   inputs: x
  transpose,    // (…, R, C) → (…, C, R), a copy          inputs: x
  mean_heads,   // the mean over heads                     inputs: x
  concatenate,  // rows of a, then rows of b              inputs: a, b
  scores,       // q·kᵀ / divisor per head              inputs: query, key            constants: divisor
  softcap,      // cap·tanh(x / cap)                     inputs: x                     constants: cap
  softmax,      // softmax over the visible columns      inputs: scores, mask or none
  context,      // weights·value per head                inputs: weights, value
  log_softmax,  // (x − max) − ln Σ e^(x − max)          inputs: x
  rope,         // pairs of features turned by position  inputs: x, cosines, sines     constants: layout
  add,          // a + b, b repeated along missing axes  inputs: a, b
  subtract,     // a − b, of one shape                   inputs: a, b
  divide_rows,  // a row over its divisor                  inputs: x, divisors
  layer_norm,   // (x − mean)/√(variance + ε)·γ + β      inputs: x, γ, β               constants: ε
  rms_norm,     // x/√(mean x² + ε)·γ                    inputs: x, γ                  constants: ε
  scale,        // x·factor                              inputs: x                     constants: factor
  dropout,      // x/(1 − p) where kept, else 0          inputs: x, keep (0 or 1)      constants: p
  replace,      // given where marked, else x           inputs: x, given, marks (0 or 1)
  relu,         // max(x, 0)                             inputs: x
  gelu,         // x·Φ(x), Φ from erf                    inputs: x
  gelu_tanh,    // x·Φ(x), Φ from tanh                   inputs: x
  silu,         // x·sigmoid(x)                          inputs: x
  tanh,         // tanh(x)                               inputs: x
  sigmoid,      // 1/(1 + e^−x)                          inputs: x
  cross_entropy,  // −Σ q ln softmax(x) over rows        inputs: logits, targets, class weights or none
                  //     constants: ignore_index, label smoothing, reduction (kernels::Reduction)
};
// clang-format on

struct Entry {
  Op op = Op::leaf;
  Label label;
  std::array<Value, 3> inputs;
  core::TensorView value;
  std::array<float, 3> constants{};  // the numbers that belong to the op, as listed with each Op
};

class Tape {
 public:
  Tape() = default;
  Tape(Tape&&) = default;
  Tape& operator=(Tape&&) = default;

  std::span<const Entry> entries() const { return entries_; }
  const Entry& entry(Value value) const;
  core::TensorView tensor(Value value) const { return entry(value).value; }

  /// The entry with this label, the last one if several; not valid() when there is none. Linear in the
  /// entries.
  Value find(const Label& label) const;

  /// The tensor with this label, which the tape must have.
  core::TensorView tensor(const Label& label) const { return tensor(find(label)); }

  /// Records a copy of values from outside.
  Value leaf(core::TensorView values, Label label);

  /// Records a tensor that stays where it is (a parameter); it must outlive the tape's entries.
  Value borrow(core::TensorView values, Label label);

  /// Room for the result of an op, uninitialised; stays in place until `clear()`.
  float* allocate(std::size_t count) { return values_.allocate(count); }
  float* allocate(const core::Shape& shape) { return allocate(static_cast<std::size_t>(shape.size())); }

  /// Appends an entry whose value was written to memory from `allocate`.
  Value append(Op op, std::array<Value, 3> inputs, core::TensorView value, Label label,
               std::array<float, 3> constants = {});

  /// Forgets all entries, keeps the memory.
  void clear();

 private:
  std::vector<Entry> entries_;
  Arena values_;
};

}  // namespace attn::tape
