// Ops in which rows meet, and copies of rows: bits and gradients, as in gradient_test.cpp.
#include <algorithm>
#include <cmath>

#include "kernels/reference.h"
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

/// What an attention op knows of its sizes: B sequences, Hq query heads on Hkv key heads.
struct Heads {
  int batch, query_heads, key_heads;
  bool batched;  // rank 4

  int matrices() const { return batch * query_heads; }
  int key_matrix(int i) const {
    return i / query_heads * key_heads + i % query_heads / (query_heads / key_heads);
  }
  Shape shape(int heads, int rows, int columns) const {
    return batched ? Shape{batch, heads, rows, columns} : Shape{heads, rows, columns};
  }
};

constexpr Heads kHeads[] = {
    {1, 1, 1, false}, {1, 6, 2, false}, {2, 2, 2, true}, {3, 4, 1, true}, {2, 6, 3, true}};

void check_scores(const Heads& heads, int targets, int sources, int d) {
  const float divisor = std::sqrt(static_cast<float>(d)) + 0.5f;
  check_op(op_case(
      "scores " + std::to_string(targets) + " " + std::to_string(sources) + " " + std::to_string(d),
      {random_tensor(heads.shape(heads.query_heads, targets, d), 1),
       random_tensor(heads.shape(heads.key_heads, sources, d), 2)},
      [&](Tape& tape, const Values& v) { return tape::scores(tape, v[0], v[1], divisor, {}); },
      [=]<class Scalar>(const Arrays<Scalar>& a) {
        std::vector<Scalar> result(count(heads.matrices() * targets * sources));
        for (int i = 0; i < heads.matrices(); ++i) {
          const std::vector<Scalar> keys =
              transposed<Scalar>(part(a[1], heads.key_matrix(i) * sources * d, sources * d), sources, d);
          reference::matmul<Scalar>(part(a[0], i * targets * d, targets * d), keys, count(targets), count(d),
                                    count(sources), part(result, i * targets * sources, targets * sources));
        }
        for (Scalar& value : result) value /= static_cast<Scalar>(divisor);
        return result;
      }));
}

void check_context(const Heads& heads, int targets, int sources, int d) {
  check_op(op_case(
      "context " + std::to_string(targets) + " " + std::to_string(sources) + " " + std::to_string(d),
      {random_tensor(heads.shape(heads.query_heads, targets, sources), 1),
       random_tensor(heads.shape(heads.key_heads, sources, d), 2)},
      [&](Tape& tape, const Values& v) { return tape::context(tape, v[0], v[1], {}); },
      [=]<class Scalar>(const Arrays<Scalar>& a) {
        std::vector<Scalar> result(count(heads.matrices() * targets * d));
        for (int i = 0; i < heads.matrices(); ++i)
          reference::matmul<Scalar>(part(a[0], i * targets * sources, targets * sources),
                                    part(a[1], heads.key_matrix(i) * sources * d, sources * d),
                                    count(targets), count(sources), count(d),
                                    part(result, i * targets * d, targets * d));
        return result;
      }));
}

void check_softmax(const Shape& shape, const Tensor* mask) {
  check_op(op_case(
      "softmax " + core::to_string(shape), {random_tensor(shape, 1, 3.0f)},
      [&](Tape& tape, const Values& v) {
        return tape::softmax(tape, v[0], mask != nullptr ? tape.leaf(mask->view(), {}) : Value{}, {});
      },
      [=]<class Scalar>(const Arrays<Scalar>& a) {
        std::vector<Scalar> result(a[0].size());
        const int columns = shape[-1];
        for (int row = 0; row < shape.leading_size(1); ++row) {
          std::vector<Scalar> visible;
          for (int j = 0; mask != nullptr && j < columns; ++j)
            visible.push_back(static_cast<Scalar>(repeated(*mask, shape, row * columns + j)));
          reference::masked_softmax<Scalar>(part(a[0], row * columns, columns), visible,
                                            part(result, row * columns, columns));
        }
        return result;
      }));
}

Tensor random_mask(const Shape& shape, std::uint64_t seed) {
  Tensor mask = random_tensor(shape, seed);
  for (float& value : mask.flat()) value = value < -0.3f ? 0.0f : 1.0f;
  return mask;
}

}  // namespace

