#include "tape/tape.h"

#include <algorithm>

namespace attn::tape {
namespace {

constexpr std::size_t kChunkFloats = 1u << 16;  // 256 kB
constexpr std::size_t kAlignment = 4;           // floats: every tensor starts on a lane boundary of its chunk

}  // namespace

const Entry& Tape::entry(Value value) const {
  ATTN_CHECK(value.index >= 0 && static_cast<std::size_t>(value.index) < entries_.size());
  return entries_[static_cast<std::size_t>(value.index)];
}

Value Tape::find(const Label& label) const {
  for (std::size_t i = entries_.size(); i > 0; --i)
    if (entries_[i - 1].label == label) return Value{static_cast<int>(i - 1)};
  return Value{};
}

Value Tape::leaf(core::TensorView values, Label label) {
  float* copy = allocate(static_cast<std::size_t>(values.size()));
  std::copy_n(values.values, values.size(), copy);
  return append(Op::leaf, {}, {copy, values.shape}, label);
}

Value Tape::borrow(core::TensorView values, Label label) { return append(Op::leaf, {}, values, label); }

float* Tape::allocate(std::size_t count) {
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

Value Tape::append(Op op, std::array<Value, 3> inputs, core::TensorView value, Label label, float constant) {
  entries_.push_back(Entry{op, label, inputs, value, constant});
  return Value{static_cast<int>(entries_.size()) - 1};
}

void Tape::clear() {
  entries_.clear();
  current_chunk_ = 0;
  used_ = 0;
}

}  // namespace attn::tape
