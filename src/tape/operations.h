// How much arithmetic a tape is: operations of one entry, or of a whole tape, counted from ops and shapes.
//
// Counted is what the formula of an op asks for, as its kernel writes it (src/kernels has each formula), not
// what a processor does: lanes, tiles and caches change no count. This is a number of operations (FLOPs), not
// a speed (FLOP/s) and not a time.
//
// A sum of n terms is n additions: it begins with +0, as every sum of the engine does. So a product
// (T, K)·(K, N) is T·N·K multiplications and as many additions, the 2·T·N·K of the literature; counted from
// the first term on it would be T·N·(K − 1) additions. The three additions that join four lanes are left out.
// Subtractions count as additions. Copies, comparisons (a row's largest number, relu) and changes of sign
// are not counted.
//
//   op                shapes (R rows of the last axis D)        × multiplications  + additions  / divisions
//   linear            x (R, K), W (N, K)                        R·N·K ×, R·N·K +; with a bias R·N + more
//   scores            q (…, T, d), k (…, S, d) → (…, T, S)      H·T·S·d ×, H·T·S·d +, H·T·S /
//   context           w (…, T, S), v (…, S, d) → (…, T, d)      H·T·S·d ×, H·T·S·d +
//   softmax           V visible columns in all rows             V exponentials, 2V + (x − max, sum), V /
//   log_softmax       R rows of D                               R·D exponentials, 3·R·D +, R functions (ln)
//   add, subtract     n elements                                n +
//   mean_heads        H heads of n elements                     H·n +, n /
//   divide_rows       n elements                                n /
//   scale, dropout    n elements; dropout: those kept           n ×
//   softcap           n elements                                n ×, n /, n functions (tanh)
//   layer_norm        R rows of D                               2·R·D ×, R·(4D + 1) +, R·(D + 2) /, R roots
//   rms_norm          R rows of D                               2·R·D ×, R·(D + 1) +, R·(D + 1) /, R roots
//   rope              R rows, P pairs turned in each            4·R·P ×, 2·R·P +
//   gelu              n elements                                3n ×, n +, n functions (erf)
//   gelu_tanh         n elements: x·sigmoid(x·(a + b·x²))       4n ×, n +, n functions (sigmoid)
//   silu              n elements                                n ×, n functions (sigmoid)
//   tanh, sigmoid     n elements                                n functions
//   cross_entropy     R rows not ignored of V classes, each     V exponentials, 2V +, ln; for each of t terms
//                     with t = 1 term (V with smoothing)        (ln p = x − max − ln Σ)·q: 2t +, t ×; the sum
//                                                               R +, the mean R + more and one /
//   leaf, lookup, relu, replace, and the copies: split_heads, merge_heads, transpose, concatenate: none
//
// Scores are computed for masked pairs too (tape/ops.h), so they count; softmax leaves them out.
#pragma once

#include <cstdint>

#include "tape/tape.h"

namespace attn::tape {

struct Operations {
  std::int64_t multiplications = 0;
  std::int64_t additions = 0;
  std::int64_t divisions = 0;
  std::int64_t exponentials = 0;
  std::int64_t functions = 0;  // roots, logarithms, tanh, erf, sigmoid: one each, whatever they are made of

  std::int64_t total() const { return multiplications + additions + divisions + exponentials + functions; }
  Operations& operator+=(const Operations& more);
  bool operator==(const Operations&) const = default;
};

/// Of one entry.
Operations operations_of(const Tape& tape, Value value);

/// Of the entries [first, end) of a tape; end −1: to its last.
Operations operations_of(const Tape& tape, int first = 0, int end = -1);

}  // namespace attn::tape