TEST_CASE("scores: bits and gradients for every size, with shared key heads and batches") {
  for (const int targets : kSizes)
    for (const int sources : kSizes)
      for (const int d : {0, 1, 4, 5, 17}) check_scores(kHeads[0], targets, sources, d);
  for (const Heads& heads : kHeads) check_scores(heads, 3, 5, 4);
}

TEST_CASE("context: bits and gradients for every size, with shared value heads and batches") {
  for (const int targets : kSizes)
    for (const int sources : kSizes)
      for (const int d : {0, 1, 4, 5, 17}) check_context(kHeads[0], targets, sources, d);
  for (const Heads& heads : kHeads) check_context(heads, 3, 5, 4);
}

TEST_CASE("softmax: bits and gradients for every size and every shape of mask") {
  for (const int rows : kSizes)
    for (const int columns : kSizes) {
      const Tensor mask = random_mask({rows, columns}, 9);
      check_softmax({rows, columns}, &mask);
      check_softmax({rows, columns}, nullptr);
    }
  const Shape scores{2, 3, 4, 5};
  std::uint64_t seed = 20;
  for (const Shape& shape :
       {Shape{5}, Shape{1, 5}, Shape{4, 5}, Shape{3, 4, 5}, Shape{1, 4, 5}, Shape{3, 1, 5}, Shape{2, 3, 4, 5},
        Shape{2, 1, 4, 5}, Shape{2, 1, 1, 5}, Shape{1, 3, 1, 5}}) {
    CAPTURE(core::to_string(shape));
    const Tensor mask = random_mask(shape, ++seed);
    check_softmax(scores, &mask);
    if (shape.rank() <= 3) check_softmax({3, 4, 5}, &mask);
  }
}

TEST_CASE("heads: split and merged again they are what they were, and gradients go back the same way") {
  for (const int length : kSizes)
    for (const int d : {0, 1, 2, 3, 5, 8})
      for (const int n_heads : {1, 2, 3})
        for (const bool batched : {false, true}) {
          const int batch = batched ? 2 : 1;
          const Shape merged = batched ? Shape{batch, length, n_heads * d} : Shape{length, n_heads * d};
          const Shape split = batched ? Shape{batch, n_heads, length, d} : Shape{n_heads, length, d};
          const auto place = [=](int b, int h, int t, int j) {
            return std::pair(count(((b * length + t) * n_heads + h) * d + j),
                             count(((b * n_heads + h) * length + t) * d + j));
          };
          const auto moved = [=]<class Scalar>(const std::vector<Scalar>& x, bool to_heads) {
            std::vector<Scalar> result(x.size());
            for (int b = 0; b < batch; ++b)
              for (int h = 0; h < n_heads; ++h)
                for (int t = 0; t < length; ++t)
                  for (int j = 0; j < d; ++j) {
                    const auto [m, s] = place(b, h, t, j);
                    (to_heads ? result[s] : result[m]) = to_heads ? x[m] : x[s];
                  }
            return result;
          };
          check_op(op_case(
              "split_heads", {random_tensor(merged, 1)},
              [&](Tape& tape, const Values& v) {
                const Value result = tape::split_heads(tape, v[0], n_heads, {});
                REQUIRE(tape.tensor(result).shape == split);
                return result;
              },
              [=]<class Scalar>(const Arrays<Scalar>& a) { return moved(a[0], true); }));
          check_op(op_case(
              "merge_heads", {random_tensor(split, 1)},
              [&](Tape& tape, const Values& v) {
                const Value result = tape::merge_heads(tape, v[0], {});
                REQUIRE(tape.tensor(result).shape == merged);
                return result;
              },
              [=]<class Scalar>(const Arrays<Scalar>& a) { return moved(a[0], false); }));
        }
}

