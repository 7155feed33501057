#include "tape/tape.h"

#include <algorithm>

namespace attn::tape {

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
  float* copy = allocate(values.shape);
  std::copy_n(values.values, values.size(), copy);
  return append(Op::leaf, {}, {copy, values.shape}, label);
}

Value Tape::borrow(core::TensorView values, Label label) { return append(Op::leaf, {}, values, label); }

Value Tape::append(Op op, std::array<Value, 3> inputs, core::TensorView value, Label label,
                   std::array<float, 3> constants) {
  entries_.push_back(Entry{op, label, inputs, value, constants});
  return Value{static_cast<int>(entries_.size()) - 1};
}

void Tape::clear() {
  entries_.clear();
  values_.clear();
}

}  // namespace attn::tape
