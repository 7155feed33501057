// What a tensor on the tape *is*: which stack, layer and block it belongs to, which of the field's named
// tensors it is, and what each of its axes counts. Two runs are aligned by these labels, so no comparison
// needs special cases.
//
// Axes are those of one sequence; a batch adds one in front: scores (H, T, S) or (B, H, T, S).
//
// Glossary: our name, the tensor, and what others call it. AIAYN is the paper (Vaswani et al. 2017), MHA
// PyTorch's nn.MultiheadAttention, HF Hugging Face Transformers, TL TransformerLens, llm.c Karpathy's GPT-2.
//
// clang-format off
//   tokens         (T)        token ids                      src, tgt in PyTorch · input_ids in HF · inp in llm.c
//   position       (T, D)     what is added for the place    PE in AIAYN §3.5 · hook_pos_embed in TL
//   poke           (T, D)     what a lesson adds on top      —
//   unchanged      (T, D)     a result as it is without    —
//                             what a lesson changed
//   embedding      (T, D)     their sum, a stack's input     inputs_embeds in HF · resid_pre of layer 0 in TL ·
//                                                            encoded in llm.c
//   query          (H, T, d)  x·W_qᵀ + b_q, by heads         Q·W_i^Q in AIAYN · query_states in HF · hook_q in TL
//   key            (H, S, d)  likewise of what is asked      K·W_i^K in AIAYN · key_states in HF · hook_k in TL ·
//                                                            with past keys in front: present_key in ONNX
//   value          (H, S, d)  likewise                       V·W_i^V in AIAYN · value_states in HF · hook_v in TL
//   scores         (H, T, S)  q·kᵀ/√d_k, before any mask     attention logits · attention_scores in BERT ·
//                                                            attn_scores in TL (the mask is in it already) ·
//                                                            preatt in llm.c · ONNX qk_matmul_output mode 0
//   capped_scores  (H, T, S)  softcap·tanh(scores/softcap)   ONNX mode 1 · attn_logit_softcapping in Gemma 2
//   biased_scores  (H, T, S)  + a finite bias                ALiBi, relative positions · a float attn_mask's
//                                                            finite part in PyTorch and ONNX
//   mask           (T, S)     1 where i may see j            the same way round: ONNX, PyTorch SDPA, HF · the
//                                                            other way round: MHA's bool masks
//   weights        (H, T, S)  softmax of visible scores      attention probabilities · attn_weights,
//                                                            attn_output_weights in MHA · attentions in HF ·
//                                                            hook_pattern in TL · att in llm.c · ONNX mode 3 · α
//   context        (H, T, d)  weights·value                  head_i in AIAYN · attn_output in MHA · hook_z in TL
//   concatenated   (T, D)     heads side by side             Concat(head_1 … head_h) in AIAYN · context_layer in
//                                                            BERT · atty in llm.c
//   attention      (T, D)     concatenated·W_oᵀ + b_o        MultiHead(Q, K, V) in AIAYN · output of MHA ·
//                                                            hook_attn_out in TL · attproj in llm.c
//   residual       (T, D)     block input + block output     x + Sublayer(x) in AIAYN · resid_mid, resid_post in
//                                                            TL · residual2, residual3 in llm.c
//   norm           (T, D)     layer norm after the block     norm1, norm2, norm3 in PyTorch · ln_1, ln_2 in GPT-2 ·
//                             (post-norm) or before it       hook_normalized in TL
//   hidden         (T, d_ff)  x·W_1ᵀ + b_1                   linear1 in PyTorch · fc1 · hook_pre in TL · fch in llm.c
//   activated      (T, d_ff)  act(hidden)                    intermediate in BERT · hook_post in TL · fch_gelu in
//                                                            llm.c
//   feed_forward   (T, D)     activated·W_2ᵀ + b_2           FFN(x) in AIAYN · linear2 in PyTorch · hook_mlp_out in
//                                                            TL · fcproj in llm.c
//   memory         (S, D)     the encoder's output           memory in PyTorch · encoder_hidden_states in HF
//   output         (T, D)     the decoder's output           last_hidden_state in HF · lnf in llm.c
//   logits         (T, V)     output over the vocabulary     lm_head's output in HF · the same in llm.c and TL
//   probabilities  (T, V)     softmax of the logits          probs in llm.c
//   losses         (T)        −log p of each position's      CrossEntropyLoss with reduction='none' in PyTorch ·
//                             target                         losses in llm.c
//   …_columns      (D, T)     the tensor with a column a     X, Q, K, V, O of textbooks with column vectors
//                             position, as O = V·softmax(KᵀQ) has them
//   row_sums       (T)        sum of a row of weights        —
//   figures        (N, M)     what a lesson counted or       —
//                             measured; `layer` tells apart
//
//   embedding_table (V, D)    E, W_E in TL, wte in GPT-2     position_table (max, D)  P, W_pos in TL, wpe in GPT-2
//   query_weight …  (D, D)    W_q: a third of in_proj_weight in MHA, of c_attn in GPT-2 (transposed there)
//   output_weight   (D, D)    W_o: out_proj in MHA           logits_weight (V, D)  W_U transposed in TL
//   norm_scale, norm_shift    γ, β: weight, bias in PyTorch  gain, bias in Ba et al. 2016
// clang-format on
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
  unchanged,
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
  probabilities,
  losses,
  embedding_columns,
  query_columns,
  key_columns,
  value_columns,
  context_columns,
  row_sums,
  figures,
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
