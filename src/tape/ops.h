// The ops a transformer is made of. Each runs at once, appends one entry to the tape and returns its handle;
// tape/backward.h takes gradients back through them.
//
// Common to all: inputs are entries of the same tape; the result is fresh memory of the tape and aliases
// nothing. Row t of a result depends on row t of the inputs alone (attention: on the rows its mask lets it
// see), and its bits don't depend on how many other rows, heads or sequences there are (contract C1; the
// order of every sum is fixed in src/kernels). Shapes that don't fit are our own mistake and stop the
// program: models and lessons validate at the border.
//
// Shapes are written for one sequence. "…" is any number of leading axes, which number independent problems:
// ops on rows take (T, D) and (B, T, D) alike, ops on heads (H, T, d) and (B, H, T, d). At most four axes.
//
// Adding an op:
//   1. tape/tape.h      a value of Op, with its inputs and constants;
//   2. tape/ops.h       the function, documented: formula, shapes, rounding, source;
//   3. tape/ops_*.cpp   its forward, and beside it `<op>_backward(BackwardContext&)`, declared in
//                       tape/ops_backward.h, which adds to the gradient of every input that has one;
//   4. tape/backward.cpp   one line in the switch (the compiler names a missing one);
//   5. tape/explain.cpp    one case: which terms an element is made of (the compiler names a missing one); an
//                       elementwise function also has a row in tape/explain_recompute.cpp;
//   6. tape/operations.cpp   one case and its row in operations.h: what it costs (the compiler names a
//   missing one);
//   7. tests/tape/gradient_test.cpp   its row in the table of complex-step checks, on the readable version
//                       in kernels/reference*.h; tests/tape/explain_test.cpp covers what a tape holds.
#pragma once

#include <span>

#include "core/random.h"
#include "kernels/cross_entropy.h"
#include "kernels/matmul.h"
#include "kernels/rope.h"
#include "tape/tape.h"

