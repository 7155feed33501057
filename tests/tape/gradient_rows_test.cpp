// More ops on rows: RMS norm, dropout, rotary embedding, log-softmax, cross-entropy. Bits and gradients, as
// in gradient_test.cpp, and what their explanations recompute.
#include "core/bits.h"
#include "kernels/reference_activation.h"
#include "kernels/reference_loss.h"
#include "kernels/samples.h"
#include "nn/positions.h"
#include "support/catch.h"
#include "support/gradient_check.h"
#include "tape/explain.h"
#include "tape/gradient_parts.h"
#include "tape/ops.h"

using namespace attn;
using core::Shape;
using core::Tensor;
using kernels::Reduction;
using tape::Form;
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
using test::Values;
namespace reference = kernels::reference;

namespace {

constexpr int kIgnored = -100;

/// Classes below `classes`, every third one ignored.
Tensor random_targets(const Shape& shape, int classes) {
  Tensor targets(shape);
  for (int i = 0; i < targets.size(); ++i)
    targets.values()[i] = i % 3 == 1 ? static_cast<float>(kIgnored) : static_cast<float>(i * 7 % classes);
  return targets;
}

template <class Scalar>
std::vector<Scalar> widened(const Tensor& tensor) {
  std::vector<Scalar> result;
  for (const float value : tensor.flat()) result.push_back(static_cast<Scalar>(value));
  return result;
}

/// What kernels/cross_entropy.h says of many rows.
template <class Scalar>
std::vector<Scalar> reference_losses(const std::vector<Scalar>& logits, const Tensor& targets, int classes,
                                     float smoothing, const std::vector<Scalar>& weights,
                                     Reduction reduction) {
  std::vector<Scalar> losses;
  reference::StripedSum<Scalar> sum;
  reference::StripedSum<Scalar> divisor;
  for (int n = 0; n < targets.size(); ++n) {
    const int target = static_cast<int>(targets.values()[n]);
    const bool ignored = target == kIgnored;
    losses.push_back(ignored
                         ? Scalar(0)
                         : reference::cross_entropy<Scalar>(part(logits, n * classes, classes), count(target),
                                                            static_cast<Scalar>(smoothing), weights));
    sum.add(count(n), losses.back());
    divisor.add(count(n), ignored ? Scalar(0) : weights.empty() ? Scalar(1) : weights[count(target)]);
  }
  if (reduction == Reduction::none) return losses;
  return {reduction == Reduction::sum ? sum.total() : sum.total() / divisor.total()};
}

void check_cross_entropy(const Shape& shape, float smoothing, bool weighted, Reduction reduction) {
  const int classes = shape[-1];
  Shape rows;
  for (int axis = 0; axis + 1 < shape.rank(); ++axis) rows.append(shape[axis]);
  const Tensor targets = random_targets(rows, classes);
  Tensor weights(Shape{classes});
  for (int c = 0; c < classes; ++c) weights.values()[c] = 0.5f + 0.25f * static_cast<float>(c % 5);
  check_op(op_case(
      "cross_entropy " + core::to_string(shape), {random_tensor(shape, 4, 3.0f)},
      [&](Tape& tape, const Values& v) {
        const Value class_weights = weighted ? tape.leaf(weights.view(), {}) : Value{};
        return tape::cross_entropy(tape, v[0], tape.leaf(targets.view(), {}), class_weights,
                                   {.label_smoothing = smoothing, .reduction = reduction}, {});
      },
      [=]<class Scalar>(const Arrays<Scalar>& a) {
        return reference_losses<Scalar>(a[0], targets, classes, smoothing,
                                        weighted ? widened<Scalar>(weights) : std::vector<Scalar>(),
                                        reduction);
      }));
}

void check_rope(const Shape& x, const Shape& angles, kernels::RotaryLayout layout) {
  const Tensor cosines = random_tensor(angles, 7);
  const Tensor sines = random_tensor(angles, 8);
  check_op(op_case(
      "rope " + core::to_string(x) + " " + core::to_string(angles), {random_tensor(x, 9)},
      [&](Tape& tape, const Values& v) {
        return tape::rope(tape, v[0], tape.leaf(cosines.view(), {}), tape.leaf(sines.view(), {}), layout, {});
      },
      [=]<class Scalar>(const Arrays<Scalar>& a) {
        const int half = angles[-1];
        const int width = x[-1];
        const Shape full = x.with(-1, half);
        std::vector<Scalar> result(a[0].size());
        for (int row = 0; row < x.leading_size(1); ++row) {
          std::vector<Scalar> cosine;
          std::vector<Scalar> sine;
          for (int i = 0; i < half; ++i) {
            cosine.push_back(static_cast<Scalar>(repeated(cosines, full, row * half + i)));
            sine.push_back(static_cast<Scalar>(repeated(sines, full, row * half + i)));
          }
          reference::rope<Scalar>(part(a[0], row * width, width), cosine, sine,
                                  layout == kernels::RotaryLayout::interleaved,
                                  part(result, row * width, width));
        }
        return result;
      }));
}

/// Every element of an entry recomputes from its explanation to the same bits.
void check_explanations(const Tape& tape, Value value) {
  const core::TensorView tensor = tape.tensor(value);
  for (int flat = 0; flat < tensor.size(); ++flat) {
    std::array<int, 4> index{};
    int rest = flat;
    for (int axis = tensor.shape.rank() - 1; axis >= 0; --axis) {
      index[static_cast<std::size_t>(axis)] = rest % tensor.shape[axis];
      rest /= tensor.shape[axis];
    }
    const tape::Explanation explanation = tape::explain(tape, value, index);
    CAPTURE(flat, static_cast<int>(explanation.form));
    REQUIRE(explanation.form != Form::given);
    REQUIRE(core::bits_of(tape::recompute(explanation)) == core::bits_of(tensor.values[flat]));
  }
}

}  // namespace

