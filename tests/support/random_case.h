// Random configurations for contract C1: a model of any family, its inputs and masks, all from one number, so
// that a failing case can be run again alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/transformer.h"
#include "tape/compare.h"

namespace attn::test {

/// A model and one sequence (a pair of them with an encoder and a decoder).
struct RandomCase {
  std::uint64_t number = 0;
  nn::Transformer model;
  std::vector<int> source;       // empty in a decoder-only model
  std::vector<int> target;       // empty in an encoder-only model
  nn::TransformerMasks masks;    // of the sequence alone; causal for the sequence that prefixes are taken of
  bool masks_are_rules = false;  // target is causal, maybe with a window, and nothing else is masked
  int window = -1;               // its left width

  /// The sequence whose prefixes are compared: the target, or an encoder-only model's source.
  const std::vector<int>& subject() const { return target.empty() ? source : target; }

  std::string text() const;
};

RandomCase random_case(std::uint64_t number);

/// One pass over the first `length` tokens of the subject, logits included where the model has them.
tape::Tape run_prefix(const RandomCase& random, int length);

/// The sequence among others in a batch padded to one length, on the left or on the right.
struct PaddedPass {
  tape::Tape tape;
  tape::Sequence place;  // where the sequence lies in it
};

PaddedPass run_padded(const RandomCase& random, std::uint64_t variant);

}  // namespace attn::test