namespace attn::tape {

// ---- Rows: tape/ops_linear.cpp, ops_elementwise.cpp, ops_norm.cpp, ops_dropout.cpp.

/// result[…, t] = table[tokens[…, t]]. table (V, D), tokens (…, T) holding whole numbers in [0, V) →
/// (…, T, D). Exact. Backward adds the rows to the table's gradient in the order of the tokens.
Value lookup(Tape& tape, Value table, Value tokens, Label label);

/// result = x·Wᵀ + b. x (…, in), weight (out, in), bias (out) or an invalid Value for none, `packed` the
/// packed copy of the weight → (…, out). Sum over `in` in order from 0, then the bias is added.
Value linear(Tape& tape, Value x, Value weight, Value bias, const kernels::PackedMatrix& packed, Label label);

/// result = a + b, one rounding. b has a's shape, or one that is broadcast to it, aligned at the last axis:
/// missing axes and axes of extent 1 repeat. So it adds positions (T, D) to (B, T, D), and an additive
/// attention bias (T, S), (H, T, S) or (B, 1, 1, S) to scores (B, H, T, S). → a's shape. Backward sums b's
/// gradient over its repetitions in the order of a's elements.
Value add(Tape& tape, Value a, Value b, Label label);

/// result = a − b, of one shape; one rounding, so the bits of a + (−b). What a change did, beside the change.
Value subtract(Tape& tape, Value a, Value b, Label label);

/// result[…, t, ·] = x[…, t, ·] / divisors[…, t]. x (…, T, S), as many divisors as x has rows. By its sum, a
/// row whose sum isn't 1 becomes one of shares. 0 / 0 is NaN.
Value divide_rows(Tape& tape, Value x, Value divisors, Label label);

/// result = (x − mean)/√(variance + ε)·scale + shift over the last axis, biased variance. x (…, D), scale,
/// shift (D). Ba, Kiros & Hinton 2016, eq. 3; PyTorch nn.LayerNorm.
Value layer_norm(Tape& tape, Value x, Value scale, Value shift, float epsilon, Label label);

/// result = x/√(mean of x² + ε)·scale over the last axis. x (…, D), scale (D). Zhang & Sennrich 2019, eq. 4;
/// kernels/rms_norm.h.
Value rms_norm(Tape& tape, Value x, Value scale, float epsilon, Label label);

/// result = x·factor, one rounding: embeddings times √d_model (Vaswani et al. 2017, §3.4), logits over a
/// temperature.
Value scale(Tape& tape, Value x, float factor, Label label);

/// result = keep ? x/(1 − p) : 0, elementwise: dropout in training (Srivastava et al. 2014; nn.Dropout).
/// `keep`, of x's shape, holds 1 where an element stays and 0 where it goes, and has no gradient. p in [0,
/// 1]; p = 0 changes no bit. kernels/dropout.h.
Value dropout(Tape& tape, Value x, Value keep, float p, Label label);

/// The same with a mask drawn here and recorded as a leaf: element i of x is dropped when draw i of the
/// stream is below p. Another step, or another place in the model, needs another stream (core::stream_of).
Value dropout(Tape& tape, Value x, float p, const core::RandomStream& stream, Label label,
              Label keep_label = {});

/// result = marks ? given : x, elementwise, all of one shape; marks hold 0 or 1 and have no gradient. Numbers
/// that somebody put in place of computed ones: what follows uses them, and a cell says which it is.
Value replace(Tape& tape, Value x, Value given, Value marks, Label label);

/// result = max(x, 0). Its derivative at 0 is 0, as PyTorch's.
Value relu(Tape& tape, Value x, Label label);

/// result = x·Φ(x) with Φ from erf: the exact GELU of Hendrycks & Gimpel 2016, PyTorch's default.
Value gelu(Tape& tape, Value x, Label label);

/// result = x·½(1 + tanh(√(2/π)(x + 0.044715 x³))): the tanh form of GELU (ibid., §2; GPT-2).
Value gelu_tanh(Tape& tape, Value x, Label label);

/// result = x·sigmoid(x): SiLU (Elfwing, Uchibe & Doya 2017), swish with β = 1.
Value silu(Tape& tape, Value x, Label label);

/// result = tanh(x); result = 1/(1 + e^−x). kernels/activation.h.
Value tanh(Tape& tape, Value x, Label label);
Value sigmoid(Tape& tape, Value x, Label label);

// ---- Attention, where rows meet: tape/ops_heads.cpp, ops_attention.cpp.

/// (…, T, H·d) → (…, H, T, d): head h owns features [h·d, (h+1)·d). A copy. Vaswani et al. 2017, §3.2.2.
Value split_heads(Tape& tape, Value x, int n_heads, Label label);

/// (…, H, T, d) → (…, T, H·d), the inverse of split_heads. Concat(head_1, …, head_h) in the paper.
Value merge_heads(Tape& tape, Value x, Label label);

/// (…, R, C) → (…, C, R). A copy. Words as columns, as some textbooks write them.
Value transpose(Tape& tape, Value x, Label label);

/// (…, H, T, S) → (…, 1, T, S): the sum over h, in order from 0, over H. What PyTorch returns as attention
/// weights by default; no head computes with it.
Value mean_heads(Tape& tape, Value x, Label label);

/// The rows of a, then those of b: (…, P, d), (…, L, d) → (…, P + L, d). Leading axes of extent 1 in b, and
/// missing ones, repeat. A copy. Past keys before new ones; PyTorch's bias_k after them.
Value concatenate(Tape& tape, Value a, Value b, Label label);

/// Rotary position embedding: turns the first R features of every row of x (…, T, d) by the angles of that
/// row's position, in pairs; the others pass. cosines and sines (…, T, R/2) from nn::fill_rotary, R ≤ d,
/// their leading axes repeated to fill x's (aligned at the last): (T, R/2) for all, (B, 1, T, R/2) for each
/// sequence its own. They have no gradient. Applied to queries and keys (…, H, T, d_k) before scores. Su et
/// al. 2021, eq. 34; kernels/rope.h.
Value rope(Tape& tape, Value x, Value cosines, Value sines, kernels::RotaryLayout layout, Label label);

/// scores[…,h,t,s] = (Σ_d query[…,h,t,d]·key[…,g,s,d]) / divisor with g = h / (Hq/Hkv): with fewer key heads
/// than query heads, neighbouring query heads share one (grouped-query attention, Ainslie et al. 2023; one
/// key head: multi-query, Shazeer 2019). query (…, Hq, T, d_k), key (…, Hkv, S, d_k), Hkv divides Hq →
/// (…, Hq, T, S). The sum in the order of d, then one division. The divisor is √d_k in Vaswani et al. 2017,
/// eq. 1; an explicit scale s is the divisor 1/s. Masked pairs are computed too; the mask acts in softmax.
Value scores(Tape& tape, Value query, Value key, float divisor, Label label);

/// √d_k of a query or key (…, d_k): the usual divisor.
float root_of_width(const Tape& tape, Value query);

/// result = cap·tanh(x / cap), elementwise: scores kept within (−cap, cap), before bias and mask. cap > 0.
/// Gemma Team 2024, §2; ONNX Attention's softcap.
Value softcap(Tape& tape, Value x, float cap, Label label);

/// weights[…,t,·] = softmax of scores[…,t,·] over the columns s with mask[…,t,s] != 0; other columns get
/// exactly 0, and so does their gradient. scores (…, T, S); mask broadcast to it, aligned at the last axis
/// (missing axes and axes of extent 1 repeat; its last axis is S itself), or an invalid Value: every column
/// is visible. A row without a visible column gets weights 0 and gradient 0 (contract C3).
Value softmax(Tape& tape, Value scores, Value mask, Label label);

/// context[…,h,t,d] = Σ_s weights[…,h,t,s]·value[…,g,s,d], s in order, g = h / (Hq/Hkv) as in scores.
/// weights (…, Hq, T, S), value (…, Hkv, S, d_v) → (…, Hq, T, d_v).
Value context(Tape& tape, Value weights, Value value, Label label);

// ---- From logits to a loss: tape/ops_loss.cpp.

/// result = ln softmax(x) over the last axis. kernels/softmax_axis.h.
Value log_softmax(Tape& tape, Value x, Label label);

struct LossOptions {
  int ignore_index = -100;       // a target equal to it counts for nothing; between -2^24 and 2^24
  float label_smoothing = 0.0f;  // in [0, 1], spread over all classes
  kernels::Reduction reduction = kernels::Reduction::mean;
};

/// The cross-entropy of logits (…, V) against targets (…) holding classes or ignore_index as whole numbers;
/// class_weights (V) or an invalid Value. → a scalar, shape (), for the reductions sum and mean; the targets'
/// shape for none, +0 for ignored rows. Gradients go to the logits and are exactly 0 in ignored rows.
/// nn.CrossEntropyLoss; kernels/cross_entropy.h has the formulas.
Value cross_entropy(Tape& tape, Value logits, Value targets, Value class_weights, const LossOptions& options,
                    Label label);

}  // namespace attn::tape