TEST_CASE("rms_norm: bits and gradients for every size") {
  constexpr float kEpsilon = 1e-5f;
  for (const int columns : kSizes)
    for (const Shape& shape : {Shape{columns}, Shape{3, columns}, Shape{2, 5, columns}}) {
      if (columns == 0) continue;
      check_op(op_case(
          "rms_norm " + core::to_string(shape), {random_tensor(shape, 1, 3.0f), random_tensor({columns}, 2)},
          [&](Tape& tape, const Values& v) { return tape::rms_norm(tape, v[0], v[1], kEpsilon, {}); },
          [=]<class Scalar>(const Arrays<Scalar>& a) {
            std::vector<Scalar> result(a[0].size());
            for (int row = 0; row < shape.leading_size(1); ++row)
              reference::rms_norm<Scalar>(part(a[0], row * columns, columns), a[1],
                                          static_cast<Scalar>(kEpsilon),
                                          part(result, row * columns, columns));
            return result;
          }));
    }
}

TEST_CASE("dropout: bits and gradients for every size, and the mask on the tape") {
  for (const int columns : kSizes)
    for (const float p : {0.0f, 0.3f, 1.0f})
      for (const Shape& shape : {Shape{columns}, Shape{2, 3, columns}}) {
        const core::RandomStream stream{.seed = 3, .stream = 1};
        std::vector<float> keep;
        for (int i = 0; i < shape.size(); ++i)
          keep.push_back(stream.uniform(static_cast<std::uint64_t>(i)) >= p ? 1.0f : 0.0f);
        check_op(op_case(
            "dropout", {random_tensor(shape, 5)},
            [&](Tape& tape, const Values& v) {
              const Value result = tape::dropout(tape, v[0], p, stream, {});
              CHECK(test::same_bits(tape.tensor(tape.entry(result).inputs[1]).flat(), keep));
              return result;
            },
            [=]<class Scalar>(const Arrays<Scalar>& a) {
              std::vector<Scalar> result;
              for (std::size_t i = 0; i < a[0].size(); ++i)
                result.push_back(
                    reference::dropout<Scalar>(a[0][i], Scalar(keep[i]), static_cast<Scalar>(p)));
              return result;
            }));
      }
}

