#include "tape/explain.h"

#include <algorithm>
#include <cmath>

#include "kernels/activation.h"
#include "kernels/layer_norm.h"
#include "kernels/scalar_math.h"
#include "kernels/softmax.h"

namespace attn::tape {
namespace {

using core::TensorView;
using Index = std::array<int, 4>;

constexpr Element kAbsent{{}, {}, -1, 0.0f};

int offset_of(const core::Shape& shape, const Index& index) {
  int offset = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int position = index[static_cast<std::size_t>(axis)];
    ATTN_CHECK(position >= 0 && position < shape[axis]);
    offset = offset * shape[axis] + position;
  }
  return offset;
}

Element element_of(const Tape& tape, Value value, const Index& index) {
  const Entry& entry = tape.entry(value);
  return {entry.label, index, entry.value.shape.rank(),
          entry.value.values[offset_of(entry.value.shape, index)]};
}

/// As element_of; a looked-up row nobody named is called by its place in the table.
Element named_operand(const Tape& tape, Value value, const Index& index) {
  const Entry& entry = tape.entry(value);
  if (entry.op != Op::lookup || entry.label.site != Site::unnamed) return element_of(tape, value, index);
  const int id = static_cast<int>(tape.tensor(entry.inputs[1]).values[index[0]]);
  return element_of(tape, entry.inputs[0], {id, index[1]});
}

Term product(const Element& a, const Element& b) { return {a, b, a.value * b.value}; }

float sum_of(const std::vector<Term>& terms) {
  float total = 0.0f;
  for (const Term& term : terms) total += term.contribution;
  return total;
}

void explain_linear(const Tape& tape, const Entry& entry, const Index& index, Explanation& explanation) {
  const int width = tape.tensor(entry.inputs[0]).shape[1];
  for (int k = 0; k < width; ++k)
    explanation.terms.push_back(product(element_of(tape, entry.inputs[0], {index[0], k}),
                                        element_of(tape, entry.inputs[1], {index[1], k})));
  explanation.form = Form::sum_of_products;
  explanation.bias = element_of(tape, entry.inputs[2], {index[1]});
  explanation.total = sum_of(explanation.terms);
}

void explain_scores(const Tape& tape, const Entry& entry, const Index& index, Explanation& explanation) {
  const int d_k = tape.tensor(entry.inputs[0]).shape[2];
  for (int d = 0; d < d_k; ++d)
    explanation.terms.push_back(product(element_of(tape, entry.inputs[0], {index[0], index[1], d}),
                                        element_of(tape, entry.inputs[1], {index[0], index[2], d})));
  explanation.form = Form::scaled_products;
  explanation.total = sum_of(explanation.terms);
  explanation.divisor = entry.constants[0];
  explanation.divisor_squared = d_k;
}

void explain_context(const Tape& tape, const Entry& entry, const Index& index, Explanation& explanation) {
  const int sources = tape.tensor(entry.inputs[0]).shape[2];
  for (int s = 0; s < sources; ++s)
    explanation.terms.push_back(product(element_of(tape, entry.inputs[0], {index[0], index[1], s}),
                                        element_of(tape, entry.inputs[1], {index[0], s, index[2]})));
  explanation.form = Form::sum_of_products;
  explanation.total = sum_of(explanation.terms);
}

/// The total is summed as kernels/softmax.h documents it: four lanes by column,
/// counted from the first visible one, then (0 + 1) + (2 + 3).
void explain_softmax(const Tape& tape, const Entry& entry, const Index& index, Explanation& explanation) {
  const core::ConstMatrix mask = core::as_matrix(tape.tensor(entry.inputs[1]));
  const float* visible = mask.row(index[1]);
  bool any = false;
  for (int s = 0; s < mask.columns; ++s) {
    if (visible[s] == 0.0f) continue;
    if (s == index[2]) explanation.chosen = static_cast<int>(explanation.terms.size());
    explanation.terms.push_back({element_of(tape, entry.inputs[0], {index[0], index[1], s}), kAbsent, 0.0f});
    const float score = explanation.terms.back().a.value;
    explanation.maximum = any ? std::max(explanation.maximum, score) : score;
    any = true;
  }
  explanation.form = explanation.chosen >= 0 ? Form::softmax : any ? Form::masked : Form::no_visible_key;
  std::array<float, 4> lanes{};
  for (Term& term : explanation.terms) {
    term.contribution = kernels::exp(term.a.value - explanation.maximum);
    const int from_first = term.a.index[2] - explanation.terms.front().a.index[2];
    lanes[static_cast<std::size_t>(from_first % 4)] += term.contribution;
  }
  explanation.total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  explanation.divisor = explanation.total;
}

void explain_layer_norm(const Tape& tape, const Entry& entry, const Index& index, Explanation& explanation) {
  const core::ConstMatrix rows = core::as_matrix(tape.tensor(entry.inputs[0]));
  const kernels::RowStatistics statistics = kernels::row_statistics(
      {rows.row(index[0]), static_cast<std::size_t>(rows.columns)}, entry.constants[0]);
  explanation.form = Form::layer_norm;
  explanation.terms.push_back({element_of(tape, entry.inputs[0], index), kAbsent, 0.0f});
  explanation.scale = element_of(tape, entry.inputs[1], {index[1]});
  explanation.bias = element_of(tape, entry.inputs[2], {index[1]});
  explanation.mean = statistics.mean;
  explanation.divisor = statistics.deviation;
}

void explain_terms(const Tape& tape, const Entry& entry, const Index& index, Explanation& explanation) {
  switch (entry.op) {
    case Op::leaf:
      return;
    case Op::lookup: {
      const int id = static_cast<int>(tape.tensor(entry.inputs[1]).values[index[0]]);
      explanation.form = Form::copied;
      explanation.terms.push_back({element_of(tape, entry.inputs[0], {id, index[1]}), kAbsent, 0.0f});
      explanation.terms.back().contribution = explanation.terms.back().a.value;
      return;
    }
    case Op::linear:
      return explain_linear(tape, entry, index, explanation);
    case Op::split_heads: {
      const int d = entry.value.shape[2];
      return explain_terms(tape, tape.entry(entry.inputs[0]), {index[1], index[0] * d + index[2]},
                           explanation);
    }
    case Op::merge_heads: {
      const int d = tape.tensor(entry.inputs[0]).shape[2];
      return explain_terms(tape, tape.entry(entry.inputs[0]), {index[1] / d, index[0], index[1] % d},
                           explanation);
    }
    case Op::scores:
      return explain_scores(tape, entry, index, explanation);
    case Op::softmax:
      return explain_softmax(tape, entry, index, explanation);
    case Op::context:
      return explain_context(tape, entry, index, explanation);
    case Op::add:
      explanation.form = Form::plain_sum;
      for (int i = 0; i < 2; ++i) {
        const Element operand = named_operand(tape, entry.inputs[static_cast<std::size_t>(i)], index);
        explanation.terms.push_back({operand, kAbsent, operand.value});
      }
      return;
    case Op::layer_norm:
      return explain_layer_norm(tape, entry, index, explanation);
    case Op::relu:
    case Op::gelu:
      explanation.form = entry.op == Op::relu ? Form::relu : Form::gelu;
      explanation.terms.push_back({element_of(tape, entry.inputs[0], index), kAbsent, 0.0f});
      return;
  }
}

}  // namespace

