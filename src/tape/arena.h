// Memory that is given out piece by piece and taken back all at once: values of a tape, gradients, scratch.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace attn::tape {

class Arena {
 public:
  /// Room for `count` floats, uninitialised, on a boundary of 16 bytes of its chunk; stays in place until
  /// `clear()`.
  float* allocate(std::size_t count);

  /// Takes everything back and keeps the memory: the same requests once more allocate nothing.
  void clear() {
    current_chunk_ = 0;
    used_ = 0;
  }

 private:
  struct Chunk {
    std::unique_ptr<float[]> values;
    std::size_t capacity = 0;
  };

  std::vector<Chunk> chunks_;
  std::size_t current_chunk_ = 0;
  std::size_t used_ = 0;
};

}  // namespace attn::tape
