#include "tape/backward.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "tape/ops_backward.h"

namespace attn::tape {
namespace {

void step_back(Op op, BackwardContext& at) {
  switch (op) {
    case Op::leaf:
      return;
    case Op::lookup:
      return lookup_backward(at);
    case Op::linear:
      return linear_backward(at);
    case Op::split_heads:
      return split_heads_backward(at);
    case Op::merge_heads:
      return merge_heads_backward(at);
    case Op::transpose:
      return transpose_backward(at);
    case Op::mean_heads:
      return mean_heads_backward(at);
    case Op::divide_rows:
      return divide_rows_backward(at);
    case Op::concatenate:
      return concatenate_backward(at);
    case Op::scores:
      return scores_backward(at);
    case Op::softcap:
      return softcap_backward(at);
    case Op::softmax:
      return softmax_backward(at);
    case Op::context:
      return context_backward(at);
    case Op::add:
      return add_backward(at);
    case Op::subtract:
      return subtract_backward(at);
    case Op::layer_norm:
      return layer_norm_backward(at);
    case Op::relu:
      return relu_backward(at);
    case Op::gelu:
      return gelu_backward(at);
    case Op::gelu_tanh:
      return gelu_tanh_backward(at);
    case Op::silu:
      return silu_backward(at);
    case Op::tanh:
      return tanh_backward(at);
    case Op::sigmoid:
      return sigmoid_backward(at);
    case Op::rms_norm:
      return rms_norm_backward(at);
    case Op::scale:
      return scale_backward(at);
    case Op::dropout:
      return dropout_backward(at);
    case Op::replace:
      return replace_backward(at);
    case Op::rope:
      return rope_backward(at);
    case Op::log_softmax:
      return log_softmax_backward(at);
    case Op::cross_entropy:
      return cross_entropy_backward(at);
  }
}

/// Whether p points into `values`; std::less orders pointers into different arrays too.
bool lies_within(const float* p, std::span<const float> values) {
  const std::less<const float*> before;
  return !before(p, values.data()) && before(p, values.data() + values.size());
}

}  // namespace

core::TensorView Gradients::of(Value value) const {
  ATTN_CHECK(value.valid());
  const auto index = static_cast<std::size_t>(value.index);
  if (index >= slots_.size()) return {};
  return {slots_[index].gradient, slots_[index].shape};
}

std::span<float> Gradients::memory_for(const Tape& tape, Value value) {
  const Entry& entry = tape.entry(value);
  Slot& slot = slots_[static_cast<std::size_t>(value.index)];
  const auto count = static_cast<std::size_t>(entry.value.size());
  if (slot.gradient == nullptr) {
    const bool leaf = entry.op == Op::leaf;
    float* gradient = leaf ? place_in_sink(entry.value) : nullptr;
    if (gradient == nullptr) {
      gradient = values_.allocate(count);
      std::fill_n(gradient, count, 0.0f);
    }
    slot = {entry.value.values, gradient, entry.value.shape, leaf};
  }
  return {slot.gradient, count};
}

/// Where a sink keeps the gradient of this leaf, null when none does.
float* Gradients::place_in_sink(core::TensorView leaf) const {
  for (const GradientSink& sink : sinks_) {
    if (!lies_within(leaf.values, sink.parameter)) continue;
    const auto first = static_cast<std::size_t>(leaf.values - sink.parameter.data());
    ATTN_CHECK(first + static_cast<std::size_t>(leaf.size()) <= sink.gradient.size());
    return sink.gradient.data() + first;
  }
  return nullptr;
}

void Gradients::accumulate_into(core::TensorView parameter, std::span<float> gradient) const {
  const auto size = static_cast<std::size_t>(parameter.size());
  ATTN_CHECK(gradient.size() == size);
  for (const Slot& slot : slots_) {
    if (!slot.leaf || slot.gradient == nullptr || !lies_within(slot.value, parameter.flat())) continue;
    const auto first = static_cast<std::size_t>(slot.value - parameter.values);
    const auto count = static_cast<std::size_t>(slot.shape.size());
    ATTN_CHECK(first + count <= size);
    for (std::size_t i = 0; i < count; ++i) gradient[first + i] += slot.gradient[i];
  }
}

void Gradients::clear() {
  slots_.clear();
  values_.clear();
  scratch_.clear();
}

void begin_backward(const Tape& tape, Value output, std::span<const float> seed, Gradients& gradients,
                    std::span<const GradientSink> sinks) {
  gradients.clear();
  gradients.sinks_ = sinks;
  gradients.slots_.resize(tape.entries().size());
  const std::span<float> start = gradients.memory_for(tape, output);
  ATTN_CHECK(seed.size() == start.size());
  std::copy(seed.begin(), seed.end(), start.begin());
}

void backward(const Tape& tape, Value output, std::span<const float> seed, Gradients& gradients,
              std::span<const GradientSink> sinks) {
  backward_by(
      tape, output, seed, gradients, [](Op op, BackwardContext& at) { step_back(op, at); }, sinks);
}

}  // namespace attn::tape
