// The same computation as textbooks with column vectors write it: O = V·softmax(KᵀQ / √d_k), a column a word.
#pragma once

#include "lessons/self_attention/experiment.h"

namespace attn::lessons::self_attention {

/// The tensor with a column a word: "encoder.0.self_attention.query_columns", …; scores and weights,
/// "encoder.1.self_attention.…", have a row a key and a column a query. W_q, W_k and W_v are the same.
tape::Label columns_label(tape::Site site);

/// Records Q = W_q·X, K = W_k·X, V = W_v·X, KᵀQ / √d_k, a softmax for each column, and V times that, each
/// from its own tensors, not from those with a row a word; every number has the same bits in both. `x` and
/// `mask` (T, T) have a row a word. Q, K and V have the reader's numbers where there are some.
void record_columns(tape::Tape& tape, tape::Value x, tape::Value mask, std::span<const CellEdit> edits);

/// x (T, d), which both ways show as this site, with the reader's numbers in place of its own.
tape::Value with_edits(tape::Tape& tape, tape::Value x, tape::Site site, std::span<const CellEdit> edits);

/// The largest distance between the numbers of both ways, over queries, keys, values, scores, weights and
/// output.
std::uint32_t ulp_between_ways(const tape::Tape& tape);

}  // namespace attn::lessons::self_attention
