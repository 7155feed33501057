#include "lessons/scale_by_sqrt_dk/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/scale_by_sqrt_dk/sheets.h"
#include "nn/initialize.h"
#include "tape/ops.h"
#include "tape/ops_backward.h"

namespace attn::lessons::scale_by_sqrt_dk {
namespace {

using core::Shape;
using core::Tensor;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

/// What depends on the seed alone; the next run uses it again.
struct Draws {
  int seed = 0;
  Tensor query, key;  // (kRows, kWidest), N(0, 1)
  std::array<SweepPoint, kSweepPoints> sweep;
};

Spread spread_of(std::span<const float> values) {
  const double count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const float value : values) sum += static_cast<double>(value);
  const double mean = sum / count;
  double squares = 0.0;
  for (const float value : values)
    squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  return {static_cast<float>(mean), static_cast<float>(std::sqrt(squares / count))};
}

/// (1, rows, width): the first features of the first rows, times the deviation, plus the mean.
Tensor cut(const Tensor& normal, int rows, int width, float mean, float deviation) {
  Tensor result(Shape{1, rows, width});
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < width; ++j)
      result.values()[i * width + j] = normal.values()[i * kWidest + j] * deviation + mean;
  return result;
}

/// tape::backward of a tape that is leaf and softmax, without the other ops' ways back.
void back_through_softmax(const Tape& tape, Value softmax, std::span<const float> seed,
                          tape::Gradients& gradients) {
  tape::backward_by(tape, softmax, seed, gradients, [](tape::Op op, tape::BackwardContext& at) {
    if (op == tape::Op::softmax) tape::softmax_backward(at);
  });
}

/// Softmax of every eight scores: the mean of the largest weight and of the largest entry of the Jacobian.
/// That entry is w(1 − w) of the largest weight w: no two weights of a row sum to more than 1. It is read off
/// the backward pass seeded there.
void measure_rows(std::span<const float> scores, SweepPoint& point, std::size_t divided) {
  const int rows = static_cast<int>(scores.size()) / kEight;
  Tape tape;
  const Value in_eights = tape.leaf({scores.data(), Shape{rows, kEight}}, {});
  const Value softmax = tape::softmax(tape, in_eights, Value{}, {});
  const float* weights = tape.tensor(softmax).values;
  std::vector<float> seed(scores.size(), 0.0f);
  std::vector<std::size_t> tops;
  double largest = 0.0;
  for (std::size_t i = 0; i < scores.size(); i += kEight) {
    const float* row = weights + i;
    tops.push_back(i + static_cast<std::size_t>(std::max_element(row, row + kEight) - row));
    seed[tops.back()] = 1.0f;
    largest += static_cast<double>(weights[tops.back()]);
  }
  tape::Gradients gradients;
  back_through_softmax(tape, softmax, seed, gradients);
  const float* slopes = gradients.of(in_eights).values;
  double steepest = 0.0;
  for (const std::size_t top : tops) steepest += static_cast<double>(slopes[top]);
  point.largest_weight[divided] = static_cast<float>(largest / rows);
  point.steepest_slope[divided] = static_cast<float>(steepest / rows);
}

/// dweights/dscores (8, 8) of one row: eight copies of it, each with the backward pass seeded at one weight.
std::vector<float> jacobian_of(std::span<const float> scores) {
  Tensor copies(Shape{kEight, kEight}), seed(Shape{kEight, kEight});
  for (int j = 0; j < kEight; ++j) {
    std::copy(scores.begin(), scores.end(), copies.values() + j * kEight);
    seed.values()[j * kEight + j] = 1.0f;
  }
  Tape tape;
  const Value rows = tape.leaf(copies.view(), {});
  const Value weights = tape::softmax(tape, rows, Value{}, {});
  tape::Gradients gradients;
  back_through_softmax(tape, weights, seed.flat(), gradients);
  const std::span<const float> slopes = gradients.of(rows).flat();
  return {slopes.begin(), slopes.end()};
}

