// A batch of sentences through the reader's weights, for the shapes: self_attention/experiment.h computes
// one.
#pragma once

#include "core/torch_random.h"
#include "lessons/self_attention/experiment.h"
#include "nn/parameters.h"

namespace attn::lessons::self_attention {

/// What a run owns: its tape borrows the weights.
struct Weights {
  nn::Linear query, key, value;
};

inline constexpr int kSentences = 50;
inline constexpr int kLength = 5;

/// Rows: X, Q, K, V, scores, weights, output. Columns: the extents of the reader's tensor, then the batch's.
inline constexpr tape::Label kShapeFigures{.layer = 0, .site = tape::Site::figures};
inline constexpr int kShapeRows = 7;
inline constexpr int kShapeColumns = 5;

struct Batch {
  std::array<core::Shape, kShapeRows> shapes;
  std::uint32_t ulp_alone = 0;  // the output of its first sentence, computed alone, from that in the batch
};

/// torch.randn(50, 5, d_model) from the generator through the weights; no mask.
Batch run_batch(const Settings& settings, const Weights& weights, core::TorchGenerator& generator);

/// kShapeFigures; the reader's tensors with a row a word are on the tape.
void record_shapes(tape::Tape& tape, const Batch& batch);

/// The table of kShapeFigures.
Sheet shape_sheet(const tape::Tape& tape, const Batch& batch);

}  // namespace attn::lessons::self_attention
