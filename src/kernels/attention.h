// Attention of some queries to stored keys and values, all heads at once, without scores or weights in
// memory as a whole.
//
//   context[i, h] = sum over visible j of w[j] v[j, h],   w = softmax over visible j of (q[i, h] . k[j, h]) /
//   divisor
//
// The bits are those of matmul, division, masked_softmax and matmul one after the other: each dot product
// over the head's features in order from +0, one division, the softmax of kernels/softmax.h, the sum over j
// in order from +0. A masked key adds exactly 0, so keys before the first visible one and after the last are
// not looked at at all. (With a value that is infinite or NaN behind a mask the two ways may differ: 0 * inf
// is NaN.) Source: Vaswani et al. 2017, section 3.2.
//
// Keys and values are stored for attend() in a layout of its own, so that keys run across lanes, or heads do
// where they are tiny; a cache appends to it row by row. Row t of the layout depends on row t alone.
#pragma once

#include <cstddef>
#include <span>

#include "core/tensor.h"

namespace attn::kernels {

/// n_heads heads of `width` features each, side by side in every row (T, n_heads * width).
struct HeadLayout {
  int n_heads = 1;
  int width = 1;  // d_k = d_v

  int row_width() const { return n_heads * width; }
  bool operator==(const HeadLayout&) const = default;
};

/// How many floats the store of `capacity` keys takes; one of values takes as many. A store may be enlarged
/// by copying it to the front of a larger one.
std::size_t attention_store_size(HeadLayout heads, int capacity);

/// Writes rows (n, H * d) as keys [first, first + n) of the store.
void store_keys(HeadLayout heads, core::ConstMatrix rows, int first, std::span<float> keys);

/// Where values [first, first + n) of the store lie: values are kept as plain rows, to be written in place.
core::Matrix stored_values(HeadLayout heads, int first, int count, std::span<float> values);

/// The keys one query may see: some or all of [first, end).
struct VisibleKeys {
  int first = 0;                 // the first one it sees
  int end = 0;                   // keys from here on are not seen; 0: it sees none
  const float* flags = nullptr;  // (end - first): not 0 where a key is seen; null: all of them are
};

/// Who sees what: row i of the queries has visible[head * head_step + i]; head_step 0: the same for all
/// heads.
struct Visibility {
  const VisibleKeys* visible = nullptr;
  std::ptrdiff_t head_step = 0;
};

/// How many floats of scratch memory attend() needs when no query sees a key from `keys` on.
std::size_t attend_scratch(HeadLayout heads, int queries, int keys);

/// query, out (T, H * d). A query that sees no key has context 0. `out` must not overlap the inputs, except
/// that it may be `query` itself. Allocates nothing.
void attend(HeadLayout heads, core::ConstMatrix query, float divisor, std::span<const float> keys,
            std::span<const float> values, Visibility visibility, std::span<float> scratch, core::Matrix out);

}  // namespace attn::kernels
