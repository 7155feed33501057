// Attention without projections, (batch, length, width): softmax(q·kᵀ·scale)·v, or Keras' score_mode
// "concat", where the score is Σ tanh(scale·(q + k)) (Bahdanau et al. 2015 with all weights 1).
#include <algorithm>

#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/tolerances.h"
#include "kernels/matmul.h"
#include "nn/attention_operator.h"
#include "tape/ops.h"

namespace attn::conformance {
namespace {

struct Inputs {
  FloatArray query, key, value;
};

FloatArray input_of(LiteralCase& each, const char* name) {
  FloatArray array = each.floats(name);
  CONFORMANCE_REQUIRE(array.extents.size() == 3, "%s must be (batch, length, width)", name);
  return array;
}

/// A tensor of one head without its axis: (B, 1, T, S) → (B, T, S).
FloatArray without_heads(core::TensorView tensor) {
  FloatArray array(tensor);
  array.extents.erase(array.extents.begin() + 1);
  return array;
}

void run_products(LiteralCase& each, const Inputs& inputs) {
  nn::AttentionInputs tensors;
  tensors.query = inputs.query.view();
  tensors.key = inputs.key.view();
  tensors.value = inputs.value.view();
  nn::AttentionOptions options;
  options.n_heads = 1;
  if (each.has_param("scale")) options.scale = static_cast<float>(each.number("scale"));
  const core::Result<nn::AttentionResult> result = nn::attention(tensors, options, {.weights = true});
  CONFORMANCE_REQUIRE(result.ok(), "%s", result.error().c_str());
  each.expect_if_given("y", FloatArray(result.value().output.view()), kFloat32Operator);
  each.expect_if_given("p", without_heads(result.value().weights.view()), kFloat32Operator);
}

void run_sums(LiteralCase& each, const Inputs& inputs) {
  const Extents& q = inputs.query.extents;
  const Extents& k = inputs.key.extents;
  CONFORMANCE_REQUIRE(
      q[0] == k[0] && k[0] == inputs.value.extents[0] && q[2] == k[2] && k[1] == inputs.value.extents[1],
      "q %s and k %s do not fit", to_string(q).c_str(), to_string(k).c_str());
  // Every query beside every key: (B, T, S, D).
  FloatArray query = inputs.query;
  query.extents = {q[0], q[1], 1, q[2]};
  const FloatArray pairs = broadcast_to(query, {q[0], q[1], k[1], q[2]});
  FloatArray ones(Extents{1, q[2]});
  std::fill(ones.values.begin(), ones.values.end(), 1.0f);
  kernels::PackedMatrix packed;
  kernels::pack_transposed(core::as_matrix(ones.view()), packed);

  tape::Tape tape;
  const tape::Value keys = tape.leaf(inputs.key.view_as(core::Shape{k[0], 1, k[1], k[2]}), {});
  tape::Value sums = tape::add(tape, tape.leaf(pairs.view(), {}), keys, {});
  if (each.has_param("scale")) sums = tape::scale(tape, sums, static_cast<float>(each.number("scale")), {});
  const tape::Value scores =
      tape::linear(tape, tape::tanh(tape, sums, {}), tape.leaf(ones.view(), {}), {}, packed, {});
  const FloatArray columns(tape.tensor(scores));  // (B, T, S, 1)
  const tape::Value weights =
      tape::softmax(tape, tape.leaf(columns.view_as(core::Shape{q[0], 1, q[1], k[1]}), {}), {}, {});
  const Extents& v = inputs.value.extents;
  const tape::Value y =
      tape::context(tape, weights, tape.leaf(inputs.value.view_as(core::Shape{v[0], 1, v[1], v[2]}), {}), {});
  each.expect_if_given("y", without_heads(tape.tensor(y)), kFloat32Operator);
  each.expect_if_given("p", without_heads(tape.tensor(weights)), kFloat32Operator);
}

}  // namespace

void kind_attention(LiteralCase& each) {
  each.prose({"note"});
  const std::string mode = each.text_or("score_mode", "dot");
  const Inputs inputs{input_of(each, "q"), input_of(each, "k"), input_of(each, "v")};
  if (mode == "dot") return run_products(each, inputs);
  CONFORMANCE_REQUIRE(mode == "concat", "score_mode '%s' is not known", mode.c_str());
  run_sums(each, inputs);
}

}  // namespace attn::conformance
