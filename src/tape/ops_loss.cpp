// From logits to a loss.
#include <algorithm>
#include <cstdlib>

#include "kernels/cross_entropy.h"
#include "kernels/softmax_axis.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::tape {
namespace {

using core::Shape;
using core::TensorView;
using kernels::CrossEntropyOptions;
using kernels::Reduction;

constexpr int kLargestWhole = 1 << 24;  // up to here a float holds every whole number

/// What an entry's constants and class weights say.
struct Loss {
  CrossEntropyOptions options;
  Reduction reduction;
};

Loss loss_of(const std::array<float, 3>& constants, TensorView class_weights) {
  return {
      {.ignore_index = static_cast<int>(constants[0]),
       .label_smoothing = constants[1],
       .class_weights = class_weights.values == nullptr ? std::span<const float>() : class_weights.flat()},
      static_cast<Reduction>(static_cast<int>(constants[2]))};
}

/// Calls visit(row of logits, target, number of the row).
template <class Visit>
void for_each_row(TensorView logits, TensorView targets, Visit visit) {
  const auto width = static_cast<std::size_t>(logits.shape[-1]);
  for (int n = 0; n < targets.size(); ++n)
    visit(logits.flat().subspan(static_cast<std::size_t>(n) * width, width),
          static_cast<int>(targets.values[n]), static_cast<std::size_t>(n));
}

}  // namespace

Value log_softmax(Tape& tape, Value x, Label label) {
  const TensorView input = tape.tensor(x);
  const std::span<float> out(tape.allocate(input.shape), static_cast<std::size_t>(input.size()));
  kernels::log_softmax(input, -1, out);
  return tape.append(Op::log_softmax, {x}, {out.data(), input.shape}, label);
}

void log_softmax_backward(BackwardContext& at) {
  kernels::log_softmax_backward(at.output(), -1, at.output_gradient().flat(), at.input_gradient(0));
}

Value cross_entropy(Tape& tape, Value logits, Value targets, Value class_weights, const LossOptions& options,
                    Label label) {
  const TensorView x = tape.tensor(logits);
  const TensorView y = tape.tensor(targets);
  ATTN_CHECK(x.shape.rank() == y.shape.rank() + 1 && x.shape.leading_size(1) == y.size());
  ATTN_CHECK(std::abs(options.ignore_index) <= kLargestWhole);
  const std::array<float, 3> constants{static_cast<float>(options.ignore_index), options.label_smoothing,
                                       static_cast<float>(options.reduction)};
  const Loss loss = loss_of(constants, class_weights.valid() ? tape.tensor(class_weights) : TensorView{});
  const bool reduced = options.reduction != Reduction::none;
  const Shape shape = reduced ? Shape{} : y.shape;
  float* out = tape.allocate(shape);
  kernels::LossReduction total;
  for_each_row(x, y, [&](std::span<const float> row, int target, std::size_t n) {
    const float value = kernels::cross_entropy_row(row, target, loss.options);
    if (!reduced) out[n] = value;
    total.add(value, kernels::target_weight(target, loss.options));
  });
  if (reduced) out[0] = options.reduction == Reduction::sum ? total.sum() : total.mean();
  return tape.append(Op::cross_entropy, {logits, targets, class_weights}, {out, shape}, label, constants);
}

void cross_entropy_backward(BackwardContext& at) {
  const TensorView x = at.input(0);
  const TensorView y = at.input(1);
  const Loss loss = loss_of(at.constants(), at.has_input(2) ? at.input(2) : TensorView{});
  const std::span<const float> dloss = at.output_gradient().flat();
  float divisor = 1.0f;
  if (loss.reduction == Reduction::mean) {
    kernels::LossReduction total;
    for_each_row(x, y, [&](std::span<const float>, int target, std::size_t) {
      total.add(0.0f, kernels::target_weight(target, loss.options));
    });
    divisor = total.weight();
  }
  const std::span<float> dx = at.input_gradient(0);
  for_each_row(x, y, [&](std::span<const float> row, int target, std::size_t n) {
    const float g = loss.reduction == Reduction::none ? dloss[n] : dloss[0] / divisor;
    kernels::cross_entropy_row_backward(row, target, loss.options, g, dx.subspan(n * row.size(), row.size()));
  });
}

}  // namespace attn::tape