TEST_CASE("replace: the given elements where marked, gradients to whichever is used") {
  for (const int columns : kSizes)
    for (const Shape& shape : {Shape{columns}, Shape{2, 3, columns}}) {
      Tensor marks(shape);
      for (int i = 0; i < shape.size(); ++i) marks.values()[i] = i % 3 == 1 ? 1.0f : 0.0f;
      check_op(op_case(
          "replace", {random_tensor(shape, 5), random_tensor(shape, 6)},
          [&](Tape& tape, const Values& v) {
            return tape::replace(tape, v[0], v[1], tape.leaf(marks.view(), {}), {});
          },
          []<class Scalar>(const Arrays<Scalar>& a) {
            std::vector<Scalar> result = a[0];
            for (std::size_t i = 1; i < result.size(); i += 3) result[i] = a[1][i];
            return result;
          }));
    }
}

TEST_CASE("a replaced element is given, the others explain themselves as if none were") {
  Tape tape;
  const Tensor x = random_tensor({2, 3}, 1);
  const Tensor other = random_tensor({2, 3}, 2);
  Tensor marks(Shape{2, 3});
  marks.values()[4] = 1.0f;
  const Value scaled = tape::scale(tape, tape.leaf(x.view(), {}), 3.0f, {});
  const Value replaced =
      tape::replace(tape, scaled, tape.leaf(other.view(), {}), tape.leaf(marks.view(), {}), {});
  const Value cut = tape::split_heads(tape, replaced, 3, {});
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      for (const auto& [entry, index] :
           {std::pair(replaced, std::array{row, column, 0, 0}), {cut, {column, row, 0, 0}}}) {
        const tape::Explanation cell = tape::explain(tape, entry, index);
        CHECK((cell.form == Form::scaled) == (row != 1 || column != 1));
        CHECK(core::bits_of(tape::recompute(cell)) == core::bits_of(cell.result.value));
      }
  for (const auto& [entry, index] : {std::pair(replaced, std::array{1, 1, 0, 0}), {cut, {1, 1, 0, 0}}}) {
    const tape::Explanation given = tape::explain(tape, entry, index);
    CHECK(given.form == tape::Form::given);
    CHECK(given.op == tape::Op::replace);
    CHECK(given.terms.empty());
    CHECK(given.result.value == other.values()[4]);
  }
}

TEST_CASE("rope: bits and gradients for every width, shared angles and those of each sequence") {
  using kernels::RotaryLayout;
  for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::halves}) {
    for (const int width : kSizes) check_rope({3, width}, {3, width / 2}, layout);
    check_rope({2, 3, 8}, {3, 4}, layout);
    check_rope({2, 3, 8}, {2, 3, 3}, layout);
    check_rope({2, 4, 3, 7}, {3, 2}, layout);
    check_rope({2, 4, 3, 7}, {2, 1, 3, 2}, layout);
    check_rope({2, 4, 0, 7}, {2, 1, 0, 2}, layout);
  }
}

TEST_CASE("log_softmax: bits and gradients for every size") {
  for (const int columns : kSizes)
    for (const Shape& shape : {Shape{columns}, Shape{3, columns}, Shape{2, 2, columns}}) {
      if (columns == 0) continue;
      check_op(op_case(
          "log_softmax " + core::to_string(shape), {random_tensor(shape, 6, 5.0f)},
          [&](Tape& tape, const Values& v) { return tape::log_softmax(tape, v[0], {}); },
          [=]<class Scalar>(const Arrays<Scalar>& a) {
            std::vector<Scalar> result(a[0].size());
            for (int row = 0; row < shape.leading_size(1); ++row)
              reference::log_softmax<Scalar>(part(a[0], row * columns, columns),
                                             part(result, row * columns, columns));
            return result;
          }));
    }
}

TEST_CASE("cross_entropy: bits and gradients for every reduction, smoothing and weighting") {
  for (const Reduction reduction : {Reduction::none, Reduction::sum, Reduction::mean})
    for (const float smoothing : {0.0f, 0.1f})
      for (const bool weighted : {false, true}) {
        for (const int classes : kSizes)
          if (classes > 0) check_cross_entropy({5, classes}, smoothing, weighted, reduction);
        check_cross_entropy({7}, smoothing, weighted, reduction);
        check_cross_entropy({2, 3, 4}, smoothing, weighted, reduction);
      }
}

