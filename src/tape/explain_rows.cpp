// Explanations of ops on rows: scale, dropout, RMS norm, rotary embedding, log-softmax, loss.
#include <algorithm>

#include "kernels/cross_entropy.h"
#include "kernels/dropout.h"
#include "kernels/rms_norm.h"
#include "kernels/rope.h"
#include "kernels/scalar_math.h"
#include "tape/broadcast.h"
#include "tape/explain_cell.h"

namespace attn::tape {
namespace {

using core::TensorView;
using kernels::Reduction;
using Index = std::array<int, 4>;

/// The index of element `flat` of a tensor.
Index index_at(const core::Shape& shape, int flat) {
  Index index{};
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[static_cast<std::size_t>(axis)] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

}  // namespace

void explain_rms_norm(const Cell& cell, Explanation& explanation) {
  const TensorView x = cell.operand(0);
  const int column = cell.at(-1);
  const int row = (offset_of(x.shape, cell.index) - column) / x.shape[-1];
  explanation.form = Form::rms_norm;
  explanation.terms.push_back(alone(cell.element(0, cell.index)));
  explanation.scale = cell.element(1, {column});
  explanation.divisor = kernels::root_mean_square(
      {core::as_rows(x).row(row), static_cast<std::size_t>(x.shape[-1])}, cell.entry.constants[0]);
}

void explain_scale(const Cell& cell, Explanation& explanation) {
  explanation.form = Form::scaled;
  explanation.terms.push_back(alone(cell.named_element(0, cell.index)));
  explanation.constant = cell.entry.constants[0];
}

void explain_dropout(const Cell& cell, Explanation& explanation) {
  const TensorView keep = cell.operand(1);
  explanation.terms.push_back(alone(cell.element(0, cell.index)));
  explanation.form = keep.values[offset_of(keep.shape, cell.index)] == 1.0f ? Form::scaled : Form::dropped;
  explanation.constant = kernels::dropout_factor(cell.entry.constants[0]);
}

void explain_rope(const Cell& cell, Explanation& explanation) {
  const core::Shape& angles = cell.operand(1).shape;
  const int half = angles[-1];
  const int column = cell.at(-1);
  if (column >= 2 * half) return explain_copy(cell.element(0, cell.index), explanation);
  const bool interleaved = cell.entry.constants[0] == static_cast<float>(kernels::RotaryLayout::interleaved);
  const int pair = interleaved ? column / 2 : column % half;
  const int first = interleaved ? 2 * pair : pair;
  const int second = interleaved ? 2 * pair + 1 : half + pair;
  const Index place = broadcast_index(angles, cell.entry.value.shape.with(-1, half), cell.with(pair));
  const Element a = cell.element(0, cell.with(first));
  const Element b = cell.element(0, cell.with(second));
  explanation.form = Form::rotated;
  explanation.negative = column == first;
  const int of_a = explanation.negative ? 1 : 2;  // which of cosines and sines multiplies a
  explanation.terms.push_back(product(a, cell.element(of_a, place)));
  explanation.terms.push_back(product(b, cell.element(3 - of_a, place)));
}

/// The total is summed as kernels/softmax_axis.h documents it: four lanes by column, then (0 + 1) + (2 + 3).
void explain_log_softmax(const Cell& cell, Explanation& explanation) {
  const int columns = cell.operand(0).shape[-1];
  explanation.form = Form::log_softmax;
  explanation.chosen = cell.at(-1);
  for (int j = 0; j < columns; ++j) {
    explanation.terms.push_back(alone(cell.element(0, cell.with(j))));
    const float value = explanation.terms.back().a.value;
    explanation.maximum = j == 0 ? value : std::max(explanation.maximum, value);
  }
  std::array<float, 4> lanes{};
  for (std::size_t j = 0; j < explanation.terms.size(); ++j) {
    Term& term = explanation.terms[j];
    term.contribution = kernels::exp(term.a.value - explanation.maximum);
    lanes[j % 4] += term.contribution;
  }
  explanation.total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

void explain_cross_entropy(const Cell& cell, Explanation& explanation) {
  const TensorView logits = cell.operand(0);
  const TensorView targets = cell.operand(1);
  const int classes = logits.shape[-1];
  kernels::CrossEntropyOptions options{.ignore_index = static_cast<int>(cell.entry.constants[0]),
                                       .label_smoothing = cell.entry.constants[1]};
  if (cell.input(2).valid()) options.class_weights = cell.operand(2).flat();
  const auto reduction = static_cast<Reduction>(static_cast<int>(cell.entry.constants[2]));
  const int chosen = reduction == Reduction::none ? offset_of(targets.shape, cell.index) : -1;
  kernels::LossReduction total;
  for (int n = 0; n < targets.size(); ++n) {
    if (chosen >= 0 && n != chosen) continue;
    const int target = static_cast<int>(targets.values[n]);
    const bool ignored = target == options.ignore_index;
    const Element logit = cell.element(0, index_at(logits.shape, n * classes + (ignored ? 0 : target)));
    const auto width = static_cast<std::size_t>(classes);
    const float loss = kernels::cross_entropy_row(
        logits.flat().subspan(static_cast<std::size_t>(n) * width, width), target, options);
    explanation.terms.push_back({logit, kAbsent, loss});
    total.add(loss, kernels::target_weight(target, options));
  }
  explanation.form = Form::loss;
  explanation.total = total.sum();
  if (reduction == Reduction::mean) explanation.divisor = total.weight();
}

}  // namespace attn::tape
