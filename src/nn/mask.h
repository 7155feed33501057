// Masks are predicates (contract C3): a Mask answers "may query i see key j". No -inf and no -1e9 in here;
// other projects' conventions are converted at the border by the functions that name them.
//
// A Mask knows no sizes: it is asked about a query and a key of a head of a sequence of a batch. Queries and
// keys are counted from 0; with a cache, keys count from the first cached one.
//
// Which way round (all of these as they are found in the wild):
//
//   Mask, ONNX Attention, PyTorch scaled_dot_product_attention   true = may see
//   Hugging Face attention_mask                                  1 = may see (padding is 0)
//   PyTorch nn.MultiheadAttention, nn.Transformer, *_mask        true = blocked
//   any float mask                                               added to the scores; -inf = blocked
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor.h"

namespace attn::nn {

class Mask {
 public:
  // ---- Rules.

  /// Every query sees every key.
  static Mask none() { return Mask(); }

  /// Query i sees key j exactly when j <= i + offset: the triangle of Vaswani et al. 2017, §3.2.3, with its
  /// corner at the top left. With P cached keys before the queries' own, the offset is P. A negative one
  /// leaves the first rows empty.
  static Mask causal(int offset = 0);

  /// The triangle with its corner at the bottom right: the last query sees the last key, offset keys −
  /// queries. FlashAttention's and xFormers' meaning of causal; the same as causal() when the counts agree.
  static Mask causal_bottom_right(int queries, int keys) { return causal(keys - queries); }

  /// One offset for every sequence of the batch.
  static Mask causal(std::span<const int> offsets);

  /// Query i stands at position p = i + offset and sees keys p − left <= j <= p + right (Beltagy et al. 2020,
  /// §3.1). A negative width is no bound on that side. Causal and local is sliding_window(left, 0).
  static Mask sliding_window(int left, int right = -1, int offset = 0);
  static Mask sliding_window(int left, int right, std::span<const int> offsets);

  // ---- Keys that are there, whoever asks.

  /// Keys j with visible[j] != 0; keys beyond the list are not seen.
  static Mask keys(std::span<const std::uint8_t> visible);

  /// Sequence b has keys 0 .. lengths[b] − 1: padding on the right. ONNX nonpad_kv_seqlen.
  static Mask lengths(std::span<const int> lengths);

  /// The first padding[b] keys of sequence b are not seen: padding on the left.
  static Mask left_padding(std::span<const int> padding);

  // ---- Any array of answers, row-major, nonzero = may see.

  /// (queries, keys). Pairs beyond it are not seen.
  static Mask matrix(std::span<const std::uint8_t> visible, int queries, int keys);

  /// Rank 1 to 4, aligned at the last axis with (B, H, T, S): (S), (T, S), (H, T, S), (B, H, T, S). Missing
  /// axes repeat, and so does every axis of extent 1 but the last: keys beyond it are not seen.
  static Mask grid(std::span<const std::uint8_t> visible, const core::Shape& shape);

  // ---- Conventions of others. Float masks: see split_float_mask.

  /// PyTorch nn.MultiheadAttention and nn.Transformer: true = blocked. (S) or, with a batch, (B, S).
  static Mask from_pytorch_key_padding(std::span<const std::uint8_t> blocked);
  static Mask from_pytorch_key_padding(std::span<const std::uint8_t> blocked, int batch, int keys);

  /// attn_mask, src_mask, tgt_mask, memory_mask of dtype bool, true = blocked: (T, S), or (B·H, T, S) with
  /// one matrix for every head of every sequence.
  static Mask from_pytorch_bool(std::span<const std::uint8_t> blocked, int queries, int keys);
  static Mask from_pytorch_bool(std::span<const std::uint8_t> blocked, int batch, int n_heads, int queries,
                                int keys);

  /// ONNX Attention's attn_mask of type bool, true = may see, and PyTorch's scaled_dot_product_attention: any
  /// shape that grid() takes. Shorter than the keys: the rest is not seen (ONNX pads with false).
  static Mask from_onnx_bool(std::span<const std::uint8_t> visible, const core::Shape& shape) {
    return grid(visible, shape);
  }

  // ---- Use.

  /// A pair is seen when both masks allow it (logic, never a sum of large negative numbers).
  Mask and_also(const Mask& other) const;

  bool may_see(int batch, int head, int query, int key) const;

  /// Of `keys` keys a query sees `first`, none before it and none from `end` on; in between all, when
  /// `whole`, else those for which may_see() says so. first = end = 0 when it sees none.
  struct Reach {
    int first;
    int end;
    bool whole;
  };
  Reach reach(int batch, int head, int query, int keys) const;

  /// may_see() of an unbatched run, for a mask that is the same for all heads.
  bool may_see(int query, int key) const { return may_see(0, 0, query, key); }

  /// Whether sequences or heads may differ in what they see.
  bool differs_by_batch() const;
  bool differs_by_head() const;

  /// The smallest shape that holds the answers for (batch, heads, queries, keys) and broadcasts to scores:
  /// (T, S), (H, T, S), (B, 1, T, S) or (B, H, T, S).
  core::Shape shape_for(int batch, int heads, int queries, int keys) const;

  /// (queries, keys): 1 where may_see, 0 elsewhere.
  core::Tensor materialise(int queries, int keys) const;

  /// The same in a shape of rank 2 to 4, aligned at the last axis with (B, H, T, S), into memory of the
  /// caller's.
  void write(std::span<float> values, const core::Shape& shape) const;

 private:
  /// Position i + offset sees [position − left, position + right]; negative: no bound.
  struct Band {
    std::vector<int> offsets;  // one, or one a sequence
    int left = -1;
    int right = -1;
  };

  /// Keys [first, end) of each sequence.
  struct Range {
    int first;
    int end;
  };

  struct Grid {
    std::vector<std::uint8_t> visible;
    core::Shape shape;  // rank 4
    bool rows_repeat;   // a single row serves every query

    /// The answers for one query, null when they are beyond the grid.
    const std::uint8_t* row(int batch, int head, int query) const;
  };

  void narrow(int batch, int query, int& first, int& end) const;

  std::vector<Band> bands_;
  std::vector<std::vector<Range>> ranges_;  // each has one entry a sequence
  std::vector<Grid> grids_;
};

/// A float mask taken apart: −inf says what may not be seen, anything finite is a bias of the scores (ALiBi,
/// relative positions). A large negative number such as −1e9 is a bias like any other: a row of nothing else
/// is a uniform row, not an empty one.
struct FloatMask {
  Mask visible;
  core::Tensor bias;  // empty (size 0) when every finite entry is 0
};

/// PyTorch's and ONNX's float masks; `values` of rank 1 to 4, aligned at the last axis with (B, H, T, S).
/// `keys` is S: a shorter mask hides the rest, and the bias is filled up with zeros so that it can be added.
FloatMask split_float_mask(core::TensorView values, int keys);

}  // namespace attn::nn
