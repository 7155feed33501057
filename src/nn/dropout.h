// Dropout in training mode (Srivastava et al. 2014), at the places where nn.Transformer has it: on the
// attention weights, on the output of each block before it is added to its input, on the activated
// feed-forward layer; and on the embedded sequence (Vaswani et al. 2017, §5.4). In evaluation there is no
// Dropout, and not an entry more on the tape.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "tape/tape.h"

namespace attn::nn {

/// One training step's dropout. Every place draws from a stream of its own, numbered in the order of
/// recording, so the bits depend on (seed, step) and on nothing else.
class Dropout {
 public:
  /// `probability` in [0, 1): the chance that an element becomes 0; the others are divided by 1 −
  /// probability.
  Dropout(float probability, std::uint64_t seed, std::uint32_t step)
      : probability_(probability), seed_(seed), step_(step) {}

  /// Records x with elements dropped; x itself when the probability is 0.
  tape::Value operator()(tape::Tape& tape, tape::Value x);

 private:
  float probability_;
  std::uint64_t seed_;
  std::uint32_t step_;
  std::uint32_t next_place_ = 0;
};

/// x in evaluation (no dropout), dropout(x) in training.
inline tape::Value drop(tape::Tape& tape, tape::Value x, Dropout* dropout) {
  return dropout == nullptr ? x : (*dropout)(tape, x);
}

}  // namespace attn::nn
