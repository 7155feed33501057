#include "lessons/self_attention/batch.h"

#include <algorithm>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "nn/initialize.h"
#include "tape/ops.h"

namespace attn::lessons::self_attention {
namespace {

using core::Shape;
using core::Tensor;
using tape::Site;
using tape::Tape;
using tape::Value;

/// X, Q, K, V, scores, weights, output: sentences stand where heads do, each a problem of its own.
using Recorded = std::array<Value, kShapeRows>;

Recorded record(Tape& tape, core::TensorView x, const Weights& weights) {
  const Value words = tape.leaf(x, {});
  const auto project = [&](const nn::Linear& linear) {
    return tape::linear(tape, words, tape.borrow(linear.weight.view(), {}), {}, linear.packed, {});
  };
  const Value query = project(weights.query);
  const Value key = project(weights.key);
  const Value value = project(weights.value);
  const Value scores = tape::scores(tape, query, key, tape::root_of_width(tape, query), {});
  const Value shares = tape::softmax(tape, scores, {}, {});
  return {words, query, key, value, scores, shares, tape::context(tape, shares, value, {})};
}

}  // namespace

Batch run_batch(const Settings& settings, const Weights& weights, core::TorchGenerator& generator) {
  Tensor x(Shape{kSentences, kLength, settings.d_model});
  nn::fill_normal(x.flat(), generator);
  Tape all, alone;
  const Recorded of_all = record(all, x.view(), weights);
  const Recorded of_one = record(alone, {x.values(), Shape{1, kLength, settings.d_model}}, weights);
  Batch batch;
  for (std::size_t i = 0; i < kShapeRows; ++i) batch.shapes[i] = all.tensor(of_all[i]).shape;
  const core::TensorView first = alone.tensor(of_one.back());
  for (int i = 0; i < first.size(); ++i)
    batch.ulp_alone =
        std::max(batch.ulp_alone, core::ulp_distance(first.values[i], all.tensor(of_all.back()).values[i]));
  return batch;
}

void record_shapes(Tape& tape, const Batch& batch) {
  constexpr Site kSites[kShapeRows] = {Site::embedding, Site::query,   Site::key,    Site::value,
                                       Site::scores,    Site::weights, Site::context};
  Tensor figures(Shape{kShapeRows, kShapeColumns});
  float* next = figures.values();
  for (std::size_t i = 0; i < kShapeRows; ++i) {
    const Shape& own = tape.tensor(label_of(kSites[i])).shape;
    const Shape& shape = batch.shapes[i];
    for (const int extent : {own[-2], own[-1], shape[0], shape[1], shape[2]})
      *next++ = static_cast<float>(extent);
  }
  tape.leaf(figures.view(), kShapeFigures);
}

Sheet shape_sheet(const Tape& tape, const Batch& batch) {
  constexpr Text kNames[kShapeRows] = {
      {"X", "X"},         {"Q = X·W_q", "Q = X·W_q"}, {"K = X·W_k", "K = X·W_k"}, {"V = X·W_v", "V = X·W_v"},
      {"分数", "scores"}, {"权重", "weights"},        {"输出", "output"}};
  Block block{.kind = BlockKind::table, .tensor = kShapeFigures, .title = {"形状", "Shapes"}, .note = " "};
  block.table.columns = {{"你的句子", "your sentence"}, {"一批", "the batch"}};
  const float* figures = tape.tensor(kShapeFigures).values;
  const auto shape = [&](int first, int count) {
    std::string text;
    for (int i = first; i < first + count; ++i)
      text += (i > first ? ", " : "(") + std::to_string(static_cast<int>(figures[i]));
    return RunText{text + ")", text + ")"};
  };
  for (int row = 0; row < kShapeRows; ++row)
    block.table.rows.push_back({.name = fill(kNames[row]),
                                .cells = {shape(row * kShapeColumns, 2), shape(row * kShapeColumns + 2, 3)},
                                .strong = row == 0 || row + 1 == kShapeRows});
  block.verdict = {fill({"第 0 句单独算：$0 ULP", "sentence 0 alone: $0 ULP"}, {thousands(batch.ulp_alone)}),
                   batch.ulp_alone == 0 ? Role::equal : Role::different};
  return {{std::move(block)}};
}

}  // namespace attn::lessons::self_attention
