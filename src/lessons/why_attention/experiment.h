// The computations of the lesson `why-attention`: small ones, side by side on one tape.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons::why_attention {

struct Settings {
  int seed = 0;
  bool look_around = true;  // at first: words see each other, or each only itself
};

inline constexpr int kWords = 4;
inline constexpr int kFirstSaw = 1;
inline constexpr int kSecondSaw = 3;

/// Layers tell the computations apart.
enum Layer : int {
  kRaw,      // inner products of the words' own vectors
  kAsked,    // … of queries and keys
  kGoal,     // with positions: what each word should look at
  kSummed,   // given scores, added up as they are
  kShared,   // … as shares, after softmax
  kLearned,  // … of values in place of the words' vectors
};

/// "encoder.<layer>.self_attention.<site>".
tape::Label label_of(Layer layer, tape::Site site);

inline tape::Label words_label() {
  return {tape::Stack::encoder, -1, tape::Block::none, tape::Site::embedding};
}

/// A function of one word alone and what it makes of each.
inline tape::Label function_label(tape::Site site) {
  return {tape::Stack::encoder, 0, tape::Block::feed_forward, site};
}

/// Two vectors (2, 2), u and w, and their inner products (2, 2): u·u, u·w; w·u, w·w. The question has two of
/// its own, which are where they began when the reader comes to it.
enum class Pair : int { shown, asked };
inline tape::Label vectors_label(Pair pair = Pair::shown) {
  return {tape::Stack::model, 2 * static_cast<int>(pair), tape::Block::none, tape::Site::figures};
}
inline tape::Label products_label(Pair pair = Pair::shown) {
  return {tape::Stack::model, 2 * static_cast<int>(pair) + 1, tape::Block::none, tape::Site::figures};
}

/// *I saw a saw* as one-hot vectors I = (1, 0, 0), saw = (0, 1, 0), a = (0, 0, 1). W_q and W_k are given, and
/// so are the positions that the arcs of the beginning use. Random are, with torch.manual_seed(seed) and in
/// this order, the function's torch.randn(3, 3) and W_v = torch.randn(2, 3). Then the reader's edits.
Run run_experiment(const Settings& settings, std::span<const CellEdit> edits);

/// Row `row` of a tensor of the run.
std::span<const float> row_of(const Run& run, const tape::Label& label, int row);

/// Lengths and angle of u and w.
struct Angle {
  float length_u = 0.0f;
  float length_w = 0.0f;
  float product = 0.0f;
  float cosine = 0.0f;   // 0 when a length is
  float degrees = 0.0f;  // likewise

  bool exists() const { return length_u > 0.0f && length_w > 0.0f; }

  /// How far the product may be from u₀w₀ + u₁w₁ of the decimals: each is rounded, so are the two products
  /// and their sum, each by at most 2⁻²⁴ of its size: together 2⁻²²(|u₀w₀| + |u₁w₁|) ≤ 2⁻²²|u||w|.
  float rounding() const { return length_u * length_w * 0x1p-22f; }
  /// 1, −1, or 0 within rounding: a right angle, where there is an angle.
  int sign() const { return product > rounding() ? 1 : product < -rounding() ? -1 : 0; }
};

/// From u·u, u·w and w·w.
Angle angle_between(float uu, float uw, float ww);
Angle angle_of(const Run& run, Pair pair = Pair::shown);

/// "45°" with at least so many decimals, and as many as it takes not to read 90° when it isn't; "–" for none.
std::string degrees_text(const Angle& angle, int decimals);

/// The words with the largest value of a row, in order: "I, a".
std::string largest_words(const Run& run, const tape::Label& label, int row);

/// Whether a saw has been told apart: 1 verb, −1 noun, 0 neither. A rule by hand: more of I than of a in what
/// it took from the others, or less.
int told_apart(const Run& run, int row);

enum SheetIndex : int { kSentence, kAlone, kAngle, kAlike, kQueries, kSum, kValues, kAskedAngle };
std::vector<Sheet> make_sheets(const Run& run);

}  // namespace attn::lessons::why_attention
