// The computation of the lesson `scale-by-sqrt-dk`: the scores of random queries and keys, divided and not.
#pragma once

#include <array>

#include "lessons/lesson.h"

namespace attn::lessons::scale_by_sqrt_dk {

inline constexpr int kRows = 123;      // queries, and keys
inline constexpr int kWidest = 512;    // the largest d_k
inline constexpr int kEight = 8;       // keys that share one softmax
inline constexpr int kSweepRows = 64;  // queries and keys of the sweep: 64 · 8 rows of 8 keys
inline constexpr int kBins = 41;       // of a histogram
inline constexpr int kInitialWidth = 456;
inline constexpr int kInitialHeads = 8;

enum Case : int { kStandard, kShifted };
enum Divisor : int { kNone, kRootOfDk, kRootOfModel };
inline constexpr int kDivisors = 3;

struct Settings {
  int seed = 0;
  int d_k = kInitialWidth;
  int distribution = kStandard;
  int divisor = kRootOfDk;
  int heads = kInitialHeads;  // d_model = heads · d_k
};

/// Mean and deviation the queries and the keys are drawn with.
struct Moments {
  float query_mean, query_deviation, key_mean, key_deviation;
};
const Moments& moments_of(int distribution);

/// What a divisor of the choice is: 1, √d_k or √d_model.
float divisor_of(const Settings& settings, int divisor);

/// The terms of the variance of a score, each times d_k: Var(Σ q·k) over independent features is
/// d_k (σ_q²σ_k² + σ_q²μ_k² + σ_k²μ_q²).
struct Variance {
  double both, query_alone, key_alone;
  double total() const { return both + query_alone + key_alone; }
};
Variance variance_of(const Settings& settings);

/// How far the deviation measured on kRows × kRows scores is from the exact one, typically (one deviation),
/// to first order: scores share their queries and keys, so n² of them are worth far less than n² draws.
/// The first term's variance is relatively 2(2n + d + 1)/(n²d), from E tr(A²) of a Wishart matrix A; the
/// other two are sample variances of n numbers, 2/n; their covariance with the first is 4/n² a product.
double sampling_error(const Settings& settings);

/// One width of the sweep: N(0, 1) at d_k = width, divided by √d_k ([1]) or not ([0]).
struct SweepPoint {
  int width = 0;
  float deviation = 0.0f;                    // of the undivided scores
  std::array<float, 2> largest_weight = {};  // mean over rows of 8 keys
  std::array<float, 2> steepest_slope = {};  // mean over rows of the Jacobian's largest entry
};
inline constexpr int kSweepPoints = 8;  // 4, 8, … 512
const std::array<SweepPoint, kSweepPoints>& sweep_of(const Run& run);

/// Rows of the figures: what was measured.
enum Measured : int { kQuery, kKey, kRaw, kScaled, kMeasured };
struct Spread {
  float mean, deviation;
};
Spread measured(const Run& run, Measured of);

/// The largest distance between the scores over the chosen divisor and the same over √d_k.
std::uint32_t ulp_from_root_of_dk(const Run& run, const Settings& settings);

/// "encoder.<layer>.self_attention.<site>".
enum Layer : int { kWhole, kDivided, kEightWhole, kEightDivided };
tape::Label label_of(int layer, tape::Site site);

/// "encoder.<of>.figures".
enum Figures : int {
  kRawHistogram,     // (bins, 2): score, share of the pairs in %
  kScaledHistogram,  // the same, divided
  kMoments,          // (kMeasured, 2): mean, deviation
  kTerms,            // (3): the terms of the variance
  kSweep,            // (kSweepPoints, 6): width, deviation, largest weights, steepest slopes
  kTopWhole,         // (8): largest weight of each row, undivided
  kTopDivided,
  kSlopesWhole,  // (8, 8): dweights/dscores of row 0
  kSlopesDivided,
};
tape::Label figures(Figures of);

/// Numbers are those of torch.manual_seed(seed), Q = torch.randn(123, 512)[:, :d_k], K likewise, times the
/// deviation, plus the mean. Scores Q·Kᵀ (Vaswani et al. 2017, §3.2.1), the same over the divisor, and the
/// softmax of the first eight queries over the first eight keys.
Run run_experiment(const Settings& settings, const Run* previous);

}  // namespace attn::lessons::scale_by_sqrt_dk
