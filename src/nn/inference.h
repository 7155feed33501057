// The forward pass without a tape: what generation and everything that only wants results runs on.
//
// The same functions of the same numbers as nn/transformer.h records on a tape, to the bit (contract C1), but
// nothing is kept on the way: products write into each other's place, masks are ranges of keys, the hidden
// layer of the feed-forward block exists a block of columns at a time. Several sequences may be worked on at
// once; each gets the bits it would get alone. One decoder serves the whole pass, the prompt and the single
// step: it appends its rows to a KvCache, and the whole pass is the case of an empty one.
//
// Sequences lie one after the other in one matrix of rows: sequence b has counts[b] rows, of d_model columns.
// Sequence b is batch index b of a Mask. Dropout does nothing here.
//
// Source: Vaswani et al. 2017, section 3; pre-norm: Xiong et al. 2020, figure 1b.
#pragma once

#include <span>
#include <vector>

#include "core/tensor.h"
#include "kernels/attention.h"
#include "nn/kv_cache.h"
#include "nn/mask.h"
#include "nn/parameters.h"
#include "tape/label.h"

namespace attn::nn {

/// The rows of one sequence as attend() wants to know what they see. Filled in by nn/inference.cpp.
struct SequenceVisibility {
  std::vector<kernels::VisibleKeys> visible;
  std::vector<float> flags;
  std::ptrdiff_t head_step = 0;
  int keys = 0;  // how many keys there are
};

/// Memory to work in. It grows to what the largest call needed; a later call of no more rows and keys
/// allocates nothing. One serves any number of models, one call at a time.
struct Workspace {
  std::vector<float> input;                     // a block's input when it is not x itself (pre-norm)
  std::vector<float> query;                     // and, in its place, the context
  std::vector<float> key;                       // projected keys, row by row
  std::vector<float> value;                     // projected values, row by row
  std::vector<float> result;                    // a block's output
  std::vector<float> keys;                      // one sequence's keys in attend()'s layout
  std::vector<float> attention;                 // kernels::attend's scratch
  std::vector<float> feed_forward;              // kernels::feed_forward's scratch
  std::vector<SequenceVisibility> self, cross;  // one a sequence
};

/// Token ids → their vectors, of one sequence or a part of one: a row of the stack's table, times √d_model
/// when the config scales, plus row `first_position` + t of the position table when there is one. tokens (T)
/// → (T, d_model). Ids must lie in [0, vocabulary), positions in [0, max_positions).
void embed(const Transformer& model, tape::Stack stack, std::span<const int> tokens, int first_position,
           core::Matrix out);

/// Encoder stack: x (rows, d_model) → memory (rows, d_model), which may be x itself.
void encode(const Transformer& model, core::ConstMatrix x, std::span<const int> counts, const Mask& source,
            Workspace& workspace, core::Matrix memory);

/// Projects the memory of one sequence for the cross-attention of every layer into its cache; what the cache
/// held of a memory is replaced, the target positions stay.
void store_memory(const Transformer& model, core::ConstMatrix memory, Workspace& workspace, KvCache& cache);

/// Decoder stack: the next counts[b] rows of each sequence b are appended to caches[b] → output, which may be
/// x itself. Row i of them is the sequence's query length() + i (length() before the call); `target` answers
/// for that query and key, with all keys of the cache in reach, the new rows' included; `memory_mask` for
/// that query and row of the memory. Both stacks' masks are as in nn/transformer.h. A decoder-only model has
/// no memory and no use for its mask.
void decode(const Transformer& model, core::ConstMatrix x, std::span<const int> counts,
            std::span<KvCache* const> caches, const Mask& target, const Mask& memory_mask,
            Workspace& workspace, core::Matrix output);

/// The last stack's output (rows, d_model) → logits (rows, vocabulary); the config must have a projection.
/// `logits` must not overlap `output`.
void project_to_vocabulary(const Transformer& model, core::ConstMatrix output, core::Matrix logits);

}  // namespace attn::nn
