#include "lessons/loops_to_matrices/model.h"

#include <algorithm>

#include "lessons/loops_to_matrices/experiment.h"
#include "nn/initialize.h"
#include "tape/ops.h"

namespace attn::lessons::loops_to_matrices {
namespace {

using core::Shape;
using core::Tensor;
using tape::Site;
using tape::Tape;
using tape::Value;

nn::Linear draw_weight(int d, Site site, core::TorchGenerator& generator, std::span<const CellEdit> edits) {
  nn::Linear linear;
  linear.weight = Tensor(Shape{d, d});
  nn::fill_normal(linear.weight.flat(), generator);
  apply_edits(edits, label_of(site), linear.weight);
  nn::pack_weights(linear);
  return linear;
}

Value project(Tape& tape, Value x, const nn::Linear& linear, Site weight, Site result) {
  const Value w = tape.borrow(linear.weight.view(), label_of(weight));
  return tape::split_heads(tape, tape::linear(tape, x, w, Value{}, linear.packed, {}), 1, label_of(result));
}

}  // namespace

Head draw_head(std::uint32_t seed, int words, int d, std::span<const CellEdit> edits) {
  core::TorchGenerator generator(seed);
  Head head;
  head.words = Tensor(Shape{words, d});
  nn::fill_normal(head.words.flat(), generator);
  apply_edits(edits, label_of(Site::embedding), head.words);
  head.query = draw_weight(d, Site::query_weight, generator, edits);
  head.key = draw_weight(d, Site::key_weight, generator, edits);
  head.value = draw_weight(d, Site::value_weight, generator, edits);
  return head;
}

Value record_attention(Tape& tape, const Head& head, int n) {
  const Value x = tape.borrow(core::rows_of(head.words.view(), 0, n), label_of(Site::embedding));
  const Value query = project(tape, x, head.query, Site::query_weight, Site::query);
  const Value key = project(tape, x, head.key, Site::key_weight, Site::key);
  const Value value = project(tape, x, head.value, Site::value_weight, Site::value);
  const Value scores =
      tape::scores(tape, query, key, tape::root_of_width(tape, query), label_of(Site::scores));
  const Value weights = tape::softmax(tape, scores, Value{}, label_of(Site::weights));
  return tape::context(tape, weights, value, label_of(Site::context));
}

std::vector<Value> record_rnn(Tape& tape, const Head& head, int n) {
  const core::TensorView words = head.words.view();
  const Value w = tape.borrow(head.query.weight.view(), {});
  const Value u = tape.borrow(head.key.weight.view(), {});
  Value h = tape.leaf(Tensor(Shape{1, words.shape[1]}).view(), {});
  std::vector<Value> states;
  for (int t = 0; t < n; ++t) {
    const Value x = tape.borrow(core::rows_of(words, t, 1), {});
    const Value from_word = tape::linear(tape, x, w, Value{}, head.query.packed, {});
    const Value from_past = tape::linear(tape, h, u, Value{}, head.key.packed, {});
    h = tape::tanh(tape, tape::add(tape, from_word, from_past, {}), {});
    states.push_back(h);
  }
  return states;
}

std::vector<int> chain_lengths(const Tape& tape) {
  std::vector<int> lengths;
  for (std::size_t i = 0; i < tape.entries().size(); ++i) {
    int longest = 0;
    for (const Value input : tape.entries()[i].inputs)
      if (input.valid()) longest = std::max(longest, lengths[static_cast<std::size_t>(input.index)]);
    const bool calculates = tape::operations_of(tape, Value{static_cast<int>(i)}).total() > 0;
    lengths.push_back(longest + (calculates ? 1 : 0));
  }
  return lengths;
}

}  // namespace attn::lessons::loops_to_matrices
