// The experiment of the lesson `mask-equivalence`, apart from its words: nn.Embedding(10, 8) and
// nn.Transformer(d_model=8), source 0 1 2 3 4, target 4 3 2 1 0 and so on down, one masked pass beside the
// pass over a prefix.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::mask_equivalence {

/// What the reader can change, as numbers.
struct Settings {
  int seed = 0;
  int n_layers = 6;
  int n_heads = 8;
  bool norm_first = false;
  int length = 5;  // target tokens of the training pass
  int prefix = 1;  // target tokens of the inference pass
  bool training_mask = true;
  bool inference_mask = true;
  int poke = -1;  // position whose embedding is changed, -1: none
  bool newest_row_only = false;
};

/// Both passes of the model `torch.manual_seed(seed); nn.Embedding(10, 8); nn.Transformer(d_model=8, …)` and
/// their comparison; steps are left empty. The model of `previous` is used again when its settings are the
/// same.
core::Result<Run> run_experiment(const Settings& settings, const Run* previous = nullptr);

/// The vector a poke adds to an embedding: uneven across features, because layer norm erases a constant
/// shift.
float poke_amount(int feature);

}  // namespace attn::lessons::mask_equivalence