TEST_CASE("The gradient of an ignored row is exactly 0, also when every row is ignored") {
  const Tensor logits = random_tensor({2, 3, 4}, 1, 30.0f);
  Tensor targets(Shape{2, 3});
  for (const bool all : {false, true}) {
    for (int i = 0; i < 6; ++i) targets.values()[i] = all || i % 2 == 0 ? static_cast<float>(kIgnored) : 1.0f;
    Tape tape;
    const Value x = tape.leaf(logits.view(), {});
    const Value loss = tape::cross_entropy(tape, x, tape.leaf(targets.view(), {}), {}, {}, {});
    CHECK(std::isnan(tape.tensor(loss).values[0]) == all);
    tape::Gradients gradients;
    const float seed = 1.0f;
    tape::backward(tape, loss, std::span(&seed, 1), gradients);
    for (int i = 0; i < 24; ++i) {
      const float gradient = gradients.of(x).values[i];
      if (all || i / 4 % 2 == 0)
        CHECK(core::bits_of(gradient) == 0);
      else
        CHECK(std::isfinite(gradient));
    }
  }
}

TEST_CASE("Turned queries and keys meet in a score that depends on their distance alone") {
  const std::vector<int> positions{0, 1, 2, 5, 6, 7};
  Tensor cosines(Shape{6, 4});
  Tensor sines(Shape{6, 4});
  nn::fill_rotary(positions, 10000.0, core::as_rows(cosines.values(), cosines.shape()),
                  core::as_rows(sines.values(), sines.shape()));
  Tensor rows(Shape{6, 8});
  for (int i = 0; i < 48; ++i) rows.values()[i] = 0.1f * static_cast<float>(i % 8) - 0.3f;  // equal rows
  for (const auto layout : {kernels::RotaryLayout::interleaved, kernels::RotaryLayout::halves}) {
    Tape tape;
    const Value turned = tape::rope(tape, tape.leaf(rows.view(), {}), tape.leaf(cosines.view(), {}),
                                    tape.leaf(sines.view(), {}), layout, {});
    const core::TensorView x = tape.tensor(turned);
    const auto score = [&](int i, int j) {
      double sum = 0.0;
      for (int d = 0; d < 8; ++d)
        sum += static_cast<double>(x.values[i * 8 + d]) * static_cast<double>(x.values[j * 8 + d]);
      return sum;
    };
    CHECK(std::abs(score(0, 2) - score(3, 5)) <= 1e-6);
    CHECK(std::abs(score(1, 2) - score(4, 5)) <= 1e-6);
    CHECK(std::abs(score(0, 1) - score(0, 2)) > 1e-3);
  }
}

TEST_CASE("Every cell of the ops on rows recomputes from its explanation to the same bits") {
  Tape tape;
  const Tensor x = random_tensor({2, 3, 5}, 1, 4.0f);
  const Tensor gamma = random_tensor({5}, 2);
  const Tensor cosines = random_tensor({2, 3, 2}, 3);
  const Tensor sines = random_tensor({2, 3, 2}, 4);
  const Tensor targets = random_targets({2, 3}, 5);
  const Tensor weights = random_tensor({5}, 5);
  const Value value = tape.leaf(x.view(), {});
  const Value cosine = tape.leaf(cosines.view(), {});
  const Value sine = tape.leaf(sines.view(), {});
  const Value target = tape.leaf(targets.view(), {});
  check_explanations(tape, tape::rms_norm(tape, value, tape.leaf(gamma.view(), {}), 1e-5f, {}));
  check_explanations(tape, tape::scale(tape, value, 2.8284271f, {}));
  check_explanations(tape, tape::dropout(tape, value, 0.4f, {.seed = 1}, {}));
  for (const auto layout : {kernels::RotaryLayout::interleaved, kernels::RotaryLayout::halves})
    check_explanations(tape, tape::rope(tape, value, cosine, sine, layout, {}));
  check_explanations(tape, tape::log_softmax(tape, value, {}));
  for (const Reduction reduction : {Reduction::none, Reduction::sum, Reduction::mean})
    for (const Value class_weights : {Value{}, tape.leaf(weights.view(), {})})
      check_explanations(tape, tape::cross_entropy(tape, value, target, class_weights,
                                                   {.label_smoothing = 0.1f, .reduction = reduction}, {}));
  check_explanations(tape, tape::gelu_tanh(tape, value, {}));
  check_explanations(tape, tape::silu(tape, value, {}));
  check_explanations(tape, tape::tanh(tape, value, {}));
  check_explanations(tape, tape::sigmoid(tape, value, {}));
}