TEST_CASE("mean_heads: bits and gradients, with and without a batch") {
  for (const int n_heads : {1, 2, 3, 8})
    for (const int columns : kSizes)
      for (const int batch : {0, 2}) {
        if (columns == 0 || columns > 9) continue;
        const Shape shape = batch == 0 ? Shape{n_heads, 3, columns} : Shape{batch, n_heads, 3, columns};
        const int size = 3 * columns;
        check_op(op_case(
            "mean_heads " + core::to_string(shape), {random_tensor(shape, 1)},
            [&](Tape& tape, const Values& v) { return tape::mean_heads(tape, v[0], {}); },
            [=]<class Scalar>(const Arrays<Scalar>& a) {
              std::vector<Scalar> result(count(std::max(batch, 1) * size));
              for (std::size_t i = 0; i < result.size(); ++i) {
                const std::size_t first = i / count(size) * count(n_heads * size) + i % count(size);
                for (int h = 0; h < n_heads; ++h) result[i] += a[0][first + count(h * size)];
                result[i] /= static_cast<Scalar>(n_heads);
              }
              return result;
            }));
      }
}

TEST_CASE("divide_rows: bits and gradients of rows and divisors") {
  for (const int rows : {1, 2, 5})
    for (const int columns : kSizes) {
      if (columns == 0) continue;
      Tensor divisors = random_tensor({rows}, 2);
      for (float& divisor : divisors.flat()) divisor = divisor < 0.0f ? divisor - 1.0f : divisor + 1.0f;
      for (const Shape& shape : {Shape{rows, columns}, Shape{1, rows, columns}})
        check_op(op_case(
            "divide_rows " + core::to_string(shape), {random_tensor(shape, 1), divisors},
            [&](Tape& tape, const Values& v) { return tape::divide_rows(tape, v[0], v[1], {}); },
            [=]<class Scalar>(const Arrays<Scalar>& a) {
              std::vector<Scalar> result(a[0].size());
              for (std::size_t i = 0; i < result.size(); ++i) result[i] = a[0][i] / a[1][i / count(columns)];
              return result;
            }));
    }
}

TEST_CASE("transpose: every matrix by itself, and gradients go back") {
  for (const int rows : kSizes)
    for (const int columns : kSizes)
      for (const Shape& shape : {Shape{rows, columns}, Shape{2, rows, columns}}) {
        if (shape.size() > 400) continue;
        check_op(op_case(
            "transpose " + core::to_string(shape), {random_tensor(shape, 1)},
            [&](Tape& tape, const Values& v) { return tape::transpose(tape, v[0], {}); },
            [=]<class Scalar>(const Arrays<Scalar>& a) {
              std::vector<Scalar> result;
              for (int i = 0; i < shape.leading_size(2); ++i) {
                const std::vector<Scalar> one =
                    transposed<Scalar>(part(a[0], i * rows * columns, rows * columns), rows, columns);
                result.insert(result.end(), one.begin(), one.end());
              }
              return result;
            }));
      }
}

TEST_CASE("concatenate: rows after rows in every sequence and head, and gradients go back to both") {
  for (const int first : {0, 1, 3})
    for (const int second : {0, 1, 4})
      for (const auto& [a, b] : {std::pair<Shape, Shape>{{first, 5}, {second, 5}},
                                 {{2, 3, first, 5}, {2, 3, second, 5}},
                                 {{2, first, 5}, {1, second, 5}},
                                 {{2, 3, first, 5}, {second, 5}},
                                 {{2, 3, first, 5}, {3, second, 5}}}) {
        const int matrices = a.leading_size(2);
        const int distinct = b.leading_size(2);
        check_op(op_case(
            "concatenate " + core::to_string(a) + " " + core::to_string(b),
            {random_tensor(a, 1), random_tensor(b, 2)},
            [&](Tape& tape, const Values& v) { return tape::concatenate(tape, v[0], v[1], {}); },
            [=]<class Scalar>(const Arrays<Scalar>& x) {
              std::vector<Scalar> result;
              for (int i = 0; i < matrices; ++i) {
                const auto from_a = part(x[0], i * first * 5, first * 5);
                result.insert(result.end(), from_a.begin(), from_a.end());
                const auto from_b = part(x[1], i % distinct * second * 5, second * 5);
                result.insert(result.end(), from_b.begin(), from_b.end());
              }
              return result;
            }));
      }
}
