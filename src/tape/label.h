// What a tensor on the tape *is*: which stack, layer and block it belongs to, which of the field's named
// tensors it is, and what each of its axes counts. Two runs are aligned by these labels, so no comparison
// needs special cases.
//
// Glossary (our name = what others call it):
//   query, key, value    the projected inputs of attention, per head; q, k, v; "queries" in Vaswani et al.
//   2017 §3.2 scores               q·kᵀ/√d_k before the mask; attention logits, "attn_scores", ONNX
//   qk_matmul_output mode 0 mask                 1 where query i may see key j; the inverse of PyTorch
//   nn.MultiheadAttention's bool mask,
//                        the same polarity as SDPA's and ONNX's
//   weights              softmax of the visible scores; attention probabilities, "attn_weights", "alpha
//   prime" context              weights·value per head; "z", "head_i" in the paper concatenated         the
//   heads side by side again, Concat(head_1..head_h) attention            concatenated·W_oᵀ + b_o;
//   MultiHead(Q,K,V) in the paper, the output of nn.MultiheadAttention residual             block input +
//   block output norm                 layer normalisation of this block (after it: post-norm; before it:
//   pre-norm) hidden, activated    the feed-forward layer before and after its activation; linear1 in PyTorch
//   feed_forward         output of the feed-forward layer; linear2 in PyTorch
//   memory               final output of the encoder stack
//   output               final output of the decoder stack
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace attn::tape {

enum class Stack : std::uint8_t { model, encoder, decoder };

enum class Block : std::uint8_t { none, self_attention, cross_attention, feed_forward };

enum class Site : std::uint8_t {
  unnamed,  // an intermediate no reader asks for; never aligned
  tokens,
  poke,
  position,
  embedding,
  query,
  key,
  value,
  scores,
  capped_scores,
  biased_scores,
  mask,
  weights,
  context,
  concatenated,
  attention,
  residual,
  norm,
  hidden,
  activated,
  feed_forward,
  memory,
  output,
  logits,
  // Parameters.
  embedding_table,
  position_table,
  query_weight,
  query_bias,
  key_weight,
  key_bias,
  value_weight,
  value_bias,
  output_weight,
  output_bias,
  linear1_weight,
  linear1_bias,
  linear2_weight,
  linear2_bias,
  norm_scale,
  norm_shift,
  logits_weight,
  logits_bias,
};
inline constexpr int kSiteCount = static_cast<int>(Site::logits_bias) + 1;

/// What the positions along an axis are.
enum class Axis : std::uint8_t {
  head,        // attention heads
  target,      // positions of the target sequence
  source,      // positions of the source sequence
  feature,     // d_model, d_k, d_v or d_ff
  vocabulary,  // token ids
};

struct Label {
  Stack stack = Stack::model;
  int layer = -1;  // 0-based; -1 outside the layers
  Block block = Block::none;
  Site site = Site::unnamed;

  bool operator==(const Label&) const = default;
};

/// The axes of the tensor a label names, outermost first: scores of the decoder's cross-attention are
/// (head, target, source), those of its self-attention (head, target, target).
std::span<const Axis> axes_of(const Label& label);

/// Which of these axes holds the rows a reader compares (the positions), -1 if none does.
int row_axis(const Label& label);

/// True for weights, biases, tables: what a model learns rather than computes.
bool is_parameter(Site site);

/// "weights", "query_weight", … and the symbol used in formulas: "q", "W_q".
std::string_view name_of(Site site);
std::string_view symbol_of(Site site);

/// "decoder.0.self_attention.scores", "encoder.memory", "decoder.embedding". `parse` is its inverse.
std::string to_string(const Label& label);
core::Result<Label> parse_label(std::string_view text);

}  // namespace attn::tape
