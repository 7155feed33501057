// A cell explains itself: from the op that made it and that op's inputs, the expansion of one element as a
// reader would write it, recomputed term by term to the same bits.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "tape/tape.h"

namespace attn::tape {

/// A named element: `q[2,0]` of a labelled tensor with its value.
struct Element {
  Label label;
  std::array<int, 4> index{};
  int rank = 0;
  float value = 0.0f;
};

/// One summand: `a` alone, or the product `a·b`.
struct Term {
  Element a;
  Element b;                  // rank < 0 when there is no second factor
  float contribution = 0.0f;  // what it adds: the rounded product; e^(s − max) for softmax; a row's loss
};

/// How the terms combine.
enum class Form : std::uint8_t {
  given,            // no terms: tokens, masks, parameters; put in place of a computed element (replace)
  copied,           // = a                                    (table lookup, concatenated rows)
  sum_of_products,  // = Σ a·b, then + bias when there is one  (linear, context)
  scaled_products,  // = (Σ a·b) / divisor                    (scores); Σ a / divisor (a mean,
                    // a row over its divisor)
  softmax,          // = e^(s_j − max) / Σ e^(s_i − max), terms are the visible scores; `chosen` is j
  no_visible_key,   // a row of softmax that sees nothing: 0
  masked,           // a column this row may not see: 0
  plain_sum,        // = a + b
  layer_norm,       // = (x − mean) / deviation · γ + β
  relu,             // = max(0, x)
  gelu,             // = x·Φ(x)
  function,         // = f(a), another elementwise function: `op` says which
  scaled,           // = a · constant                         (scale; dropout where it keeps, 1/(1 − p))
  dropped,          // an element that dropout set to 0
  rms_norm,         // = x / divisor · γ
  difference,       // = a − b
  rotated,          // = a·b ± a'·b': a pair turned by its angle, `negative` when it is minus
  log_softmax,      // = (s_j − max) − ln Σ e^(s_i − max), terms are all columns; `chosen` is j
  loss,             // = (Σ losses) / divisor: terms are the target's logits, one a row, and their losses
};

struct Explanation {
  Form form = Form::given;
  Op op = Op::leaf;  // what made the element; a copy is explained as what made the original
  Element result;
  std::vector<Term> terms;  // in the order of summation
  Element bias;             // linear: b[j]; layer_norm: β[j]; rank < 0 when absent
  Element scale;            // layer_norm, rms_norm: γ[j]; rank < 0 when absent
  int chosen = -1;          // softmax: which term is the numerator
  float maximum = 0.0f;     // softmax: largest visible score
  float total = 0.0f;       // sum of the terms before bias or division
  float divisor = 1.0f;  // scores: √d_k; softmax: the total; layer_norm: √(variance + ε); rms_norm: the
                         // root mean square; loss: the targets' weights for the mean
  float mean = 0.0f;     // layer_norm
  int divisor_squared = 0;  // scores divided by √d_k: d_k, so that √4 can be written; 0 otherwise
  float constant = 0.0f;    // function: its constant, softcap's cap; scaled: the factor
  bool negative = false;    // rotated: the second term is subtracted
};

/// Explains element `index` of an entry. A copy (split or merged heads) explains as what was copied, under
/// its own name. The index must lie within the tensor.
Explanation explain(const Tape& tape, Value value, std::array<int, 4> index);

/// "softcap": an elementwise function's name as formulas write it; "" for other ops.
std::string_view function_name(Op op);

/// The value the expansion gives, computed from the terms in order; equal to the tensor's element to the bit.
float recompute(const Explanation& explanation);

}  // namespace attn::tape
