// The little formulas in which the literals of other projects state what was differentiated:
//
//   "X = A@gelu_erf(B); L = sum(A@X)"        "y = X@W^T + b, L = sum((y - (X@[[3,1]]^T - 2))^2), W=[[0,0]],
//   b=0"
//
// Statements `name = expression` stand between ';' or ','; after an expression prose may follow ("one
// optimiser step per X"), which is left alone. Expressions have + - @ (matrix product), ^T, numbers,
// [[lists]], names, and the functions of the table in graph_parser.cpp. L must be a sum or a mean, of squares
// perhaps. Everything is recorded with ops of the tape, which then gives the gradients; what has no op there
// is malformed (products of elements, minus something that is differentiated).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/array.h"
#include "tape/backward.h"
#include "tape/tape.h"

namespace attn::conformance {

/// The statements of a text: name and expression, in order.
struct Statement {
  std::string name;
  std::string expression;
};
std::vector<Statement> statements_of(const std::string& text);

class Graph {
 public:
  /// `variables` are differentiated, `constants` are not.
  Graph(const std::map<std::string, FloatArray>& variables,
        const std::map<std::string, FloatArray>& constants);

  /// Evaluates the statements in order, one of which must be L; one that gives an input its value ("b=0") is
  /// skipped.
  void run(const std::vector<Statement>& statements);

  /// dL/d(variable); zeros when L does not depend on it.
  FloatArray gradient(const std::string& name) const;

 private:
  friend class GraphParser;

  /// A matrix is recorded as the matrix of one head, (1, rows, columns): the tape multiplies heads.
  tape::Value record(const FloatArray& array);
  bool depends_on_variables(tape::Value value) const;

  tape::Tape tape_;
  tape::Gradients gradients_;
  std::map<std::string, tape::Value> values_;
  std::map<std::string, Extents> variables_;
  std::map<std::string, Extents> constants_;
};

/// The value of an expression without names: the "[[0,0]]" of "W=[[0,0]]". False if it has names.
bool constant_of(const std::string& expression, FloatArray& value);

}  // namespace attn::conformance
