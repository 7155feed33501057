// nn.MultiheadAttention on a tape: projections, the attention operator, the output projection, and the way
// back. Rows that the module appends to keys and values (bias_k, bias_v, a row of zeros) come after the
// others.
#pragma once

#include <span>

#include "conformance/array.h"
#include "conformance/torch_masks.h"
#include "kernels/matmul.h"
#include "nn/attention.h"
#include "tape/backward.h"
#include "tape/tape.h"

namespace attn::conformance {

/// y = x·Wᵀ + b; an empty bias is none.
struct Projection {
  FloatArray weight;  // (out, in)
  FloatArray bias;    // (out)
};

struct MultiHead {
  int n_heads = 1;
  Projection in[3];  // query, key, value
  Projection out;
  FloatArray extra_key, extra_value;  // bias_k and bias_v, (1, 1, D); empty: none
  bool zero_key = false;              // add_zero_attn
  TorchMask mask;                     // over the keys that are given
};

/// Malformed unless all shapes fit: query (B, T, ·), key and value (B, S, ·).
void check(const MultiHead& heads, const FloatArray& query, const FloatArray& key, const FloatArray& value);

/// Matrices or vectors below each other; those without values are left out.
FloatArray stacked_rows(std::span<const FloatArray> parts);

/// One forward pass and, when asked, one backward. Everything given must outlive it.
class MultiHeadRun {
 public:
  /// `shared`: key and value are the query, whose gradient collects all three.
  MultiHeadRun(const MultiHead& heads, const FloatArray& query, const FloatArray& key,
               const FloatArray& value, bool shared);

  FloatArray output() const;   // (B, T, D)
  FloatArray weights() const;  // (B, H, T, S)
  void backward(const FloatArray& seed);
  FloatArray gradient_of_query() const { return gradient_of(query_, query_extents_); }
  FloatArray gradient_of_key() const { return gradient_of(key_, key_extents_); }
  FloatArray gradient_of_value() const { return gradient_of(value_, value_extents_); }
  /// Of a weight or bias of `heads`; in its shape.
  FloatArray gradient_of(const FloatArray& parameter) const;

 private:
  nn::LinearView view_of(const Projection& projection);
  FloatArray gradient_of(tape::Value value, const Extents& extents) const;

  tape::Tape tape_;
  tape::Gradients gradients_;
  kernels::PackedMatrix packed_[4];
  int n_packed_ = 0;
  tape::Value query_, key_, value_, output_, weights_;
  Extents query_extents_, key_extents_, value_extents_;
};

}  // namespace attn::conformance
