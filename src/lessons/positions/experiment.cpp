#include "lessons/positions/experiment.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/bits.h"
#include "lessons/positions/sheets.h"
#include "nn/initialize.h"
#include "nn/positions.h"
#include "tape/ops.h"

namespace attn::lessons::positions {
namespace {

using core::Shape;
using core::Tensor;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

constexpr std::array<float, kWords> kWordIds{0, 1, 2, 1};  // both "saw" are one word
constexpr const char* kWordTexts[kWords] = {"I", "saw", "a", "saw"};

/// What the run owns: the tape borrows the weights.
struct Weights {
  nn::Linear query, key, value;
};

nn::Linear draw_weight(int width, core::TorchGenerator& generator) {
  nn::Linear linear;
  linear.weight = Tensor(Shape{width, width});
  nn::fill_normal(linear.weight.flat(), generator);
  const float root = std::sqrt(static_cast<float>(width));
  for (float& value : linear.weight.flat()) value /= root;
  nn::pack_weights(linear);
  return linear;
}

/// What both passes use.
struct Model {
  int kind;
  const Weights* weights;
  Value words;  // (3, D)
  Value table;  // the positions chosen; none: the sinusoidal ones, unused
  Value query, key, value;
};

Value record_positions(Tape& tape, const Model& model, Pass pass) {
  const Label label = label_of(pass, Site::position);
  if (model.kind == kNone) {
    const Tensor zeros(Shape{kWords, tape.tensor(model.words).shape[1]});
    return tape.leaf(zeros.view(), label);
  }
  const std::array<float, kWords> places{0, 1, 2, 3};
  return tape::lookup(tape, model.table, tape.leaf({places.data(), Shape{kWords}}, Label{}), label);
}

void record_pass(Tape& tape, const Model& model, Pass pass, const std::array<int, kWords>& order) {
  std::array<float, kWords> ids;
  for (std::size_t i = 0; i < kWords; ++i) ids[i] = kWordIds[static_cast<std::size_t>(order[i])];
  const Value tokens = tape.leaf({ids.data(), Shape{kWords}}, label_of(pass, Site::tokens));
  const Value words = tape::lookup(tape, model.words, tokens, words_label(pass));
  const Value place = record_positions(tape, model, pass);
  const Value x = tape::add(tape, words, place, label_of(pass, Site::embedding));
  const auto project = [&](Value weight, const nn::Linear& linear, Site site) {
    const Value rows = tape::linear(tape, x, weight, Value{}, linear.packed, Label{});
    return tape::split_heads(tape, rows, 1, label_of(pass, site));
  };
  const Value query = project(model.query, model.weights->query, Site::query);
  const Value key = project(model.key, model.weights->key, Site::key);
  const Value value = project(model.value, model.weights->value, Site::value);
  const Value scores =
      tape::scores(tape, query, key, tape::root_of_width(tape, query), label_of(pass, Site::scores));
  const Value weights = tape::softmax(tape, scores, Value{}, label_of(pass, Site::weights));
  tape::context(tape, weights, value, label_of(pass, Site::context));
}

Tensor sinusoids(int rows, int width, int layout) {
  Tensor table(Shape{rows, width});
  const nn::SinusoidOptions options{.layout = layout == kHalves ? nn::SinusoidLayout::halves
                                                                : nn::SinusoidLayout::interleaved};
  nn::fill_sinusoids(0, options, core::as_rows(table.values(), table.shape()));
  return table;
}

/// Products of every two rows.
void record_products(Tape& tape, Value table, Table of) {
  const Value rows = tape::split_heads(tape, table, 1, Label{});
  tape::scores(tape, rows, rows, 1.0f, products_label(of));
}

constexpr Site kSites[kCompared] = {Site::embedding, Site::query,   Site::key,    Site::value,
                                    Site::scores,    Site::weights, Site::context};

const float* values(const Run& run, const Label& label) { return run.tape().tensor(label).values; }

/// Takes one more pair of cells into account.
void add_pair(Change& change, float now, float before, int row, int column) {
  ++change.cells;
  const std::uint32_t ulp = core::ulp_distance(now, before);
  if (ulp == 0) return;
  ++change.different;
  const float difference = std::fabs(now - before);
  if (difference < change.largest) return;
  change.largest = difference;
  change.ulp = ulp;
  change.row = row;
  change.column = column;
}

/// Largest difference in row `i` of the reordered output.
float row_change(const Run& run, const Settings& settings, int i) {
  const int written = order_of(settings.order)[static_cast<std::size_t>(i)];
  const float* now = values(run, label_of(kReordered, Site::context)) + i * settings.d_model;
  const float* before = values(run, label_of(kWritten, Site::context)) + written * settings.d_model;
  Change change;
  for (int j = 0; j < settings.d_model; ++j) add_pair(change, now[j], before[j], i, j);
  return change.largest;
}

void record_figures(Run& run, const Settings& settings) {
  Tape& tape = run.board->tape;
  std::vector<float> following;
  for (int what = 0; what < kCompared; ++what) {
    const Change change = change_of(run, settings, static_cast<Compared>(what));
    following.insert(following.end(), {static_cast<float>(change.cells), static_cast<float>(change.different),
                                       change.largest, static_cast<float>(change.ulp)});
  }
  tape.leaf({following.data(), Shape{kCompared, 4}}, figures(kFollowing));
  std::array<float, kWords> rows{};
  for (int i = 0; i < kWords; ++i) rows[static_cast<std::size_t>(i)] = row_change(run, settings, i);
  tape.leaf({rows.data(), Shape{kWords}}, figures(kRowChanges));
  std::vector<float> waves;
  for (int i = 0; i < pairs_of(settings); ++i) {
    waves.push_back(static_cast<float>(i));
    waves.push_back(wavelength(settings, i));
  }
  tape.leaf({waves.data(), Shape{pairs_of(settings), 2}}, figures(kWaves));
}

}  // namespace

const std::array<int, kWords>& order_of(int order) {
  static constexpr std::array<int, kWords> kOrders[] = {
      {0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {3, 0, 1, 2}, {0, 3, 2, 1}};
  return kOrders[order];
}

std::array<int, 2> saws_of(int order) {
  std::array<int, 2> places{};
  std::size_t found = 0;
  for (int i = 0; i < kWords; ++i)
    if (order_of(order)[static_cast<std::size_t>(i)] % 2 == 1) places[found++] = i;
  return places;
}

Label label_of(Pass pass, Site site) {
  const tape::Stack stack = pass == kWritten ? tape::Stack::encoder : tape::Stack::decoder;
  const bool outside = site == Site::embedding || site == Site::position || site == Site::tokens;
  if (outside) return {stack, -1, tape::Block::none, site};
  return {stack, 0, tape::Block::self_attention, site};
}

Label words_label(Pass pass) {
  Label label = label_of(pass, Site::embedding);
  label.layer = 0;
  return label;
}

Label table_label(Table table) {
  return {tape::Stack::model, table, tape::Block::none, Site::position_table};
}
Label products_label(Table table) {
  return {tape::Stack::model, table, tape::Block::self_attention, Site::scores};
}
Label figures(Figures of) { return {tape::Stack::model, of, tape::Block::none, Site::figures}; }

Change change_of(const Run& run, const Settings& settings, Compared what) {
  const Site site = kSites[what];
  const bool pairs = site == Site::scores || site == Site::weights;
  const int columns = pairs ? kWords : settings.d_model;
  const float* now = values(run, label_of(kReordered, site));
  const float* before = values(run, label_of(kWritten, site));
  const auto& order = order_of(settings.order);
  Change change;
  for (int i = 0; i < kWords; ++i)
    for (int j = 0; j < columns; ++j) {
      const int row = order[static_cast<std::size_t>(i)];
      const int column = pairs ? order[static_cast<std::size_t>(j)] : j;
      add_pair(change, now[i * columns + j], before[row * columns + column], i, j);
    }
  return change;
}

Change between_saws(const Run& run, const Settings& settings) {
  const auto [first, second] = saws_of(settings.order);
  const float* output = values(run, label_of(kReordered, Site::context));
  Change change;
  for (int j = 0; j < settings.d_model; ++j)
    add_pair(change, output[second * settings.d_model + j], output[first * settings.d_model + j], second, j);
  return change;
}

float spread_over_distances(const Run& run, Table table) {
  const float* products = values(run, products_label(table));
  float largest = 0.0f;
  for (int distance = 0; distance < kRows; ++distance) {
    float low = products[distance], high = low;
    for (int i = 0; i + distance < kRows; ++i) {
      low = std::min(low, products[i * kRows + i + distance]);
      high = std::max(high, products[i * kRows + i + distance]);
    }
    largest = std::max(largest, high - low);
  }
  return largest;
}

Columns columns_of(const Settings& settings, int i) {
  const bool paired = 2 * i + 1 < settings.d_model;
  if (settings.layout == kInterleaved) return {2 * i, paired ? 2 * i + 1 : -1};
  return {i, paired ? pairs_of(settings) + i : -1};
}

float pair_error(const Run& run, const Settings& settings) {
  const float* table = values(run, table_label(kSinusoidalTable));
  float largest = 0.0f;
  for (int i = 0; i < settings.d_model / 2; ++i) {
    const auto [sine, cosine] = columns_of(settings, i);
    for (int row = 0; row < kRows; ++row) {
      const float s = table[row * settings.d_model + sine];
      const float c = table[row * settings.d_model + cosine];
      largest = std::max(largest, std::fabs(s * s + c * c - 1.0f));
    }
  }
  return largest;
}

float wavelength(const Settings& settings, int i) {
  return static_cast<float>(2.0 * std::numbers::pi / nn::sinusoid_frequency(i, settings.d_model, {}));
}

Run run_experiment(const Settings& settings, std::span<const CellEdit> edits) {
  const int width = settings.d_model;
  core::TorchGenerator generator(static_cast<std::uint32_t>(settings.seed));
  Tensor words(Shape{3, width});
  nn::fill_normal(words.flat(), generator);
  apply_edits(edits, kWordTable, words);
  auto weights = std::make_shared<Weights>();
  for (nn::Linear* linear : {&weights->query, &weights->key, &weights->value})
    *linear = draw_weight(width, generator);
  Tensor learned(Shape{kRows, width});
  nn::fill_normal(learned.flat(), generator);

  Run run;
  run.owner = weights;
  run.board = Board{};
  Tape& tape = run.board->tape;
  const auto leaf = [&](const Tensor& tensor, Label label) { return tape.leaf(tensor.view(), label); };
  const Value sinusoidal = leaf(sinusoids(kRows, width, settings.layout), table_label(kSinusoidalTable));
  const Value table = leaf(learned, table_label(kLearnedTable));
  record_products(tape, sinusoidal, kSinusoidalTable);
  record_products(tape, table, kLearnedTable);
  leaf(sinusoids(kFewRows, width, kInterleaved), table_label(kInterleavedTable));
  leaf(sinusoids(kFewRows, width, kHalves), table_label(kHalvesTable));
  const auto borrow = [&](const nn::Linear& linear, Site site) {
    return tape.borrow(linear.weight.view(), label_of(kWritten, site));
  };
  const Model model{settings.kind,
                    weights.get(),
                    leaf(words, kWordTable),
                    settings.kind == kLearned ? table : sinusoidal,
                    borrow(weights->query, Site::query_weight),
                    borrow(weights->key, Site::key_weight),
                    borrow(weights->value, Site::value_weight)};
  record_pass(tape, model, kWritten, order_of(kAsWritten));
  record_pass(tape, model, kReordered, order_of(settings.order));
  run.vocabulary_words = {kWordTexts[0], kWordTexts[1], kWordTexts[2]};
  for (std::size_t i = 0; i < kWords; ++i) {
    run.source_words.emplace_back(kWordTexts[i]);
    run.target_words.emplace_back(kWordTexts[order_of(settings.order)[i]]);
  }
  record_figures(run, settings);
  make_sheets(run, settings);
  return run;
}

}  // namespace attn::lessons::positions
