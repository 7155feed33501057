#include "conformance/graph.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "conformance/errors.h"
#include "conformance/graph_parser.h"
#include "conformance/json_tensor.h"

namespace attn::conformance {
namespace {

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name(char c) { return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// "name =" (not "==") at the beginning of `text`, white space before it skipped: the length, or 0.
std::size_t assignment_length(std::string_view text, std::string& name) {
  std::size_t at = 0;
  while (at < text.size() && text[at] == ' ') ++at;
  const std::size_t first = at;
  while (at < text.size() && (at == first ? is_name_start(text[at]) : is_name(text[at]))) ++at;
  if (at == first) return 0;
  name = text.substr(first, at - first);
  while (at < text.size() && text[at] == ' ') ++at;
  if (at + 1 >= text.size() || text[at] != '=' || text[at + 1] == '=') return 0;
  return at + 1;
}

}  // namespace

std::vector<Statement> statements_of(const std::string& text) {
  std::vector<Statement> statements;
  int depth = 0;
  std::string part;
  const auto finish = [&] {
    std::string name;
    if (const std::size_t length = assignment_length(part, name); length > 0)
      statements.push_back({name, part.substr(length)});
    part.clear();
  };
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth == 0 && (c == ';' || c == ',')) {
      finish();
    } else {
      part += c;
    }
  }
  finish();
  return statements;
}

Graph::Graph(const std::map<std::string, FloatArray>& variables,
             const std::map<std::string, FloatArray>& constants) {
  for (const auto& [name, array] : variables) {
    values_[name] = record(array);
    variables_[name] = array.extents;
  }
  for (const auto& [name, array] : constants) {
    values_[name] = record(array);
    constants_[name] = array.extents;
  }
}

tape::Value Graph::record(const FloatArray& array) {
  CONFORMANCE_REQUIRE(array.extents.size() <= 2, "a graph of tensors with more than two axes");
  core::Shape shape = shape_of(array.extents);
  if (shape.rank() == 2) shape = core::Shape{1, shape[0], shape[1]};
  return tape_.leaf(array.view_as(shape), {});
}

bool Graph::depends_on_variables(tape::Value value) const {
  if (!value.valid()) return false;
  for (const auto& [name, extents] : variables_)
    if (values_.at(name) == value) return true;
  const std::array<tape::Value, 3>& inputs = tape_.entry(value).inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](tape::Value input) { return depends_on_variables(input); });
}

void Graph::run(const std::vector<Statement>& statements) {
  bool has_loss = false;
  for (const Statement& statement : statements) {
    if (variables_.contains(statement.name) || constants_.contains(statement.name)) continue;
    GraphParser parser(*this, statement.expression);
    if (statement.name != "L") {
      values_[statement.name] = parser.expression();
      continue;
    }
    CONFORMANCE_REQUIRE(!has_loss, "the graph has two losses");
    has_loss = true;
    const GraphParser::Loss loss = parser.loss();
    // What a sum or a mean, of squares perhaps, hands back to each element.
    const core::TensorView of = tape_.tensor(loss.of);
    const float share = loss.mean ? 1.0f / static_cast<float>(of.size()) : 1.0f;
    std::vector<float> seed(static_cast<std::size_t>(of.size()), share);
    for (std::size_t i = 0; i < seed.size() && loss.squared; ++i) seed[i] *= 2.0f * of.values[i];
    tape::backward(tape_, loss.of, seed, gradients_);
  }
  CONFORMANCE_REQUIRE(has_loss, "the graph has no loss L");
}

FloatArray Graph::gradient(const std::string& name) const {
  const core::TensorView gradient = gradients_.of(values_.at(name));
  FloatArray result(variables_.at(name));
  if (gradient.values != nullptr) result.values.assign(gradient.flat().begin(), gradient.flat().end());
  return result;
}

bool constant_of(const std::string& expression, FloatArray& value) {
  const Json parsed = Json::parse(expression, nullptr, false);
  if (parsed.is_discarded() || !(parsed.is_number() || parsed.is_array())) return false;
  value = floats_of(array_of_lists(parsed, expression), expression.c_str());
  return true;
}

}  // namespace attn::conformance
