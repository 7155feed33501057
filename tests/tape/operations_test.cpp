#include "tape/operations.h"

#include <array>
#include <vector>

#include "kernels/reference.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/random_model.h"
#include "tape/ops.h"

using namespace attn;
using core::Shape;
using tape::Operations;
using tape::Value;

namespace {

/// A number that counts what is done to it: the readable kernels, run with it, say what they cost.
struct Counting {
  float value = 0.0f;
  static Operations count;

  Counting(float x = 0.0f) : value(x) {}
  friend Counting operator*(Counting a, Counting b) {
    ++count.multiplications;
    return {a.value * b.value};
  }
  friend Counting operator+(Counting a, Counting b) {
    ++count.additions;
    return {a.value + b.value};
  }
  Counting& operator+=(Counting more) { return *this = *this + more; }
};
Operations Counting::count;

/// A tape of ones, zeros and whatever a test asks for; what one op on it costs.
struct Bench {
  tape::Tape tape;

  Value ones(const Shape& shape) {
    core::Tensor tensor(shape);
    for (float& value : tensor.flat()) value = 1.0f;
    return tape.leaf(tensor.view(), {});
  }
  Value given(const Shape& shape, const std::vector<float>& values) {
    return tape.leaf({values.data(), shape}, {});
  }
  Operations of(Value value) const { return tape::operations_of(tape, value); }
};

Value linear_of_ones(Bench& bench, const Shape& x, int out, bool bias) {
  core::Tensor weight(Shape{out, x[-1]});
  kernels::PackedMatrix packed;
  kernels::pack_transposed(core::as_matrix(weight.view()), packed);
  const Value w = bench.tape.leaf(weight.view(), {});
  return tape::linear(bench.tape, bench.ones(x), w, bias ? bench.ones(Shape{out}) : Value{}, packed, {});
}

}  // namespace

TEST_CASE("a linear map costs what the readable kernel does, number by number") {
  constexpr std::array<int, 3> kSizes[] = {{1, 1, 1}, {3, 5, 4}, {7, 1, 9}, {2, 8, 1}};
  for (const auto& [rows, depth, columns] : kSizes)
    for (const bool bias : {false, true}) {
      const auto size = [](int a, int b) { return static_cast<std::size_t>(a * b); };
      const std::vector<Counting> x(size(rows, depth)), w(size(depth, columns)),
          b(bias ? size(columns, 1) : 0);
      std::vector<Counting> out(size(rows, columns));
      Counting::count = {};
      kernels::reference::linear<Counting>(x, w, b, size(rows, 1), size(depth, 1), size(columns, 1), out);
      Bench bench;
      CHECK(bench.of(linear_of_ones(bench, Shape{rows, depth}, columns, bias)) == Counting::count);
      CHECK(Counting::count.multiplications == rows * depth * columns);
    }
}

TEST_CASE("attention costs n times n times the width, twice") {
  Bench bench;
  const Value q = bench.ones(Shape{2, 3, 5});  // two heads, three queries
  const Value k = bench.ones(Shape{2, 4, 5});
  const Value v = bench.ones(Shape{2, 4, 6});
  const Value scores = tape::scores(bench.tape, q, k, 2.0f, {});
  const Value weights = tape::softmax(bench.tape, scores, Value{}, {});
  const Value context = tape::context(bench.tape, weights, v, {});
  CHECK(bench.of(scores) == Operations{.multiplications = 120, .additions = 120, .divisions = 24});
  CHECK(bench.of(weights) == Operations{.additions = 48, .divisions = 24, .exponentials = 24});
  CHECK(bench.of(context) == Operations{.multiplications = 144, .additions = 144});
  const Operations all = tape::operations_of(bench.tape);
  CHECK(all == Operations{.multiplications = 264, .additions = 312, .divisions = 48, .exponentials = 24});
  CHECK(all.total() == 648);
  CHECK(tape::operations_of(bench.tape, context.index, context.index + 1) == bench.of(context));
}

TEST_CASE("one key head for several query heads saves no arithmetic in the scores") {
  Bench bench;
  const Value q = bench.ones(Shape{4, 3, 5});
  const Value scores = tape::scores(bench.tape, q, bench.ones(Shape{2, 6, 5}), 1.0f, {});
  CHECK(bench.of(scores).multiplications == 4 * 3 * 6 * 5);
}

