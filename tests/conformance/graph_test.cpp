#include "conformance/graph.h"

#include "conformance/errors.h"
#include "support/catch.h"

using attn::conformance::FloatArray;
using attn::conformance::Graph;
using attn::conformance::Malformed;
using attn::conformance::statements_of;

TEST_CASE("The statements of a graph are found between prose") {
  const auto statements =
      statements_of("y = X@W^T + b (W is [out,in], as there); L = sum(y); one step per X");
  REQUIRE(statements.size() == 2);
  CHECK(statements[0].name == "y");
  CHECK(statements[1].name == "L");
  CHECK(statements[1].expression == " sum(y)");
}

TEST_CASE("Gradients of a graph are those of the formula") {
  const FloatArray x({1, 2}, {3.0f, 5.0f});
  const FloatArray w({1, 2}, {2.0f, -1.0f});
  const FloatArray b({}, {0.5f});
  Graph graph({{"W", w}, {"b", b}}, {{"X", x}});
  graph.run(statements_of("y = X@W^T + b, L = sum((y - [[1]])^2)"));
  // y = 3·2 − 5 + 0.5 = 1.5, dL/dy = 2·(1.5 − 1) = 1.
  CHECK(graph.gradient("b").values == std::vector<float>{1.0f});
  CHECK(graph.gradient("W").values == std::vector<float>{3.0f, 5.0f});
}

TEST_CASE("A graph that is not understood is refused") {
  const FloatArray a({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  for (const char* text :
       {"L = A", "y = A@A", "L = sum(A*A)", "L = sum(B)", "L = sum(cosine(A))", "L = sum(A@",
        "L = sum([[1,2],[3]]@A)", "L = sum(A - A)", "L = sum(softmax(A, dim=0))", "L = sum(A^3)",
        "L = sum(A@[[1,2,3]])", "L = max(A)"}) {
    CAPTURE(text);
    Graph graph({{"A", a}}, {});
    CHECK_THROWS_AS(graph.run(statements_of(text)), Malformed);
  }
}
