#include "tape/explain.h"

#include <algorithm>
#include <cmath>

#include "kernels/layer_norm.h"
#include "kernels/scalar_math.h"
#include "tape/broadcast.h"
#include "tape/explain_cell.h"

namespace attn::tape {
namespace {

using core::TensorView;
using Index = std::array<int, 4>;

void explain_linear(const Cell& cell, Explanation& explanation) {
  const int width = cell.operand(0).shape[-1];
  const int column = cell.at(-1);
  for (int k = 0; k < width; ++k)
    explanation.terms.push_back(product(cell.element(0, cell.with(k)), cell.element(1, {column, k})));
  explanation.form = Form::sum_of_products;
  if (cell.input(2).valid()) explanation.bias = cell.element(2, {column});
  explanation.total = sum_of(explanation.terms);
}

/// Which key or value head query head h looks at.
int key_head(const Cell& cell, int i) {
  const int group = cell.entry.value.shape[-3] / cell.operand(i).shape[-3];
  return cell.at(-3) / group;
}

void explain_scores(const Cell& cell, Explanation& explanation) {
  const int d_k = cell.operand(0).shape[-1];
  const int key = key_head(cell, 1);
  for (int d = 0; d < d_k; ++d)
    explanation.terms.push_back(
        product(cell.element(0, cell.with(d)), cell.element(1, cell.with(key, cell.at(-1), d))));
  explanation.form = Form::scaled_products;
  explanation.total = sum_of(explanation.terms);
  explanation.divisor = cell.entry.constants[0];
  const bool is_root = explanation.divisor == std::sqrt(static_cast<float>(d_k));
  explanation.divisor_squared = is_root ? d_k : 0;
}

void explain_context(const Cell& cell, Explanation& explanation) {
  const int sources = cell.operand(0).shape[-1];
  const int value = key_head(cell, 1);
  for (int s = 0; s < sources; ++s)
    explanation.terms.push_back(
        product(cell.element(0, cell.with(s)), cell.element(1, cell.with(value, s, cell.at(-1)))));
  explanation.form = Form::sum_of_products;
  explanation.total = sum_of(explanation.terms);
}

bool is_masked(const Cell& cell, const Index& place) {
  if (!cell.input(1).valid()) return false;
  const TensorView mask = cell.operand(1);
  return mask.values[offset_of(mask.shape, broadcast_index(mask.shape, cell.entry.value.shape, place))] ==
         0.0f;
}

/// The total is summed as kernels/softmax.h documents it: four lanes by the column counted from the first
/// visible one, then (0 + 1) + (2 + 3).
void explain_softmax(const Cell& cell, Explanation& explanation) {
  const int sources = cell.operand(0).shape[-1];
  std::vector<int> columns;
  for (int s = 0; s < sources; ++s) {
    const Index place = cell.with(s);
    if (is_masked(cell, place)) continue;
    if (s == cell.at(-1)) explanation.chosen = static_cast<int>(columns.size());
    explanation.terms.push_back(alone(cell.element(0, place)));
    const float score = explanation.terms.back().a.value;
    explanation.maximum = columns.empty() ? score : std::max(explanation.maximum, score);
    columns.push_back(s);
  }
  explanation.form = explanation.chosen >= 0 ? Form::softmax
                     : columns.empty()       ? Form::no_visible_key
                                             : Form::masked;
  std::array<float, 4> lanes{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Term& term = explanation.terms[i];
    term.contribution = kernels::exp(term.a.value - explanation.maximum);
    lanes[static_cast<std::size_t>((columns[i] - columns[0]) % 4)] += term.contribution;
  }
  explanation.total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  explanation.divisor = explanation.total;
}

void explain_add(const Cell& cell, Explanation& explanation) {
  explanation.form = Form::plain_sum;
  explanation.terms.push_back(alone(cell.named_element(0, cell.index)));
  const Index place = broadcast_index(cell.operand(1).shape, cell.entry.value.shape, cell.index);
  explanation.terms.push_back(alone(cell.named_element(1, place)));
}

void explain_subtract(const Cell& cell, Explanation& explanation) {
  explanation.form = Form::difference;
  for (const int i : {0, 1}) explanation.terms.push_back(alone(cell.named_element(i, cell.index)));
}

void explain_mean_heads(const Cell& cell, Explanation& explanation) {
  const int n_heads = cell.operand(0).shape[-3];
  for (int h = 0; h < n_heads; ++h)
    explanation.terms.push_back(alone(cell.element(0, cell.with(h, cell.at(-2), cell.at(-1)))));
  explanation.form = Form::scaled_products;
  explanation.total = sum_of(explanation.terms);
  explanation.divisor = static_cast<float>(n_heads);
}

void explain_divide_rows(const Cell& cell, Explanation& explanation) {
  explanation.form = Form::scaled_products;
  explanation.terms.push_back(alone(cell.element(0, cell.index)));
  explanation.total = sum_of(explanation.terms);
  const core::Shape& shape = cell.entry.value.shape;
  explanation.divisor = cell.operand(1).values[offset_of(shape, cell.index) / shape[-1]];
}

void explain_layer_norm(const Cell& cell, Explanation& explanation) {
  const TensorView x = cell.operand(0);
  const int column = cell.at(-1);
  const int row = (offset_of(x.shape, cell.index) - column) / x.shape[-1];
  const kernels::RowStatistics statistics = kernels::row_statistics(
      {core::as_rows(x).row(row), static_cast<std::size_t>(x.shape[-1])}, cell.entry.constants[0]);
  explanation.form = Form::layer_norm;
  explanation.terms.push_back(alone(cell.element(0, cell.index)));
  explanation.scale = cell.element(1, {column});
  explanation.bias = cell.element(2, {column});
  explanation.mean = statistics.mean;
  explanation.divisor = statistics.deviation;
}

void explain_function(const Cell& cell, Explanation& explanation) {
  explanation.form = cell.entry.op == Op::relu   ? Form::relu
                     : cell.entry.op == Op::gelu ? Form::gelu
                                                 : Form::function;
  explanation.terms.push_back(alone(cell.element(0, cell.index)));
  explanation.constant = cell.entry.constants[0];
}

void explain_concatenate(const Cell& cell, Explanation& explanation) {
  const int first_rows = cell.operand(0).shape[-2];
  const int row = cell.at(-2);
  if (row < first_rows) return explain_copy(cell.element(0, cell.index), explanation);
  const core::Shape& shape = cell.operand(1).shape;
  const Index place = cell.with(row - first_rows, cell.at(-1));
  explain_copy(cell.element(1, broadcast_index(shape, cell.entry.value.shape.with(-2, shape[-2]), place)),
               explanation);
}

void explain_terms(const Cell& cell, Explanation& explanation) {
  explanation.op = cell.entry.op;
  switch (cell.entry.op) {
    case Op::leaf:
      return;
    case Op::lookup:
      return explain_copy(cell.element(0, {cell.token(), cell.at(-1)}), explanation);
    case Op::linear:
      return explain_linear(cell, explanation);
    case Op::split_heads:  // a copy explains as what was copied, under its own name
    case Op::merge_heads:
    case Op::transpose:
      return explain_terms({cell.tape, cell.tape.entry(cell.input(0)), copied_from(cell)}, explanation);
    case Op::concatenate:
      return explain_concatenate(cell, explanation);
    case Op::scores:
      return explain_scores(cell, explanation);
    case Op::softmax:
      return explain_softmax(cell, explanation);
    case Op::context:
      return explain_context(cell, explanation);
    case Op::add:
      return explain_add(cell, explanation);
    case Op::subtract:
      return explain_subtract(cell, explanation);
    case Op::mean_heads:
      return explain_mean_heads(cell, explanation);
    case Op::divide_rows:
      return explain_divide_rows(cell, explanation);
    case Op::layer_norm:
      return explain_layer_norm(cell, explanation);
    case Op::relu:
    case Op::gelu:
    case Op::softcap:
    case Op::gelu_tanh:
    case Op::silu:
    case Op::tanh:
    case Op::sigmoid:
      return explain_function(cell, explanation);
    case Op::rms_norm:
      return explain_rms_norm(cell, explanation);
    case Op::scale:
      return explain_scale(cell, explanation);
    case Op::dropout:
      return explain_dropout(cell, explanation);
    case Op::replace:  // what is given explains nothing; the rest is as if nothing were
      if (cell.operand(2).values[offset_of(cell.entry.value.shape, cell.index)] != 0.0f) return;
      return explain_terms({cell.tape, cell.tape.entry(cell.input(0)), cell.index}, explanation);
    case Op::rope:
      return explain_rope(cell, explanation);
    case Op::log_softmax:
      return explain_log_softmax(cell, explanation);
    case Op::cross_entropy:
      return explain_cross_entropy(cell, explanation);
  }
}

}  // namespace

Explanation explain(const Tape& tape, Value value, std::array<int, 4> index) {
  const Entry& entry = tape.entry(value);
  Explanation explanation;
  explanation.bias = kAbsent;
  explanation.scale = kAbsent;
  explanation.result = {entry.label, index, entry.value.shape.rank(),
                        entry.value.values[offset_of(entry.value.shape, index)]};
  explain_terms({tape, entry, index}, explanation);
  return explanation;
}

}  // namespace attn::tape
