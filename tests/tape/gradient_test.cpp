// Ops on rows: the bits of the readable version forward, its complex-step derivative backward, over sizes
// around the widths of vectors and tiles, with and without leading axes. A new op has its test here, in
// gradient_rows_test.cpp or in gradient_attention_test.cpp.
#include "kernels/reference_activation.h"
#include "kernels/samples.h"
#include "support/catch.h"
#include "support/gradient_check.h"
#include "tape/gradient_parts.h"
#include "tape/ops.h"

using namespace attn;
using core::Shape;
using core::Tensor;
using tape::Tape;
using tape::Value;
using test::Arrays;
using test::check_op;
using test::count;
using test::kSizes;
using test::op_case;
using test::part;
using test::random_tensor;
using test::repeated;
using test::transposed;
using test::Values;
namespace reference = kernels::reference;

namespace {

/// x (rows, in), weight (out, in), bias (out) or empty.
void check_linear(const Shape& x, int out, bool with_bias) {
  const int in = x[-1];
  const int rows = x.leading_size(1);
  std::vector<Tensor> inputs{random_tensor(x, 1), random_tensor({out, in}, 2)};
  if (with_bias) inputs.push_back(random_tensor({out}, 3));
  check_op(op_case(
      "linear " + core::to_string(x) + " to " + std::to_string(out), inputs,
      [&](Tape& tape, const Values& v) {
        kernels::PackedMatrix packed;
        kernels::pack_transposed(core::as_matrix(tape.tensor(v[1])), packed);
        return tape::linear(tape, v[0], v[1], with_bias ? v[2] : Value{}, packed, {});
      },
      [=]<class Scalar>(const Arrays<Scalar>& a) {
        std::vector<Scalar> result(count(rows * out));
        const std::vector<Scalar> factor = transposed<Scalar>(a[1], out, in);
        const std::span<const Scalar> bias =
            with_bias ? std::span<const Scalar>(a[2]) : std::span<const Scalar>();
        reference::linear<Scalar>(a[0], factor, bias, count(rows), count(in), count(out), result);
        return result;
      }));
}

template <class Record, class Function>
void check_function(const char* name, Record record, Function function) {
  for (const int columns : kSizes)
    for (const Shape& shape : {Shape{columns}, Shape{3, columns}, Shape{2, 1, 2, columns}})
      check_op(op_case(
          name, {random_tensor(shape, 5, 4.0f)},
          [&](Tape& tape, const Values& v) { return record(tape, v[0]); },
          [=]<class Scalar>(const Arrays<Scalar>& a) {
            std::vector<Scalar> result;
            for (const Scalar& x : a[0]) result.push_back(function(x));
            return result;
          }));
}

}  // namespace

TEST_CASE("linear: bits and gradients for every size") {
  for (const int rows : kSizes)
    for (const int in : kSizes)
      for (const int out : kSizes) check_linear({rows, in}, out, (rows + in + out) % 2 == 0);
  check_linear({7}, 5, true);
  check_linear({2, 3, 5}, 9, true);
  check_linear({2, 3, 2, 5}, 4, false);
}

TEST_CASE("layer_norm: bits and gradients for every size") {
  constexpr float kEpsilon = 1e-5f;
  for (const int rows : kSizes)
    for (const int columns : kSizes)
      for (const Shape& shape : {Shape{rows, columns}, Shape{2, rows, columns}}) {
        if (columns == 0 || shape.size() > 400) continue;
        check_op(op_case(
            "layer_norm " + core::to_string(shape),
            {random_tensor(shape, 1, 3.0f), random_tensor({columns}, 2), random_tensor({columns}, 3)},
            [&](Tape& tape, const Values& v) {
              return tape::layer_norm(tape, v[0], v[1], v[2], kEpsilon, {});
            },
            [=]<class Scalar>(const Arrays<Scalar>& a) {
              std::vector<Scalar> result(a[0].size());
              for (int row = 0; row < shape.leading_size(1); ++row)
                reference::layer_norm<Scalar>(part(a[0], row * columns, columns), a[1], a[2],
                                              static_cast<Scalar>(kEpsilon),
                                              part(result, row * columns, columns));
              return result;
            }));
      }
}

