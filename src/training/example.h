// What is learned from: a sequence and the one that should come out.
#pragma once

#include <vector>

namespace attn::training {

/// The first token ids of every vocabulary.
inline constexpr int kPad = 0;
inline constexpr int kBos = 1;
inline constexpr int kEos = 2;

struct Example {
  std::vector<int> source;
  std::vector<int> target;  // without <bos> and <eos>
};

}  // namespace attn::training
