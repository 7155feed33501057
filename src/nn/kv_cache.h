// What a decoder remembers of the positions it has seen: their keys and values in every layer, and those of
// the memory that cross-attention asks. With it a new position costs one row of work instead of a whole pass.
//
// A cache belongs to one sequence of one model. A batch is a list of caches, whose lengths may differ. nn::
// decode (nn/inference.h) appends to it; rolling back forgets the newest positions. Whatever the order of
// appending and rolling back, the rows that come out have the bits of one pass over the whole sequence
// (contract C1): a position's keys and values depend on the positions it may see, and nothing else.
//
// Also known as: past_key_values (Hugging Face), present_key/value (ONNX), incremental state (fairseq).
#pragma once

#include <span>
#include <vector>

#include "kernels/attention.h"
#include "nn/config.h"

namespace attn::nn {

/// Keys and values of one attention block, in the layout of kernels/attention.h.
struct KeysAndValues {
  std::vector<float> keys;
  std::vector<float> values;
};

class KvCache {
 public:
  /// An empty cache for a model with a decoder, whose config must be valid.
  explicit KvCache(const TransformerConfig& config);

  /// How many target positions are stored.
  int length() const { return length_; }

  /// How many rows the stored memory has; 0 before store_memory (nn/inference.h) and in a decoder-only model.
  int memory_length() const { return memory_length_; }

  /// Forgets the positions from `length` on, `length` in [0, length()]. Nothing is computed or freed.
  void roll_back(int length);

  /// Makes room, so that nothing is allocated until that many positions are stored. Room never shrinks.
  void reserve(int positions);

  // ---- For nn/inference: one layer's keys and values, and how many of them count.

  kernels::HeadLayout heads() const { return heads_; }
  int n_layers() const { return static_cast<int>(self_.size()); }
  KeysAndValues& self_attention(int layer) { return self_[static_cast<std::size_t>(layer)]; }
  KeysAndValues& cross_attention(int layer) { return cross_[static_cast<std::size_t>(layer)]; }

  /// Makes room for `count` more positions; they count only after advance().
  void make_room(int count);
  void advance(int count);

  /// Makes room for a memory of `rows` rows, which replaces the one before.
  void replace_memory(int rows);

 private:
  kernels::HeadLayout heads_;
  std::vector<KeysAndValues> self_;   // one a layer
  std::vector<KeysAndValues> cross_;  // one a layer; none in a decoder-only model
  int length_ = 0;
  int capacity_ = 0;
  int memory_length_ = 0;
};

}  // namespace attn::nn
