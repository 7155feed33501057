#include "tape/operations.h"

#include "kernels/cross_entropy.h"
#include "tape/broadcast.h"

namespace attn::tape {
namespace {

using core::Shape;
using core::TensorView;

std::int64_t size_of(const Shape& shape) { return shape.size(); }

/// `times` sums of `depth` products each.
Operations products(std::int64_t times, std::int64_t depth) {
  return {.multiplications = times * depth, .additions = times * depth};
}

/// Columns that a softmax looks at, all rows together.
std::int64_t visible_columns(const Tape& tape, const Entry& entry) {
  const Shape& shape = entry.value.shape;
  if (!entry.inputs[1].valid()) return size_of(shape);
  const TensorView mask = tape.tensor(entry.inputs[1]);
  const BroadcastRows rows(mask.shape, shape);
  std::int64_t count = 0;
  for (int row = 0; row < shape.leading_size(1); ++row)
    for (int column = 0; column < shape[-1]; ++column)
      if (mask.values[rows.offset(row) + column * rows.column_step()] != 0.0f) ++count;
  return count;
}

std::int64_t count_of(TensorView values, float wanted) {
  std::int64_t count = 0;
  for (const float value : values.flat())
    if (value == wanted) ++count;
  return count;
}

Operations of_cross_entropy(const Tape& tape, const Entry& entry) {
  const std::int64_t classes = tape.tensor(entry.inputs[0]).shape[-1];
  const TensorView targets = tape.tensor(entry.inputs[1]);
  const std::int64_t rows = targets.size() - count_of(targets, entry.constants[0]);
  const std::int64_t terms = entry.constants[1] > 0.0f ? classes : 1;
  const auto reduction = static_cast<kernels::Reduction>(static_cast<int>(entry.constants[2]));
  Operations count{.multiplications = rows * terms,
                   .additions = rows * 2 * (classes + terms),
                   .exponentials = rows * classes,
                   .functions = rows};
  if (reduction != kernels::Reduction::none) count.additions += rows;
  if (reduction == kernels::Reduction::mean) count += {.additions = rows, .divisions = 1};
  return count;
}

}  // namespace

Operations& Operations::operator+=(const Operations& more) {
  multiplications += more.multiplications;
  additions += more.additions;
  divisions += more.divisions;
  exponentials += more.exponentials;
  functions += more.functions;
  return *this;
}

Operations operations_of(const Tape& tape, Value value) {
  const Entry& entry = tape.entry(value);
  const Shape& shape = entry.value.shape;
  const std::int64_t n = size_of(shape);
  const std::int64_t rows = shape.leading_size(1);
  const auto input_width = [&](std::size_t input) -> std::int64_t {
    return tape.tensor(entry.inputs[input]).shape[-1];
  };
  switch (entry.op) {
    case Op::leaf:
    case Op::lookup:
    case Op::split_heads:
    case Op::merge_heads:
    case Op::transpose:
    case Op::concatenate:
    case Op::replace:
    case Op::relu:
      return {};
    case Op::linear: {
      Operations count = products(n, input_width(0));
      if (entry.inputs[2].valid()) count.additions += n;
      return count;
    }
    case Op::scores: {
      Operations count = products(n, input_width(0));
      count.divisions = n;
      return count;
    }
    case Op::context:
      return products(n, input_width(0));
    case Op::softmax: {
      const std::int64_t visible = visible_columns(tape, entry);
      return {.additions = 2 * visible, .divisions = visible, .exponentials = visible};
    }
    case Op::log_softmax:
      return {.additions = 3 * n, .exponentials = n, .functions = rows};
    case Op::softcap:
      return {.multiplications = n, .divisions = n, .functions = n};
    case Op::rope: {
      const std::int64_t pairs = rows * input_width(1);
      return {.multiplications = 4 * pairs, .additions = 2 * pairs};
    }
    case Op::add:
    case Op::subtract:
      return {.additions = n};
    case Op::layer_norm:
      return {
          .multiplications = 2 * n, .additions = 4 * n + rows, .divisions = n + 2 * rows, .functions = rows};
    case Op::rms_norm:
      return {.multiplications = 2 * n, .additions = n + rows, .divisions = n + rows, .functions = rows};
    case Op::mean_heads:
      return {.additions = size_of(tape.tensor(entry.inputs[0]).shape), .divisions = n};
    case Op::divide_rows:
      return {.divisions = n};
    case Op::scale:
      return {.multiplications = n};
    case Op::dropout:
      return {.multiplications = count_of(tape.tensor(entry.inputs[1]), 1.0f)};
    case Op::gelu:
      return {.multiplications = 3 * n, .additions = n, .functions = n};
    case Op::gelu_tanh:
      return {.multiplications = 4 * n, .additions = n, .functions = n};
    case Op::silu:
      return {.multiplications = n, .functions = n};
    case Op::tanh:
    case Op::sigmoid:
      return {.functions = n};
    case Op::cross_entropy:
      return of_cross_entropy(tape, entry);
  }
  return {};
}

Operations operations_of(const Tape& tape, int first, int end) {
  Operations sum;
  const int last = end < 0 ? static_cast<int>(tape.entries().size()) : end;
  for (int i = first; i < last; ++i) sum += operations_of(tape, Value{i});
  return sum;
}

}  // namespace attn::tape
