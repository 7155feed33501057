// What `multi-head` reads off runs of the layer: the shape at every arrow, and how much it learns and
// computes.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>

#include "lessons/multi_head/experiment.h"
#include "nn/parameters.h"

namespace attn::lessons::multi_head {

struct Weights {
  nn::Linear query, key, value, output;
};

/// X, Q, Q by heads, scores, weights, context, concatenated, output.
using ArrowShapes = std::array<core::Shape, kArrows>;

/// Of a tape with a multi-head attention under label_of().
ArrowShapes shapes_of(const tape::Tape& tape);

/// Of nn::multi_head_attention with 8 heads on (2, 7, 512). Shapes don't depend on values, so one matrix of
/// 512 × 512 equal cells, which is its own packed copy, serves as W_q, W_k, W_v and W_o.
ArrowShapes document_shapes();

/// counts[Counted][0] of self-attention, [1 + i] with kHeadCounts[i] heads.
using Counts = std::array<std::array<std::int64_t, 1 + std::size(kHeadCounts)>, kCountedRows>;

/// Runs every variant on these words and weights; parameters are the tensors that each run borrowed.
Counts count_all(const core::Tensor& words, const Weights& weights);

/// kShapeFigures and kCountFigures.
void record_figures(tape::Tape& tape, const ArrowShapes& shapes, const ArrowShapes& document,
                    const Counts& counts);

}  // namespace attn::lessons::multi_head
