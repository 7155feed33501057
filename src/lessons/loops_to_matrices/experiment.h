// The computation of the lesson `loops-to-matrices`: one head of self-attention by matrices and by loops,
// compared to the bit, counted, and timed.
#pragma once

#include "lessons/lesson.h"
#include "lessons/loops_to_matrices/loops.h"
#include "tape/operations.h"

namespace attn::lessons::loops_to_matrices {

struct Settings {
  int seed = 0;
  int n = 4;  // words
  int d = 4;  // width of everything: d_model = d_k = d_v
  Order order = Order::forward;
};

inline constexpr int kLongest = 12;       // words a reader may have
inline constexpr int kCountedWords = 16;  // the counts go from 1 word to this many

/// What the lesson counted, as tensors "model.<layer>.figures".
enum class Figure : std::uint8_t {
  ulp,      // (n, d)     ULP between the loops' output and the matrices'
  loops,    // (3, 1)     how often each of the three loops of the scores runs
  steps,    // (5, 4)     Q, K, V · scores · softmax · context · all: ×, +, ÷, eˣ
  growth,   // (16, 3)    words · multiplications of the projections · of scores and context
  waiting,  // (16, 3)    words · operations in a row of an RNN · of attention
  timed,    // (4, 2)     words of the timed runs · their multiplications
};
tape::Label label_of(Figure figure);

/// "encoder.0.self_attention.<site>" by matrices; the words' vectors are "encoder.embedding".
tape::Label label_of(tape::Site site);
/// The output by loops: "model.self_attention.context".
tape::Label loops_output();

/// The figures of a run.
float figure(const Run& run, Figure which, int row, int column);

/// How the two outputs compare.
struct Comparison {
  int cells = 0;
  int different = 0;
  std::uint32_t largest_ulp = 0;
};
Comparison compare_outputs(const Run& run);

/// n words of width d. Numbers are those of torch.manual_seed(seed) and, in this order, torch.randn(16, d)
/// for the words' vectors, of which the first n are used, and torch.randn(d, d) for W_q, W_k and W_v; then
/// the reader's edits. No biases, no mask. What the tape holds is determined by the settings and the edits;
/// the times stand in the plot and the table of one sheet alone, and are those of `previous` where there is
/// one.
Run run_experiment(const Settings& settings, std::span<const CellEdit> edits, const Run* previous);

}  // namespace attn::lessons::loops_to_matrices
