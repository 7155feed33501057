// The ops a transformer is made of. Each runs at once, appends one entry to the tape and returns its handle.
//
// Common to all: inputs are entries of the same tape; the result is fresh memory of the tape and aliases
// nothing. Row t of a result depends on row t of the inputs alone (attention: on the rows its mask lets it
// see), and its bits don't depend on how many other rows there are (contract C1; the order of every sum is
// fixed in src/kernels). Shapes that don't fit are our own mistake and stop the program: models and lessons
// validate at the border.
#pragma once

#include <span>

#include "kernels/matmul.h"
#include "tape/tape.h"

namespace attn::tape {

/// result[t] = table[tokens[t]]. table (V, D), tokens (T) holding whole numbers in [0, V) → (T, D). Exact.
Value lookup(Tape& tape, Value table, Value tokens, Label label);

/// result = x·Wᵀ + b. x (T, in), weight (out, in), bias (out), `packed` the packed copy of the weight → (T,
/// out). Sum over `in` in order from 0, then the bias is added.
Value linear(Tape& tape, Value x, Value weight, Value bias, const kernels::PackedMatrix& packed, Label label);

/// result = a + b, elementwise, equal shapes.
Value add(Tape& tape, Value a, Value b, Label label);

/// (T, H·d) → (H, T, d): head h owns features [h·d, (h+1)·d). A copy. Vaswani et al. 2017, §3.2.2.
Value split_heads(Tape& tape, Value x, int n_heads, Label label);

/// (H, T, d) → (T, H·d), the inverse of split_heads. Concat(head_1, …, head_h) in the paper.
Value merge_heads(Tape& tape, Value x, Label label);

/// scores[h,t,s] = (Σ_d query[h,t,d]·key[h,s,d]) / √d_k. query (H, T, d_k), key (H, S, d_k) → (H, T, S).
/// Vaswani et al. 2017, eq. 1, before softmax. Masked pairs are computed too; the mask acts in softmax.
Value scores(Tape& tape, Value query, Value key, Label label);

/// weights[h,t,·] = softmax of scores[h,t,·] over the columns s with mask[t,s] != 0; other columns get
/// exactly 0. scores (H, T, S), mask (T, S) → (H, T, S). A row without a visible column gets weights 0
/// (contract C3).
Value softmax(Tape& tape, Value scores, Value mask, Label label);

/// context[h,t,d] = Σ_s weights[h,t,s]·value[h,s,d], s in order. weights (H, T, S), value (H, S, d_v) → (H,
/// T, d_v).
Value context(Tape& tape, Value weights, Value value, Label label);

/// result = (x − mean)/√(variance + ε)·scale + shift over the last axis, biased variance. x (T, D), scale,
/// shift (D). Ba, Kiros & Hinton 2016, eq. 3; PyTorch nn.LayerNorm.
Value layer_norm(Tape& tape, Value x, Value scale, Value shift, float epsilon, Label label);

/// result = max(x, 0).
Value relu(Tape& tape, Value x, Label label);

/// result = x·Φ(x) with Φ from erf: the exact GELU of Hendrycks & Gimpel 2016, PyTorch's default.
Value gelu(Tape& tape, Value x, Label label);

}  // namespace attn::tape
