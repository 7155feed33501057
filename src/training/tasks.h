#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/random.h"
#include "training/example.h"
namespace attn::training {
struct Task {
  int source_vocabulary = 0, target_vocabulary = 0, longest_source = 0, longest_target = 0;
  std::vector<Example> held_out;
};
Example training_example(const Task& task, std::uint64_t seed, std::int64_t index);
}  // namespace attn::training
