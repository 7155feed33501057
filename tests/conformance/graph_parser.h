// Recursive descent over one expression of a graph; records on the graph's tape.
#pragma once

#include <string>
#include <string_view>

#include "conformance/graph.h"

namespace attn::conformance {

class GraphParser {
 public:
  GraphParser(Graph& graph, std::string_view text) : graph_(graph), text_(text) {}

  /// A whole expression; what follows it must be nothing or prose (a word or a parenthesis).
  tape::Value expression();

  /// sum(expression) or mean(expression), perhaps of "(expression)^2", and nothing around it.
  struct Loss {
    tape::Value of;
    bool mean = false;
    bool squared = false;
  };
  Loss loss();

 private:
  /// A factor. ^T is kept aside, because the tape multiplies by a transposed matrix in one op, and ^2,
  /// because only a loss may have it.
  struct Factor {
    tape::Value value;
    bool is_transposed = false;
    bool is_squared = false;
  };

  Factor sum();
  Factor product();
  Factor factor();
  tape::Value atom();
  tape::Value call(const std::string& function);
  tape::Value number_or_list();
  tape::Value plain(const Factor& factor) const;
  tape::Value negative(tape::Value value);
  tape::Value add(tape::Value a, tape::Value b);
  tape::Value matrix_product(tape::Value a, const Factor& b);
  void expect_end();

  char next();
  bool accept(char c);
  void expect(char c);
  std::string word();
  [[noreturn]] void fail(const std::string& what) const;

  Graph& graph_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace attn::conformance
