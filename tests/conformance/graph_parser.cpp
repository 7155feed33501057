#include "conformance/graph_parser.h"

#include <cctype>

#include "conformance/errors.h"
#include "tape/ops.h"

namespace attn::conformance {
namespace {

using tape::Value;

struct Function {
  std::string_view name;
  Value (*op)(tape::Tape&, Value, tape::Label);
};

constexpr Function kFunctions[] = {
    {"relu", tape::relu},           {"gelu", tape::gelu},       {"gelu_erf", tape::gelu},
    {"gelu_tanh", tape::gelu_tanh}, {"sigmoid", tape::sigmoid}, {"silu", tape::silu},
    {"tanh", tape::tanh},
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

Value GraphParser::expression() {
  const Value value = plain(sum());
  expect_end();
  return value;
}

GraphParser::Loss GraphParser::loss() {
  const std::string function = word();
  if (function != "sum" && function != "mean") fail("L is not a sum or a mean");
  expect('(');
  const Factor value = sum();
  expect(')');
  expect_end();
  if (value.is_transposed) fail("a transposed matrix");
  return {value.value, function == "mean", value.is_squared};
}

void GraphParser::expect_end() {
  if (next() != '\0' && next() != '(' && !is_letter(next())) fail("not an expression");
}

/// Neither transposed nor squared.
Value GraphParser::plain(const Factor& factor) const {
  if (factor.is_transposed) fail("a transposed matrix that is not the right of a product");
  if (factor.is_squared) fail("a square that is not summed at once");
  return factor.value;
}

GraphParser::Factor GraphParser::sum() {
  Factor value = product();
  for (;;) {
    const bool plus = accept('+');
    if (!plus && !accept('-')) return value;
    const Value right = plain(product());
    value = {add(plain(value), plus ? right : negative(right))};
  }
}

GraphParser::Factor GraphParser::product() {
  Factor value = factor();
  while (accept('@')) value = {matrix_product(plain(value), factor())};
  if (next() == '*') fail("products of elements are not known");
  return value;
}

GraphParser::Factor GraphParser::factor() {
  if (accept('-')) return {negative(plain(factor()))};
  Factor result{atom()};
  while (accept('^')) {
    if (result.is_transposed || result.is_squared) fail("two exponents");
    result.is_transposed = accept('T');
    result.is_squared = !result.is_transposed;
    if (result.is_squared) expect('2');
  }
  return result;
}

Value GraphParser::atom() {
  const char c = next();
  if (c == '[' || c == '.' || is_digit(c)) return number_or_list();
  if (accept('(')) {
    const Value value = plain(sum());
    expect(')');
    return value;
  }
  if (!is_letter(c)) fail("not an expression");
  const std::string name = word();
  if (const auto found = graph_.values_.find(name); found != graph_.values_.end()) return found->second;
  if (!accept('(')) fail("'" + name + "' has no value");
  return call(name);
}

Value GraphParser::call(const std::string& function) {
  const Value x = plain(sum());
  constexpr int kRank = 2;  // of a matrix as it is written
  if (function == "softmax" || function == "log_softmax") {
    int axis = -1;
    if (accept(',')) {
      const std::string name = word();
      if (name != "dim" && name != "axis") fail("softmax has one more argument: dim");
      expect('=');
      const bool minus = accept('-');
      if (!is_digit(next())) fail("dim must be a number");
      axis = (minus ? -1 : 1) * (text_[at_++] - '0');
    }
    expect(')');
    if (normalised_axis(axis, kRank) != kRank - 1) fail("softmax over another axis than the last");
    return function == "softmax" ? tape::softmax(graph_.tape_, x, {}, {})
                                 : tape::log_softmax(graph_.tape_, x, {});
  }
  expect(')');
  for (const Function& each : kFunctions)
    if (each.name == function) return each.op(graph_.tape_, x, {});
  fail("the function '" + function + "' is not known");
}

Value GraphParser::number_or_list() {
  const std::size_t first = at_;
  int depth = 0;
  do {
    if (text_[at_] == '[') ++depth;
    if (text_[at_] == ']') --depth;
    ++at_;
  } while (at_ < text_.size() &&
           (depth > 0 || is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == 'e'));
  FloatArray value;
  if (!constant_of(std::string(text_.substr(first, at_ - first)), value)) fail("not a number or a list");
  return graph_.record(value);
}

/// The tape has no minus: a constant is recorded anew.
Value GraphParser::negative(Value value) {
  if (graph_.depends_on_variables(value)) fail("minus something that is differentiated");
  const core::TensorView tensor = graph_.tape_.tensor(value);
  std::vector<float> values(tensor.flat().begin(), tensor.flat().end());
  for (float& each : values) each = -each;
  return graph_.tape_.leaf({values.data(), tensor.shape}, {});
}

Value GraphParser::add(Value a, Value b) {
  const Extents left = extents_of(graph_.tape_.tensor(a).shape);
  const Extents right = extents_of(graph_.tape_.tensor(b).shape);
  const Extents both = broadcast_extents(left, right);
  if (both == left) return tape::add(graph_.tape_, a, b, {});
  if (both == right) return tape::add(graph_.tape_, b, a, {});
  fail("both sides of a sum would have to be repeated");
}

/// a·b is what attention does with weights and values, a·bᵀ what it does with queries and keys.
Value GraphParser::matrix_product(Value a, const Factor& b) {
  if (b.is_squared) fail("a square that is not summed at once");
  tape::Tape& tape = graph_.tape_;
  const core::Shape left = tape.tensor(a).shape;
  const core::Shape right = tape.tensor(b.value).shape;
  if (left.rank() != 3 || right.rank() != 3) fail("a matrix product of something else than matrices");
  if (left[2] != right[b.is_transposed ? 2 : 1]) fail("a matrix product of matrices that do not fit");
  return b.is_transposed ? tape::scores(tape, a, b.value, 1.0f, {}) : tape::context(tape, a, b.value, {});
}

char GraphParser::next() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool GraphParser::accept(char c) {
  if (next() != c) return false;
  ++at_;
  return true;
}

void GraphParser::expect(char c) {
  if (!accept(c)) fail("'" + std::string(1, c) + "' is missing");
}

std::string GraphParser::word() {
  next();
  const std::size_t first = at_;
  while (at_ < text_.size() && (is_letter(text_[at_]) || (at_ > first && is_digit(text_[at_])))) ++at_;
  return std::string(text_.substr(first, at_ - first));
}

void GraphParser::fail(const std::string& what) const {
  malformed("graph '%s': %s, at character %zu", std::string(text_).c_str(), what.c_str(), at_);
}

}  // namespace attn::conformance
