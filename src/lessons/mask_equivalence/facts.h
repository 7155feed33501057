// What the narration may say about a run, computed from its tapes.
#pragma once

#include <string>
#include <vector>

#include "lessons/mask_equivalence/experiment.h"

namespace attn::lessons::mask_equivalence {

inline constexpr tape::Label self_attention(int layer, tape::Site site) {
  return {tape::Stack::decoder, layer, tape::Block::self_attention, site};
}
inline constexpr tape::Label kOutput{tape::Stack::decoder, -1, tape::Block::none, tape::Site::output};

struct Facts {
  int newest = 0;  // newest row both passes have
  int d_k = 0;     // features of a head
  int total = 0;   // tensors compared
  int equal = 0;   // of them equal to the bit
  bool all_equal = false;
  RunText first_place;  // of the first tensor that differs; empty when none does
  std::string first_difference;
  std::optional<Focus>
      first_focus;        // the cell of its largest difference, so that stage and words show one number
  int training_sees = 0;  // keys the newest row sees in the first decoder layer, training pass
  int inference_sees = 0;
  tape::TensorDifference newest_scores, newest_weights;  // that row, first decoder layer, all heads
  tape::TensorDifference output;                         // all common rows
  tape::TensorDifference masks;  // of the decoder's self-attention: the rows and columns both passes have
  int changed_older_rows = 0;    // rows before the newest whose weights differ in the first decoder layer
  int first_poked_row = -1;      // first row of the training output that the poke changed; -1: none
  std::string tokens;            // "4 3 2 1 0", at most five of them, then "…"
};

Facts facts_of(const Run& run, const Settings& settings);

/// "0 ULP" in the role of equal, or "5.9e−1" in the role of different, as narration markup.
std::string verdict_markup(const tape::TensorDifference& difference);

}  // namespace attn::lessons::mask_equivalence
