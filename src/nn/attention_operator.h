// Attention as one operator on tensors, with everything that ONNX's Attention (opset 23 to 25), PyTorch's
// scaled_dot_product_attention and the published variants ask of it; and every stage between, for whoever
// wants to look. The layer with its projections is nn/attention.h.
//
//   scores   = q·kᵀ·scale                          (B, Hq, T, S)     Vaswani et al. 2017, eq. 1
//   capped   = softcap·tanh(scores / softcap)       where asked for   Gemma Team 2024, §2
//   biased   = capped + bias                        where there is one
//   weights  = softmax of biased over the keys that the mask lets be seen, exactly 0 elsewhere
//   output   = weights·v                            (B, Hq, T, d_v)
//
// S counts the past keys too: keys are past_key followed by key. Query head h uses key head h / (Hq/Hkv)
// (grouped-query attention, Ainslie et al. 2023). A row without a visible key has weights 0 and output 0.
// Stages are by-products: asking for them changes no bit of the output.
#pragma once

#include <optional>
#include <span>

#include "core/result.h"
#include "core/tensor.h"
#include "nn/dropout.h"
#include "nn/mask.h"
#include "tape/tape.h"

namespace attn::nn {

/// A tensor that is not there has null values.
struct AttentionInputs {
  // Either all three (B, heads, length, width) or all three (B, length, heads·width), heads side by side.
  core::TensorView query;       // (B, Hq, T, d_k)  or (B, T, Hq·d_k)
  core::TensorView key;         // (B, Hkv, L, d_k) or (B, L, Hkv·d_k)
  core::TensorView value;       // (B, Hkv, L, d_v) or (B, L, Hkv·d_v)
  core::TensorView past_key;    // (B, Hkv, P, d_k), optional
  core::TensorView past_value;  // (B, Hkv, P, d_v), optional
  core::TensorView bias;  // a float mask: broadcast to (B, Hq, T, S), aligned at the last axis, optional.
                          // −inf hides; keys beyond a shorter last axis are hidden (ONNX)
};

struct AttentionOptions {
  int n_heads = 0;               // Hq; needed for rank 3 only
  int n_kv_heads = 0;            // Hkv; rank 3 only, 0: as many as n_heads
  std::optional<float> scale{};  // 1/√d_k unless given
  float softcap = 0.0f;          // 0: none
  Mask mask{};                   // as given; the next three are put together with it
  /// Keys of sequence b that are not padding, counted from the first; empty: all. ONNX nonpad_kv_seqlen.
  std::span<const int> valid_lengths{};
  /// Query i of sequence b stands at position p = i + offset, where the offset is valid_lengths[b] − T if
  /// these are given, else the number of past keys. Causal: keys j <= p. For other corners use `mask`.
  bool causal = false;
  int left_window = -1;   // keys j >= p − left_window; negative: no bound
  int right_window = -1;  // keys j <= p + right_window; negative: no bound
};

/// The results on a tape: `output` and what it was made of. Stages that the options have no use for (capped,
/// biased) are not valid().
struct RecordedAttention {
  tape::Value output;                      // in the layout of the query
  tape::Value present_key, present_value;  // (B, Hkv, S, ·): past and new
  tape::Value scores, capped, biased, mask, weights;
};

/// Entries of a tape; those that are not there are not valid().
struct AttentionValues {
  tape::Value query, key, value, past_key, past_value, bias;
};

/// Records the operator on a tape, gradients and explanations included; the stages get labels of the block
/// that `place` names. Without n_heads the layout is (…, heads, length, width), with or without a batch axis.
/// Shapes that don't fit are our own mistake; `attention` below checks them.
RecordedAttention record_attention(tape::Tape& tape, const AttentionValues& inputs,
                                   const AttentionOptions& options, const tape::Label& place = {});

/// The inside of it, for those who have heads already: query (…, Hq, T, d_k), key (…, Hkv, S, d_k), value
/// (…, Hkv, S, d_v) → output (…, Hq, T, d_v), labelled `context`.
struct AttendOptions {
  float divisor = 0.0f;        // of the scores; 0: √d_k
  float softcap = 0.0f;        // 0: none
  tape::Value bias{};          // broadcast to (…, Hq, T, S)
  Dropout* dropout = nullptr;  // of the weights, in training
  int open_keys = 0;  // the last keys are seen by everybody, whatever the mask says; it counts the others
};
RecordedAttention attend(tape::Tape& tape, tape::Value query, tape::Value key, tape::Value value,
                         const Mask& mask, const AttendOptions& options, const tape::Label& place);

/// Stages to copy out.
struct AttentionStages {
  bool scores = false;   // ONNX qk_matmul_output_mode 0
  bool capped = false;   // mode 1: after the softcap (equal to scores without one)
  bool masked = false;   // mode 2: after bias and mask, −inf where a key is not visible
  bool weights = false;  // mode 3
};

/// Tensors that were not asked for are empty.
struct AttentionResult {
  core::Tensor output;                           // in the layout of the query
  core::Tensor present_key, present_value;       // (B, Hkv, S, ·)
  core::Tensor scores, capped, masked, weights;  // (B, Hq, T, S)
};

/// The operator on plain tensors, always with a batch axis. Error: shapes, head counts, lengths or numbers
/// that don't fit together, by name.
core::Result<AttentionResult> attention(const AttentionInputs& inputs, const AttentionOptions& options = {},
                                        const AttentionStages& stages = {});

}  // namespace attn::nn
