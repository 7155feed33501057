// The computation of the lesson `self-attention`: four words, one head, every width its own.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::self_attention {

struct Settings {
  int seed = 0;
  int d_model = 3;  // width of a word's vector
  int d_k = 5;      // width of queries and keys
  int d_v = 4;      // width of values and of the output
  bool causal = false;
  bool columns = false;  // shown with a column a word, O = V·softmax(KᵀQ / √dₖ), not with a row
};

inline constexpr const char* kSentence[] = {"I", "saw", "a", "saw"};
inline constexpr SentenceRule kSentenceRule{kSentence, 2, 8};

enum SheetIndex : int { kByRows, kByColumns, kShapes };

/// "encoder.0.self_attention.<site>"; the words' vectors are "encoder.embedding".
tape::Label label_of(tape::Site site);

/// I saw a saw, or the words of the reader's own (lessons/sentence.h). Numbers are those of
/// torch.manual_seed(seed) and, in this order, torch.randn(3, d_model) for the three different words,
/// torch.randn(d_k, d_model) for W_q and W_k each, torch.randn(d_v, d_model) for W_v; then the reader's
/// edits, which may also stand in Q, K and V. No biases. Vaswani et al. 2017, eq. 1, for one head. With a
/// column a word it is on the tape as well (self_attention/columns.h), shown or not.
Run run_experiment(const Settings& settings, std::span<const std::string> words,
                   std::span<const CellEdit> edits);

}  // namespace attn::lessons::self_attention
