// One head of self-attention with all widths equal, recorded on a tape; and an RNN to compare it with.
#pragma once

#include "lessons/lesson.h"
#include "nn/parameters.h"

namespace attn::lessons::loops_to_matrices {

/// What a run owns: tapes borrow the weights. No biases.
struct Head {
  core::Tensor words;  // (most words, d)
  nn::Linear query, key, value;
};

/// torch.manual_seed(seed), then torch.randn(words, d) and three times torch.randn(d, d); then the reader's
/// edits.
Head draw_head(std::uint32_t seed, int words, int d, std::span<const CellEdit> edits = {});

/// Attention of the first n words; q, k, v, scores, weights and context are labelled.
tape::Value record_attention(tape::Tape& tape, const Head& head, int n);

/// h[t] = tanh(W·x[t] + U·h[t−1]) over the first n words, h[−1] = 0, with W_q for W and W_k for U. (1, d)
/// each → h of every word.
std::vector<tape::Value> record_rnn(tape::Tape& tape, const Head& head, int n);

/// How many operations must follow one another until each entry is there: the longest chain that leads to
/// it. Every entry that calculates is one, however large; copies are none.
std::vector<int> chain_lengths(const tape::Tape& tape);

}  // namespace attn::lessons::loops_to_matrices