TEST_CASE("softmax counts the columns it sees, however the mask is repeated") {
  Bench bench;
  const Value scores = bench.ones(Shape{2, 3, 4});
  const Value row = bench.given(Shape{4}, {1, 0, 1, 1});
  const Value grid = bench.given(Shape{3, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(bench.of(tape::softmax(bench.tape, scores, row, {})).exponentials == 2 * 3 * 3);
  CHECK(bench.of(tape::softmax(bench.tape, scores, grid, {})).exponentials == 2 * 3);
}

TEST_CASE("every other op costs what its table row says") {
  Bench bench;
  tape::Tape& tape = bench.tape;
  const Value x = bench.ones(Shape{3, 4});  // 12 elements, 3 rows
  const Value vector = bench.ones(Shape{4});
  const Value ids = bench.given(Shape{2}, {0, 2});
  const auto check = [&](Value result, const Operations& expected) { CHECK(bench.of(result) == expected); };
  check(x, {});
  check(tape::lookup(tape, x, ids, {}), {});
  check(tape::split_heads(tape, x, 2, {}), {});
  check(tape::merge_heads(tape, tape::split_heads(tape, x, 2, {}), {}), {});
  check(tape::transpose(tape, x, {}), {});
  check(tape::concatenate(tape, x, x, {}), {});
  check(tape::relu(tape, x, {}), {});
  check(tape::add(tape, x, vector, {}), {.additions = 12});
  check(tape::subtract(tape, x, x, {}), {.additions = 12});
  check(tape::mean_heads(tape, bench.ones(Shape{3, 2, 4}), {}), {.additions = 24, .divisions = 8});
  check(tape::divide_rows(tape, x, bench.ones(Shape{3}), {}), {.divisions = 12});
  check(tape::scale(tape, x, 2.0f, {}), {.multiplications = 12});
  check(tape::dropout(tape, x, bench.given(Shape{3, 4}, {1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1}), 0.5f, {}),
        {.multiplications = 6});
  check(tape::replace(tape, x, x, x, {}), {});
  check(tape::layer_norm(tape, x, vector, vector, 1e-5f, {}),
        {.multiplications = 24, .additions = 51, .divisions = 18, .functions = 3});
  check(tape::rms_norm(tape, x, vector, 1e-5f, {}),
        {.multiplications = 24, .additions = 15, .divisions = 15, .functions = 3});
  check(tape::softcap(tape, x, 2.0f, {}), {.multiplications = 12, .divisions = 12, .functions = 12});
  check(tape::gelu(tape, x, {}), {.multiplications = 36, .additions = 12, .functions = 12});
  check(tape::gelu_tanh(tape, x, {}), {.multiplications = 48, .additions = 12, .functions = 12});
  check(tape::silu(tape, x, {}), {.multiplications = 12, .functions = 12});
  check(tape::tanh(tape, x, {}), {.functions = 12});
  check(tape::sigmoid(tape, x, {}), {.functions = 12});
  check(tape::log_softmax(tape, x, {}), {.additions = 36, .exponentials = 12, .functions = 3});
  const Value angles = bench.ones(Shape{3, 1});  // one pair of the four features is turned
  check(tape::rope(tape, x, angles, angles, kernels::RotaryLayout::halves, {}),
        {.multiplications = 12, .additions = 6});
}

TEST_CASE("a loss costs by the rows that are not ignored") {
  Bench bench;
  const Value logits = bench.ones(Shape{3, 5});
  const Value targets = bench.given(Shape{3}, {1, -100, 4});
  const auto cost = [&](const tape::LossOptions& options) {
    return bench.of(tape::cross_entropy(bench.tape, logits, targets, Value{}, options, {}));
  };
  using enum kernels::Reduction;
  CHECK(cost({.reduction = none}) ==
        Operations{.multiplications = 2, .additions = 24, .exponentials = 10, .functions = 2});
  CHECK(cost({.reduction = sum}).additions == 26);
  CHECK(
      cost({.reduction = mean}) ==
      Operations{.multiplications = 2, .additions = 28, .divisions = 1, .exponentials = 10, .functions = 2});
  CHECK(cost({.label_smoothing = 0.1f, .reduction = none}) ==
        Operations{.multiplications = 10, .additions = 40, .exponentials = 10, .functions = 2});
}

TEST_CASE("a whole model's tape is the sum of its parts") {
  const nn::TransformerConfig config{.d_model = 8, .n_heads = 2, .n_encoder_layers = 1, .d_ff = 16};
  const nn::Transformer model = test::random_transformer(config, 1);
  tape::Tape tape;
  const int n = 5;
  const Value x = nn::embed(tape, model, tape::Stack::encoder, test::random_tokens(n, config.vocabulary, 2));
  nn::encode(tape, model, x, nn::Mask::none());
  const std::int64_t d = 8;
  // W_q, W_k, W_v, W_o; the two linear maps of width 16; scores and context; three norms.
  CHECK(tape::operations_of(tape).multiplications ==
        4 * n * d * d + 2 * n * d * 16 + 2 * n * n * d + 3 * 2 * n * d);
}