Explanation explain(const Tape& tape, Value value, std::array<int, 4> index) {
  Explanation explanation;
  explanation.bias = kAbsent;
  explanation.scale = kAbsent;
  explanation.result = element_of(tape, value, index);
  explain_terms(tape, tape.entry(value), index, explanation);
  return explanation;
}

float recompute(const Explanation& explanation) {
  const std::vector<Term>& terms = explanation.terms;
  switch (explanation.form) {
    case Form::given:
      return explanation.result.value;
    case Form::copied:
      return terms[0].a.value;
    case Form::sum_of_products:
      return explanation.bias.rank < 0 ? sum_of(terms) : sum_of(terms) + explanation.bias.value;
    case Form::scaled_products:
      return sum_of(terms) / explanation.divisor;
    case Form::softmax:
      return terms[static_cast<std::size_t>(explanation.chosen)].contribution / explanation.divisor;
    case Form::no_visible_key:
    case Form::masked:
      return 0.0f;
    case Form::plain_sum:
      return terms[0].a.value + terms[1].a.value;
    case Form::layer_norm:
      return (terms[0].a.value - explanation.mean) / explanation.divisor * explanation.scale.value +
             explanation.bias.value;
    case Form::relu:
    case Form::gelu: {
      float result = 0.0f;
      const float input = terms[0].a.value;
      if (explanation.form == Form::relu)
        kernels::relu({&input, 1}, {&result, 1});
      else
        kernels::gelu({&input, 1}, {&result, 1});
      return result;
    }
  }
  return 0.0f;
}

}  // namespace attn::tape