SweepPoint measure_width(const Draws& draws, int width) {
  SweepPoint point{.width = width};
  Tape tape;
  const Value query = tape.leaf(cut(draws.query, kSweepRows, width, 0.0f, 1.0f).view(), {});
  const Value key = tape.leaf(cut(draws.key, kSweepRows, width, 0.0f, 1.0f).view(), {});
  const Value scores = tape::scores(tape, query, key, 1.0f, {});
  const Value divided = tape::scale(tape, scores, 1.0f / tape::root_of_width(tape, query), {});
  point.deviation = spread_of(tape.tensor(scores).flat()).deviation;
  measure_rows(tape.tensor(scores).flat(), point, 0);
  measure_rows(tape.tensor(divided).flat(), point, 1);
  return point;
}

std::shared_ptr<const Draws> draw(int seed, const Run* previous) {
  if (previous != nullptr) {
    auto shown = std::static_pointer_cast<const Draws>(previous->owner);
    if (shown->seed == seed) return shown;
  }
  auto draws = std::make_shared<Draws>();
  draws->seed = seed;
  core::TorchGenerator generator(static_cast<std::uint32_t>(seed));
  for (Tensor* tensor : {&draws->query, &draws->key}) {
    *tensor = Tensor(Shape{kRows, kWidest});
    nn::fill_normal(tensor->flat(), generator);
  }
  int width = 4;
  for (SweepPoint& point : draws->sweep) {
    point = measure_width(*draws, width);
    width *= 2;
  }
  return draws;
}

void record(Tape& tape, std::vector<float> values, int columns, Figures of) {
  const int count = static_cast<int>(values.size());
  const Shape shape = columns == 0 ? Shape{count} : Shape{count / columns, columns};
  tape.leaf({values.data(), shape}, figures(of));
}

/// Shares of the scores in kBins bins, 0.2 exact deviations wide, around the exact mean.
void record_histogram(Tape& tape, Value scores, const Settings& settings, float divisor, Figures of) {
  const Moments& moments = moments_of(settings.distribution);
  const float mean = static_cast<float>(settings.d_k) * moments.query_mean * moments.key_mean / divisor;
  const float width = static_cast<float>(std::sqrt(variance_of(settings).total())) / divisor / 5.0f;
  std::array<int, kBins> counts{};
  for (const float score : tape.tensor(scores).flat()) {
    const float bin = std::floor((score - mean) / width + 0.5f) + static_cast<float>(kBins / 2);
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0f, static_cast<float>(kBins - 1)))];
  }
  std::vector<float> values;
  for (int i = 0; i < kBins; ++i) {
    values.push_back(mean + width * static_cast<float>(i - kBins / 2));
    values.push_back(100.0f * static_cast<float>(counts[static_cast<std::size_t>(i)]) /
                     static_cast<float>(kRows * kRows));
  }
  record(tape, std::move(values), 2, of);
}

/// Softmax of the first eight queries over the first eight keys, the largest weight of each row, and the
/// Jacobian of row 0 by eight backward passes.
void record_eight(Tape& tape, Value query, Value key, float divisor, int layer, Figures top, Figures slopes) {
  const Value scores = tape::scores(tape, query, key, divisor, label_of(layer, Site::scores));
  const Value weights = tape::softmax(tape, scores, Value{}, label_of(layer, Site::weights));
  const std::span<const float> values = tape.tensor(weights).flat();
  std::vector<float> largest;
  for (std::size_t i = 0; i < values.size(); i += kEight) {
    const auto row = values.subspan(i, kEight);
    largest.push_back(*std::max_element(row.begin(), row.end()));
  }
  record(tape, std::move(largest), 0, top);
  record(tape, jacobian_of(tape.tensor(scores).flat().first(kEight)), kEight, slopes);
}

void record_moments(Tape& tape, std::initializer_list<Value> tensors) {
  std::vector<float> values;
  for (const Value value : tensors) {
    const Spread spread = spread_of(tape.tensor(value).flat());
    values.insert(values.end(), {spread.mean, spread.deviation});
  }
  record(tape, std::move(values), 2, kMoments);
}

void record_sweep(Tape& tape, const Draws& draws) {
  std::vector<float> values;
  for (const SweepPoint& point : draws.sweep)
    values.insert(values.end(), {static_cast<float>(point.width), point.deviation, point.largest_weight[0],
                                 point.largest_weight[1], point.steepest_slope[0], point.steepest_slope[1]});
  record(tape, std::move(values), 6, kSweep);
}

}  // namespace

const Moments& moments_of(int distribution) {
  static constexpr Moments kOf[] = {{0.0f, 1.0f, 0.0f, 1.0f}, {1.56f, 0.36f, -0.34f, 1.2f}};
  return kOf[distribution];
}

