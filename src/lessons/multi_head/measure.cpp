#include "lessons/multi_head/measure.h"

#include <algorithm>

#include "nn/attention.h"
#include "tape/operations.h"

namespace attn::lessons::multi_head {
namespace {

using core::Shape;
using core::Tensor;
using tape::Op;
using tape::Site;
using tape::Tape;
using tape::Value;

nn::LinearView view_of(const nn::Linear& linear) { return {linear.weight.view(), {}, &linear.packed}; }

void record_layer(Tape& tape, const Tensor& x, const nn::AttentionParameters& parameters) {
  const Value rows = tape.leaf(x.view(), label_of(Site::embedding));
  nn::multi_head_attention(tape, parameters, rows, rows, rows, nn::Mask::none(), {}, label_of(Site::unnamed));
}

/// Which row of the table an entry's multiplications belong to.
Counted row_of(const tape::Entry& entry, const tape::Label& output) {
  if (entry.op == Op::scores) return kScores;
  if (entry.op == Op::context) return kMixture;
  return entry.label == output ? kOutput : kProjections;
}

void count(const Tape& tape, bool has_output_weight, Counts& counts, std::size_t column) {
  const tape::Label output = label_of(Site::attention);
  for (int i = 0; i < static_cast<int>(tape.entries().size()); ++i) {
    const tape::Entry& entry = tape.entry(Value{i});
    const bool of_output = entry.label == output || entry.label.site == Site::output_weight;
    if (of_output && !has_output_weight) continue;
    if (tape::is_parameter(entry.label.site)) counts[kParameterCount][column] += entry.value.size();
    const tape::Operations operations = tape::operations_of(tape, Value{i});
    counts[static_cast<std::size_t>(row_of(entry, output))][column] += operations.multiplications;
    counts[kMultiplications][column] += operations.multiplications;
    counts[kAdditions][column] += operations.additions;
    counts[kDivisions][column] += operations.divisions;
    counts[kExponentials][column] += operations.exponentials;
  }
}

}  // namespace

ArrowShapes shapes_of(const Tape& tape) {
  const auto shape = [&](Site site) { return tape.tensor(label_of(site)).shape; };
  const Value rows = tape.entry(tape.find(label_of(Site::query))).inputs[0];
  return {shape(Site::embedding), tape.tensor(rows).shape, shape(Site::query),        shape(Site::scores),
          shape(Site::weights),   shape(Site::context),    shape(Site::concatenated), shape(Site::attention)};
}

ArrowShapes document_shapes() {
  constexpr int kWidth = 512;
  constexpr float kCell = 1.0f / kWidth;
  Tensor x(Shape{2, 7, kWidth});
  std::fill_n(x.values(), x.size(), 1.0f);
  const kernels::PackedMatrix packed{kWidth, kWidth, std::vector<float>(kWidth * kWidth, kCell)};
  const nn::LinearView view{{packed.panels.data(), Shape{kWidth, kWidth}}, {}, &packed};
  Tape tape;
  record_layer(tape, x, {8, view, view, view, view});
  return shapes_of(tape);
}

Counts count_all(const Tensor& words, const Weights& weights) {
  Counts counts{};
  Tape tape;
  for (std::size_t i = 0; i < std::size(kHeadCounts); ++i) {
    tape.clear();
    record_layer(tape, words,
                 {kHeadCounts[i], view_of(weights.query), view_of(weights.key), view_of(weights.value),
                  view_of(weights.output)});
    count(tape, true, counts, 1 + i);
    if (kHeadCounts[i] == 1) count(tape, false, counts, 0);
  }
  return counts;
}

void record_figures(Tape& tape, const ArrowShapes& shapes, const ArrowShapes& document,
                    const Counts& counts) {
  constexpr int kMost = Shape::kMaxRank;
  Tensor extents(Shape{kArrows, 2 * kMost});
  for (std::size_t i = 0; i < kArrows; ++i)
    for (int side = 0; side < 2; ++side) {
      const Shape& shape = side == 0 ? shapes[i] : document[i];
      for (int axis = 1; axis <= shape.rank(); ++axis)
        extents.values()[static_cast<int>(i) * 2 * kMost + (side + 1) * kMost - axis] =
            static_cast<float>(shape[-axis]);
    }
  tape.leaf(extents.view(), kShapeFigures);
  constexpr int kColumns = 1 + static_cast<int>(std::size(kHeadCounts));
  Tensor figures(Shape{kCountedRows, kColumns});
  int next = 0;
  for (const auto& row : counts)
    for (const std::int64_t one : row) figures.values()[next++] = static_cast<float>(one);
  tape.leaf(figures.view(), kCountFigures);
}

}  // namespace attn::lessons::multi_head
