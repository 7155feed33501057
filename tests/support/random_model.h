// Models and inputs for tests in which every parameter is random (biases and norms too), so that no term can
// hide behind a 0 or a 1. Deterministic, the same bits on every platform.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/parameters.h"

namespace attn::test {

/// SplitMix64 (Steele, Lea & Flood 2014): numbers from a counter; uniform() is in [-1, 1).
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  float uniform();
  int below(int limit);

 private:
  std::uint64_t state_;
};

/// All parameters random, packed: matrices scaled by 1/√in, norm scales around 1, biases and shifts around 0.
nn::Transformer random_transformer(const nn::TransformerConfig& config, std::uint64_t seed);

/// `length` token ids in [0, vocabulary).
std::vector<int> random_tokens(int length, int vocabulary, std::uint64_t seed);

}  // namespace attn::test