float divisor_of(const Settings& settings, int divisor) {
  const int squared = divisor == kNone       ? 1
                      : divisor == kRootOfDk ? settings.d_k
                                             : settings.heads * settings.d_k;
  return std::sqrt(static_cast<float>(squared));
}

Variance variance_of(const Settings& settings) {
  const Moments& m = moments_of(settings.distribution);
  const auto term = [&](float a, float b) {
    const double product = static_cast<double>(a) * static_cast<double>(b);
    return settings.d_k * product * product;
  };
  return {term(m.query_deviation, m.key_deviation), term(m.query_deviation, m.key_mean),
          term(m.key_deviation, m.query_mean)};
}

double sampling_error(const Settings& settings) {
  const double n = kRows;
  const double d = settings.d_k;
  const auto [both, query, key] = variance_of(settings);
  const double variance = both * both * 2.0 * (2.0 * n + d + 1.0) / (n * n * d) +
                          (query * query + key * key) * 2.0 / n + both * (query + key) * 4.0 / (n * n);
  return std::sqrt(variance) / (2.0 * std::sqrt(both + query + key));
}

const std::array<SweepPoint, kSweepPoints>& sweep_of(const Run& run) {
  return std::static_pointer_cast<const Draws>(run.owner)->sweep;
}

Spread measured(const Run& run, Measured of) {
  const float* row = run.tape().tensor(figures(kMoments)).values + 2 * of;
  return {row[0], row[1]};
}

std::uint32_t ulp_from_root_of_dk(const Run& run, const Settings& settings) {
  Tape tape;
  const Value raw = tape.borrow(run.tape().tensor(label_of(kWhole, Site::scores)), {});
  const std::span<const float> right =
      tape.tensor(tape::scale(tape, raw, 1.0f / divisor_of(settings, kRootOfDk), {})).flat();
  const std::span<const float> chosen = run.tape().tensor(label_of(kDivided, Site::scores)).flat();
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < right.size(); ++i)
    largest = std::max(largest, core::ulp_distance(right[i], chosen[i]));
  return largest;
}

Label label_of(int layer, Site site) {
  return {tape::Stack::encoder, layer, tape::Block::self_attention, site};
}

Label figures(Figures of) { return {tape::Stack::encoder, of, tape::Block::none, Site::figures}; }

Run run_experiment(const Settings& settings, const Run* previous) {
  const std::shared_ptr<const Draws> draws = draw(settings.seed, previous);
  const Moments& m = moments_of(settings.distribution);
  const float divisor = divisor_of(settings, settings.divisor);
  Run run;
  run.owner = draws;
  run.board = Board{};
  Tape& tape = run.board->tape;
  const auto leaf = [&](bool of_query, int rows, int layer) {
    const Tensor values = of_query ? cut(draws->query, rows, settings.d_k, m.query_mean, m.query_deviation)
                                   : cut(draws->key, rows, settings.d_k, m.key_mean, m.key_deviation);
    return tape.leaf(values.view(), label_of(layer, of_query ? Site::query : Site::key));
  };
  const Value query = leaf(true, kRows, kWhole);
  const Value key = leaf(false, kRows, kWhole);
  const Value raw = tape::scores(tape, query, key, 1.0f, label_of(kWhole, Site::scores));
  const Value scaled = tape::scale(tape, raw, 1.0f / divisor, label_of(kDivided, Site::scores));
  record_moments(tape, {query, key, raw, scaled});
  record_histogram(tape, raw, settings, 1.0f, kRawHistogram);
  record_histogram(tape, scaled, settings, divisor, kScaledHistogram);
  const Variance variance = variance_of(settings);
  record(tape,
         {static_cast<float>(variance.both), static_cast<float>(variance.query_alone),
          static_cast<float>(variance.key_alone)},
         0, kTerms);
  record_sweep(tape, *draws);
  const Value few_queries = leaf(true, kEight, kEightWhole);
  const Value few_keys = leaf(false, kEight, kEightWhole);
  record_eight(tape, few_queries, few_keys, 1.0f, kEightWhole, kTopWhole, kSlopesWhole);
  record_eight(tape, few_queries, few_keys, divisor, kEightDivided, kTopDivided, kSlopesDivided);
  make_sheets(run, settings);
  return run;
}

}  // namespace attn::lessons::scale_by_sqrt_dk