TEST_CASE("add: bits and gradients for equal shapes and for every way to repeat") {
  for (const int columns : kSizes)
    for (const auto& [a, b] : {std::pair<Shape, Shape>{{columns}, {columns}},
                               {{3, columns}, {3, columns}},
                               {{3, columns}, {columns}},
                               {{3, columns}, {1, columns}},
                               {{3, columns}, {3, 1}},
                               {{3, columns}, {1}},
                               {{2, 3, columns}, {3, columns}},
                               {{2, 3, 2, columns}, {2, 1, 1, columns}},
                               {{2, 3, 2, columns}, {3, 2, columns}},
                               {{2, 3, 2, columns}, {3, 1, 1}},
                               {{2, 3, 2, columns}, {2, 3, 2, columns}}}) {
      const Shape shape = a;
      Tensor index(b);
      for (int i = 0; i < index.size(); ++i) index.values()[i] = static_cast<float>(i);
      check_op(op_case(
          "add " + core::to_string(a) + " " + core::to_string(b), {random_tensor(a, 1), random_tensor(b, 2)},
          [&](Tape& tape, const Values& v) { return tape::add(tape, v[0], v[1], {}); },
          [=]<class Scalar>(const Arrays<Scalar>& x) {
            std::vector<Scalar> result = x[0];
            for (int i = 0; i < shape.size(); ++i)
              result[count(i)] += x[1][static_cast<std::size_t>(repeated(index, shape, i))];
            return result;
          }));
    }
}

TEST_CASE("subtract: bits and gradients for every size and rank") {
  for (const int columns : kSizes)
    for (const Shape& shape : {Shape{columns}, Shape{3, columns}, Shape{2, 1, 2, columns}})
      check_op(op_case(
          "subtract " + core::to_string(shape), {random_tensor(shape, 1), random_tensor(shape, 2)},
          [&](Tape& tape, const Values& v) { return tape::subtract(tape, v[0], v[1], {}); },
          [=]<class Scalar>(const Arrays<Scalar>& x) {
            std::vector<Scalar> result = x[0];
            for (std::size_t i = 0; i < result.size(); ++i) result[i] -= x[1][i];
            return result;
          }));
}

TEST_CASE("activations, scale and softcap: bits and gradients for every size and rank") {
  check_function(
      "relu", [](Tape& tape, Value x) { return tape::relu(tape, x, {}); },
      []<class Scalar>(Scalar x) { return reference::relu<Scalar>(x); });
  check_function(
      "gelu", [](Tape& tape, Value x) { return tape::gelu(tape, x, {}); },
      []<class Scalar>(Scalar x) { return reference::gelu<Scalar>(x); });
  check_function(
      "gelu_tanh", [](Tape& tape, Value x) { return tape::gelu_tanh(tape, x, {}); },
      []<class Scalar>(Scalar x) { return reference::gelu_tanh<Scalar>(x); });
  check_function(
      "silu", [](Tape& tape, Value x) { return tape::silu(tape, x, {}); },
      []<class Scalar>(Scalar x) { return reference::silu<Scalar>(x); });
  check_function(
      "tanh", [](Tape& tape, Value x) { return tape::tanh(tape, x, {}); },
      []<class Scalar>(Scalar x) { return reference::tanh<Scalar>(x); });
  check_function(
      "sigmoid", [](Tape& tape, Value x) { return tape::sigmoid(tape, x, {}); },
      []<class Scalar>(Scalar x) { return reference::sigmoid<Scalar>(x); });
  check_function(
      "scale", [](Tape& tape, Value x) { return tape::scale(tape, x, 2.75f, {}); },
      []<class Scalar>(Scalar x) { return x * static_cast<Scalar>(2.75f); });
  check_function(
      "softcap", [](Tape& tape, Value x) { return tape::softcap(tape, x, 2.5f, {}); },
      []<class Scalar>(Scalar x) { return reference::softcap<Scalar>(x, static_cast<Scalar>(2.5f)); });
}

TEST_CASE("lookup: rows of the table in the order of the tokens, gradients added up in that order") {
  for (const int width : kSizes)
    for (const Shape& shape : {Shape{0}, Shape{1}, Shape{5}, Shape{2, 3}, Shape{2, 1, 3}}) {
      Tensor tokens(shape);
      for (int i = 0; i < tokens.size(); ++i) tokens.values()[i] = static_cast<float>(i * 5 % 3);  // repeats
      check_op(op_case(
          "lookup", {random_tensor({4, width}, 1)},
          [&](Tape& tape, const Values& v) {
            return tape::lookup(tape, v[0], tape.leaf(tokens.view(), {}), {});
          },
          [=]<class Scalar>(const Arrays<Scalar>& a) {
            std::vector<Scalar> result;
            for (const float token : tokens.flat()) {
              const auto row = part(a[0], static_cast<int>(token) * width, width);
              result.insert(result.end(), row.begin(), row.end());
            }
            return result;
          }));
    }
}
