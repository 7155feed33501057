#include "lessons/loops_to_matrices/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/loops_to_matrices/board.h"
#include "lessons/loops_to_matrices/model.h"

namespace attn::lessons::loops_to_matrices {
namespace {

using core::Shape;
using core::Tensor;
using tape::Label;
using tape::Operations;
using tape::Site;
using tape::Tape;
using tape::Value;

constexpr const char* kWords[kLongest] = {"one", "lazy", "dog",  "saw", "a",   "quick",
                                          "fox", "jump", "over", "the", "old", "fence"};

struct Owned {
  Head head;
  Times times;
};

/// A table of numbers, recorded row by row.
void record(Tape& tape, Figure which, int rows, int columns, const std::vector<float>& values) {
  ATTN_CHECK(static_cast<int>(values.size()) == rows * columns);
  tape.leaf({values.data(), Shape{rows, columns}}, label_of(which));
}

float number(std::int64_t count) { return static_cast<float>(count); }

void record_loops(Tape& tape, const Head& head, const Settings& settings) {
  const int n = settings.n;
  const int d = settings.d;
  Tensor query(Shape{n, d}), key(Shape{n, d}), value(Shape{n, d}), weights(Shape{n, n});
  Tensor output(Shape{1, n, d});
  attend(head.words.values(), head.query.weight.values(), head.key.weight.values(),
         head.value.weight.values(), n, d, std::sqrt(static_cast<float>(d)), settings.order,
         Attention<float>{query.values(), key.values(), value.values(), weights.values(), output.values()});
  const std::span<const float> matrices = tape.tensor(label_of(Site::context)).flat();
  std::vector<float> ulp;
  for (std::size_t i = 0; i < matrices.size(); ++i)
    ulp.push_back(static_cast<float>(core::ulp_distance(matrices[i], output.flat()[i])));
  tape.leaf(output.view(), loops_output());
  record(tape, Figure::ulp, n, d, ulp);
  record(tape, Figure::loops, 3, 1, {number(n), number(n * n), number(n * n * d)});
}

/// What the entries of one op cost together.
Operations cost(const Tape& tape, tape::Op op) {
  Operations sum;
  for (std::size_t i = 0; i < tape.entries().size(); ++i)
    if (tape.entries()[i].op == op) sum += tape::operations_of(tape, Value{static_cast<int>(i)});
  return sum;
}

void record_steps(Tape& tape) {
  std::vector<float> values;
  Operations all;
  const auto add_row = [&](const Operations& cost) {
    for (const std::int64_t count : {cost.multiplications, cost.additions, cost.divisions, cost.exponentials})
      values.push_back(number(count));
  };
  for (const tape::Op op : {tape::Op::linear, tape::Op::scores, tape::Op::softmax, tape::Op::context}) {
    const Operations one = cost(tape, op);
    add_row(one);
    all += one;
  }
  add_row(all);
  record(tape, Figure::steps, 5, 4, values);
}

std::int64_t pairs(const Tape& tape) {
  return cost(tape, tape::Op::scores).multiplications + cost(tape, tape::Op::context).multiplications;
}

/// Runs attention over 1, 2, … words and one RNN, and counts.
void record_growth(Tape& tape, const Head& head) {
  Tape rnn;
  const std::vector<Value> states = record_rnn(rnn, head, kCountedWords);
  const std::vector<int> rnn_chains = chain_lengths(rnn);
  std::vector<float> growth, waiting;
  for (int n = 1; n <= kCountedWords; ++n) {
    Tape one;
    const Value output = record_attention(one, head, n);
    const auto state = static_cast<std::size_t>(states[static_cast<std::size_t>(n - 1)].index);
    growth.insert(growth.end(),
                  {number(n), number(cost(one, tape::Op::linear).multiplications), number(pairs(one))});
    waiting.insert(waiting.end(), {number(n), number(rnn_chains[state]),
                                   number(chain_lengths(one)[static_cast<std::size_t>(output.index)])});
  }
  record(tape, Figure::growth, kCountedWords, 3, growth);
  record(tape, Figure::waiting, kCountedWords, 3, waiting);
}

void record_timed(Tape& tape) {
  const Head head = draw_head(0, kTimedWords.back(), kTimedWidth);
  std::vector<float> timed;
  for (const int n : kTimedWords) {
    Tape one;
    record_attention(one, head, n);
    timed.insert(timed.end(), {number(n), number(tape::operations_of(one).multiplications)});
  }
  record(tape, Figure::timed, static_cast<int>(kTimedWords.size()), 2, timed);
}

}  // namespace

Label label_of(Site site) {
  if (site == Site::embedding) return {tape::Stack::encoder, -1, tape::Block::none, site};
  return {tape::Stack::encoder, 0, tape::Block::self_attention, site};
}

Label label_of(Figure which) {
  return {tape::Stack::model, static_cast<int>(which), tape::Block::none, Site::figures};
}

Label loops_output() { return {tape::Stack::model, -1, tape::Block::self_attention, Site::context}; }

float figure(const Run& run, Figure which, int row, int column) {
  const core::ConstMatrix figures = core::as_matrix(run.tape().tensor(label_of(which)));
  ATTN_CHECK(row >= 0 && row < figures.rows && column >= 0 && column < figures.columns);
  return figures.row(row)[column];
}

Comparison compare_outputs(const Run& run) {
  Comparison result;
  for (const float ulp : run.tape().tensor(label_of(Figure::ulp)).flat()) {
    ++result.cells;
    if (ulp > 0.0f) ++result.different;
    result.largest_ulp = std::max(result.largest_ulp, static_cast<std::uint32_t>(ulp));
  }
  return result;
}

Run run_experiment(const Settings& settings, std::span<const CellEdit> edits, const Run* previous) {
  auto owned = std::make_shared<Owned>();
  owned->head = draw_head(static_cast<std::uint32_t>(settings.seed), kCountedWords, settings.d, edits);
  owned->times =
      previous != nullptr ? std::static_pointer_cast<const Owned>(previous->owner)->times : measure();
  Run run;
  run.owner = owned;
  run.source_words.assign(kWords, kWords + settings.n);
  run.board.emplace();
  run.board->title = {"循环与矩阵", "Loops and matrices"};
  Tape& tape = run.board->tape;
  record_attention(tape, owned->head, settings.n);
  record_steps(tape);
  record_loops(tape, owned->head, settings);
  record_growth(tape, owned->head);
  record_timed(tape);
  run.board->sheets = make_sheets(run, settings, owned->times);
  return run;
}

}  // namespace attn::lessons::loops_to_matrices
