// The computation of the lesson `multi-head`: four words, as many heads as the reader likes, and beside it
// self-attention on the same words with the same W_q, W_k and W_v.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::multi_head {

enum class Off : int { none = -1, first, last };

struct Settings {
  int seed = 0;
  int d_model = 8;
  int heads = 2;          // divides d_model
  bool identity = false;  // W_o = I, but for the reader's edits
  Off off = Off::none;    // the head whose context is set to 0
};

inline constexpr const char* kSentence[] = {"Machine", "learning", "is", "fun"};
inline constexpr SentenceRule kSentenceRule{kSentence, 2, 8};

enum SheetIndex : int { kOverview, kSplit, kAttend, kLook, kMix, kShapes, kCounts, kSwitch, kCompare };

/// "encoder.0.self_attention.<site>": multi-head attention; the words' vectors are "encoder.embedding".
tape::Label label_of(tape::Site site);

/// "model.self_attention.<site>": self-attention, one head of full width and no W_o; its output is `context`.
tape::Label single_label(tape::Site site);

/// (1, T, S): the sum of all heads' weights, head by head, over their number.
inline constexpr tape::Label kMeanWeights{.site = tape::Site::weights};

/// The output with every head on, and the output less that.
inline constexpr tape::Label kWithEveryHead{.site = tape::Site::unchanged};
inline constexpr tape::Label kChange{.site = tape::Site::poke};

/// Rows: the arrows of the layer. Columns: the four last extents of the reader's tensors, then those of the
/// document's (2, 7, 512), h = 8; 0 where a tensor has fewer axes.
inline constexpr tape::Label kShapeFigures{.layer = 0, .site = tape::Site::figures};
inline constexpr int kArrows = 8;

/// Rows: Counted. Columns: self-attention, then multi-head with kHeadCounts heads.
inline constexpr tape::Label kCountFigures{.layer = 1, .site = tape::Site::figures};
inline constexpr int kHeadCounts[] = {1, 2, 4, 8};
enum Counted : int {
  kParameterCount,
  kProjections,  // multiplications: x·W_q, x·W_k, x·W_v
  kScores,
  kMixture,  // weights·V
  kOutput,   // ·W_o
  kMultiplications,
  kAdditions,
  kDivisions,
  kExponentials,
  kCountedRows
};

/// The head that is off, −1 for none.
int head_off(const Settings& settings);

/// Machine learning is fun, or the words of the reader's own (lessons/sentence.h). Numbers are those of
/// torch.manual_seed(seed) and, in this order, torch.randn(4, d_model) for the words and torch.randn(d_model,
/// d_model) times √(2 / d_model) for W_q and W_k, so that the weights are neither flat nor all on one word,
/// times √(1 / d_model) for W_v and W_o; then the reader's edits, which may also stand in Q, K and V. No
/// biases. Vaswani et al. 2017, §3.2.2. What `previous` knows of the document's shapes is used again.
Run run_experiment(const Settings& settings, std::span<const std::string> words,
                   std::span<const CellEdit> edits, const Run* previous);

}  // namespace attn::lessons::multi_head
