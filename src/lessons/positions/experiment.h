// The computation of the lesson `positions`: four words through one head, in the order they were written and
// in another, with and without positions; and the position tables themselves.
#pragma once

#include <array>
#include <cstdint>

#include "lessons/lesson.h"

namespace attn::lessons::positions {

inline constexpr int kWords = 4;     // I saw a saw
inline constexpr int kRows = 64;     // positions of the tables
inline constexpr int kFewRows = 16;  // … of those that compare layouts
inline constexpr int kWidest = 64;   // the largest d_model
inline constexpr int kInitialWidth = 8;

enum Kind : int { kNone, kSinusoidal, kLearned };
enum Order : int { kAsWritten, kReversed, kMiddleSwapped, kLastFirst, kSawsSwapped };
inline constexpr int kInitialOrder = kReversed;
enum Layout : int { kInterleaved, kHalves };

struct Settings {
  int seed = 0;
  int d_model = kInitialWidth;
  int kind = kNone;
  int order = kInitialOrder;
  int layout = kInterleaved;
};

/// Which of the written words stands at each place of the other order.
const std::array<int, kWords>& order_of(int order);

/// Where the two saws stand in that order.
std::array<int, 2> saws_of(int order);

/// The pass over the words as written, and over the other order.
enum Pass : int { kWritten, kReordered };

/// "encoder.0.self_attention.<site>" and "decoder.0.…"; words' vectors, positions and their sum:
/// "….0.embedding", "….position", "….embedding".
tape::Label label_of(Pass pass, tape::Site site);
tape::Label words_label(Pass pass);

enum Table : int {
  kSinusoidalTable,   // (kRows, d_model), in the layout chosen
  kLearnedTable,      // (kRows, d_model)
  kInterleavedTable,  // (kFewRows, d_model)
  kHalvesTable,
};
tape::Label table_label(Table table);

/// Products of every two rows of one of the first two tables: (1, kRows, kRows).
tape::Label products_label(Table table);

enum Figures : int {
  kFollowing,   // (kCompared, 4): cells, different ones, largest difference, ULP there
  kRowChanges,  // (4): largest difference in each row of the output
  kWaves,       // (pairs, 2): i, wavelength
};
tape::Label figures(Figures of);

/// (3, d_model): the vectors of I, saw and a, which the reader may change.
inline constexpr tape::Label kWordTable{tape::Stack::model, -1, tape::Block::none,
                                        tape::Site::embedding_table};

/// What is compared word by word between the two passes, in the order it is computed.
enum Compared : int { kInput, kQuery, kKey, kValue, kScores, kWeights, kOutput };
inline constexpr int kCompared = kOutput + 1;

/// A cell of a word in the reordered pass against that word's (for scores and weights: that pair's) cell as
/// written.
struct Change {
  int cells = 0;
  int different = 0;
  float largest = 0.0f;
  std::uint32_t ulp = 0;  // at the largest
  int row = 0;            // … which is here
  int column = 0;

  bool equal() const { return different == 0; }
};
Change change_of(const Run& run, const Settings& settings, Compared what);

/// The outputs of the two saws against each other, in the reordered pass.
Change between_saws(const Run& run, const Settings& settings);

/// Without positions whatever differs is rounding: of numbers around 1 no more than this, of larger ones in
/// proportion.
inline constexpr float kRounding = 1e-5f;

/// How far products of two rows at the same distance differ, the most over all distances.
float spread_over_distances(const Run& run, Table table);

/// max |sin² + cos² − 1| over the pairs of the sinusoidal table.
float pair_error(const Run& run, const Settings& settings);

/// Columns of frequency i in the sinusoidal table; the cosine's is -1 where the width is odd and i the last.
struct Columns {
  int sine, cosine;
};
Columns columns_of(const Settings& settings, int i);
inline int pairs_of(const Settings& settings) { return (settings.d_model + 1) / 2; }

/// 2π·10000^(2i/d_model). Vaswani et al. 2017, §3.5.
float wavelength(const Settings& settings, int i);

/// Numbers are those of torch.manual_seed(seed) and, in this order, torch.randn(3, D) for I, saw and a,
/// torch.randn(D, D) / √D for W_q, W_k and W_v, torch.randn(64, D) for the learned table; D is d_model. No
/// biases, no mask.
Run run_experiment(const Settings& settings, std::span<const CellEdit> edits = {});

}  // namespace attn::lessons::positions
