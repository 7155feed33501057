// From an explanation back to the number.
#include <array>
#include <span>

#include "kernels/activation.h"
#include "kernels/scalar_math.h"
#include "tape/explain.h"

namespace attn::tape {
namespace {

float sum_of(const std::vector<Term>& terms) {
  float total = 0.0f;
  for (const Term& term : terms) total += term.contribution;
  return total;
}

using Span = std::span<const float>;

/// An elementwise function of the tape: its name in formulas and its kernel.
struct Function {
  Op op;
  std::string_view name;
  void (*apply)(Span x, float constant, std::span<float> out);
};

constexpr Function kFunctions[] = {
    {Op::relu, "relu", [](Span x, float, std::span<float> out) { kernels::relu(x, out); }},
    {Op::gelu, "gelu", [](Span x, float, std::span<float> out) { kernels::gelu(x, out); }},
    {Op::gelu_tanh, "gelu", [](Span x, float, std::span<float> out) { kernels::gelu_tanh(x, out); }},
    {Op::silu, "silu", [](Span x, float, std::span<float> out) { kernels::silu(x, out); }},
    {Op::tanh, "tanh", [](Span x, float, std::span<float> out) { kernels::tanh(x, out); }},
    {Op::sigmoid, "sigmoid", [](Span x, float, std::span<float> out) { kernels::sigmoid(x, out); }},
    {Op::softcap, "softcap", [](Span x, float cap, std::span<float> out) { kernels::softcap(x, cap, out); }},
};

const Function* function_of(Op op) {
  for (const Function& function : kFunctions)
    if (function.op == op) return &function;
  return nullptr;
}

float function_value(const Explanation& explanation) {
  const Function* function = function_of(explanation.op);
  ATTN_CHECK(function != nullptr);
  float result = 0.0f;
  function->apply({&explanation.terms[0].a.value, 1}, explanation.constant, {&result, 1});
  return result;
}

/// Losses as kernels/cross_entropy.h sums them: four lanes by row.
float mean_loss(const Explanation& explanation) {
  std::array<float, 4> lanes{};
  for (std::size_t n = 0; n < explanation.terms.size(); ++n)
    lanes[n % 4] += explanation.terms[n].contribution;
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) / explanation.divisor;
}

}  // namespace

std::string_view function_name(Op op) {
  const Function* function = function_of(op);
  return function != nullptr ? function->name : std::string_view();
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
    case Form::dropped:
      return 0.0f;
    case Form::scaled:
      return terms[0].a.value * explanation.constant;
    case Form::rotated:
      return explanation.negative ? terms[0].contribution - terms[1].contribution
                                  : terms[0].contribution + terms[1].contribution;
    case Form::rms_norm:
      return terms[0].a.value / explanation.divisor * explanation.scale.value;
    case Form::log_softmax:
      return terms[static_cast<std::size_t>(explanation.chosen)].a.value - explanation.maximum -
             static_cast<float>(kernels::log(static_cast<double>(explanation.total)));
    case Form::loss:
      return mean_loss(explanation);
    case Form::plain_sum:
      return terms[0].a.value + terms[1].a.value;
    case Form::difference:
      return terms[0].a.value - terms[1].a.value;
    case Form::layer_norm:
      return (terms[0].a.value - explanation.mean) / explanation.divisor * explanation.scale.value +
             explanation.bias.value;
    case Form::relu:
    case Form::gelu:
    case Form::function:
      return function_value(explanation);
  }
  return 0.0f;
}

}  // namespace attn::tape
