#include "tape/arena.h"

#include <algorithm>

namespace attn::tape {
namespace {

constexpr std::size_t kChunkFloats = 1u << 16;  // 256 kB
constexpr std::size_t kAlignment = 4;           // floats: every tensor starts on a lane boundary of its chunk

}  // namespace

float* Arena::allocate(std::size_t count) {
  const std::size_t rounded = (count + kAlignment - 1) / kAlignment * kAlignment;
  while (current_chunk_ < chunks_.size() && chunks_[current_chunk_].capacity - used_ < rounded) {
    ++current_chunk_;
    used_ = 0;
  }
  if (current_chunk_ == chunks_.size()) {
    const std::size_t capacity = std::max(rounded, kChunkFloats);
    chunks_.push_back({std::unique_ptr<float[]>(new float[capacity]), capacity});
    used_ = 0;
  }
  float* memory = chunks_[current_chunk_].values.get() + used_;
  used_ += rounded;
  return memory;
}

}  // namespace attn::tape
