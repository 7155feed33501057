// The computation of the lesson `mask-lab`: one sentence, its scores, one mask, and everything people do with
// it.
#pragma once

#include <array>

#include "lessons/lesson.h"

namespace attn::lessons::mask_lab {

/// On which side the padding stands.
enum class Padding : std::uint8_t {
  left,  // positions are counted from the padding on
  right,
  left_counted,  // positions are counted from the first word on
};

/// How a mask is written down.
enum class Convention : std::uint8_t {
  mha,    // 1 = blocked: PyTorch nn.MultiheadAttention, nn.Transformer
  sdpa,   // 1 = may see: PyTorch scaled_dot_product_attention, ONNX Attention
  added,  // a number added to the score: 0 lets through, −inf blocks
};

/// What a float mask adds where it hides.
inline constexpr std::array<float, 3> kFills{-1e9f, -1e4f, 1e-9f};
inline constexpr int kSlip = 2;  // 1e-9 written for −1e9

struct Settings {
  int seed = 0;
  bool causal = true;
  int pads = 0;  // of the kTokens tokens: the sentence is that much shorter
  Padding padding = Padding::left;
  Convention convention = Convention::mha;
  int diagonal = 0;         // query i sees keys up to i + diagonal
  bool wrong_axis = false;  // the padding mask hides rows instead of columns
  int fill = 0;             // index into kFills
};

/// Tables of weights, all from the same scores; the number is the layer of their labels.
enum Table : int {
  kReference,      // the mask decides who takes part in softmax
  kAdded,          // kFills[fill] added before softmax
  kZeroBefore,     // scores set to 0 before softmax
  kZeroAfter,      // weights set to 0 after softmax
  kRenormalised,   // … and each row divided by its sum
  kInfinity,       // −inf in place of scores, softmax by its formula
  kAddedInDouble,  // kAdded, the scores in float64
  kReadByMha,      // the mask as written, taken for each of the conventions
  kReadBySdpa,
  kReadAsAdded,
  kUnmasked,
};
inline constexpr int kTables = kUnmasked + 1;

// Layers of masks that aren't a table's own.
inline constexpr int kPairs = kTables;        // who may see whom: causal
inline constexpr int kKeys = kTables + 1;     // which keys are there: padding
inline constexpr int kWritten = kTables + 2;  // the mask in the convention chosen
// Layer of the gradient of L = Σ context with respect to the scores, under the mask: "….scores".
inline constexpr int kGradient = kTables + 3;

/// "decoder.<layer>.self_attention.<site>".
tape::Label label_of(int layer, tape::Site site);

/// The mask the reader edits: 1 where a row may see a column.
inline tape::Label mask_label() { return label_of(kReference, tape::Site::mask); }

/// The scores every table is made from, "decoder.self_attention.scores", and the same without padding, whose
/// weights are the encoder's.
inline tape::Label scores_label() { return label_of(-1, tape::Site::scores); }
tape::Label unpadded_label(tape::Site site);

/// The positions of the words: one row of the tokens, one of key mask and positions, as figures.
inline tape::Label places_label() { return label_of(-1, tape::Site::figures); }

inline tape::Label gradient_label() { return label_of(kGradient, tape::Site::scores); }

/// What a table does with the mask. Rows are those in which the mask leaves something to see.
struct Judgement {
  float leak = 0.0f;  // largest share of a row that goes to hidden keys
  int leak_row = -1;
  float smallest_sum = 1.0f;
  int smallest_row = -1;
  std::uint32_t ulp = 0;     // largest distance to the reference
  float empty = 0.0f;        // largest weight in the first row that sees nothing; NaN when there is one
  bool empty_equal = false;  // all weights of that row are the same
};

/// What the narration speaks of.
struct Facts {
  int empty_row = -1;  // first row that sees nothing
  int empty_rows = 0;
  int hidden_row = -1;  // first hidden cell of a row that sees something
  int hidden_column = -1;
  float pad_share = 0.0f;  // largest share of a word's row that goes to padding
  float shift = 0.0f;      // largest difference of the words' weights to those without padding
  std::uint32_t shift_ulp = 0;
  std::array<Judgement, kTables> tables{};
};

struct Experiment {
  Run run;
  Facts facts;
};

/// *I saw a saw*, or its first words and padding. Numbers are those of torch.manual_seed(seed) and, in this
/// order, torch.randn(4, 8) for <pad>, I, saw, a, torch.randn(8, 8)/√8 for W_q and W_k each, torch.randn(3,
/// 8)/√8 for W_v; sinusoidal positions are added. The reader's edits are the mask's.
Experiment run_experiment(const Settings& settings, std::span<const CellEdit> edits);

/// The sheets of the board.
enum SheetIndex : int { kGrid, kCombined, kFiveFills, kNobody, kConventions, kPositions };
std::vector<Sheet> make_sheets(const Facts& facts, const Settings& settings, const Run& run);

/// "−1e9", as the reader chose.
const char* fill_name(const Settings& settings);

}  // namespace attn::lessons::mask_lab
