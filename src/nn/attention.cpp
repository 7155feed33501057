#include "nn/attention.h"

#include <algorithm>

#include "nn/attention_operator.h"
#include "tape/ops.h"

namespace attn::nn {
namespace {

using tape::Block;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

/// x·Wᵀ + b; the parameters get the labels `weight` and `bias`.
Value linear(Tape& tape, const LinearView& parameters, Value x, const Label& weight, const Label& bias,
             const Label& result) {
  const Value w = tape.borrow(parameters.weight, weight);
  const Value b = parameters.bias.values != nullptr ? tape.borrow(parameters.bias, bias) : Value{};
  return tape::linear(tape, x, w, b, *parameters.packed, result);
}

LinearView view_of(const Linear& linear) {
  return {linear.weight.view(), linear.bias.size() > 0 ? linear.bias.view() : core::TensorView{},
          &linear.packed};
}

/// Rows that come after all others: the learned one, then the zeros.
Value with_extra_row(Tape& tape, Value rows, core::TensorView extra, bool zero) {
  const int width = tape.tensor(rows).shape[-1];
  if (extra.values != nullptr) {
    ATTN_CHECK(extra.size() == width);
    rows =
        tape::concatenate(tape, rows, tape.borrow({extra.values, core::Shape{1, width}}, Label{}), Label{});
  }
  if (zero) {
    const core::Shape shape{1, width};
    float* zeros = tape.allocate(shape);
    std::fill_n(zeros, width, 0.0f);
    rows = tape::concatenate(tape, rows, tape.append(tape::Op::leaf, {}, {zeros, shape}, Label{}), Label{});
  }
  return rows;
}

/// The bias as a leaf of the tape, with `open_keys` columns of zeros after its own.
Value record_bias(Tape& tape, core::TensorView bias, int open_keys) {
  if (bias.values == nullptr) return {};
  const core::ConstMatrix from = core::as_rows(bias);
  const core::Shape shape = bias.shape.with(-1, bias.shape[-1] + open_keys);
  float* values = tape.allocate(shape);
  const core::Matrix to = core::as_rows(values, shape);
  for (int row = 0; row < from.rows; ++row) {
    std::copy_n(from.row(row), from.columns, to.row(row));
    std::fill_n(to.row(row) + from.columns, open_keys, 0.0f);
  }
  return tape.append(tape::Op::leaf, {}, {values, shape}, Label{});
}

}  // namespace

AttentionParameters view_of(const MultiHeadAttention& parameters, int n_heads) {
  const core::TensorView weight = parameters.in_proj_weight.view();
  const core::TensorView bias = parameters.in_proj_bias.view();
  const int width = weight.shape[0] / 3;
  const auto third = [&](int part, const kernels::PackedMatrix& packed) {
    const bool has_bias = parameters.in_proj_bias.size() > 0;
    return LinearView{core::rows_of(weight, part * width, width),
                      has_bias ? core::slice_of(bias, part * width, width) : core::TensorView{}, &packed};
  };
  return {.n_heads = n_heads,
          .query = third(0, parameters.packed_query),
          .key = third(1, parameters.packed_key),
          .value = third(2, parameters.packed_value),
          .output = view_of(parameters.out_proj)};
}

Value multi_head_attention(Tape& tape, const AttentionParameters& parameters, Value query, Value key,
                           Value value, const Mask& mask, core::TensorView bias, const Label& place,
                           Dropout* dropout) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, place.block, site}; };
  const auto in_heads = [&](Value rows, Site site) {
    return tape::split_heads(tape, rows, parameters.n_heads, at(site));
  };
  const Value q =
      in_heads(linear(tape, parameters.query, query, at(Site::query_weight), at(Site::query_bias), Label{}),
               Site::query);
  const Value key_rows = linear(tape, parameters.key, key, at(Site::key_weight), at(Site::key_bias), Label{});
  const Value k =
      in_heads(with_extra_row(tape, key_rows, parameters.extra_key, parameters.zero_key), Site::key);
  const Value value_rows =
      linear(tape, parameters.value, value, at(Site::value_weight), at(Site::value_bias), Label{});
  const Value v =
      in_heads(with_extra_row(tape, value_rows, parameters.extra_value, parameters.zero_key), Site::value);

  const int open_keys = (parameters.extra_key.values != nullptr ? 1 : 0) + (parameters.zero_key ? 1 : 0);
  const AttendOptions options{
      .bias = record_bias(tape, bias, open_keys), .dropout = dropout, .open_keys = open_keys};
  const Value context = attend(tape, q, k, v, mask, options, place).output;
  const Value concatenated = tape::merge_heads(tape, context, at(Site::concatenated));
  return linear(tape, parameters.output, concatenated, at(Site::output_weight), at(Site::output_bias),
                at(Site::attention));
}

Value multi_head_attention(Tape& tape, const TransformerConfig& config, const MultiHeadAttention& parameters,
                           Value x, Value memory, const AttentionMask& mask, LayerPlace place, Block block,
                           Dropout* dropout) {
  return multi_head_attention(tape, view_of(parameters, config.n_heads), x, memory, memory, mask.visible,
                              mask.bias, Label{place.stack, place.layer, block, Site::unnamed}, dropout);
}

Value feed_forward(Tape& tape, const TransformerConfig& config, const FeedForward& parameters, Value x,
                   LayerPlace place, Dropout* dropout) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, Block::feed_forward, site}; };
  const Value hidden = linear(tape, view_of(parameters.linear1), x, at(Site::linear1_weight),
                              at(Site::linear1_bias), at(Site::hidden));
  const Value activated = config.activation == Activation::relu
                              ? tape::relu(tape, hidden, at(Site::activated))
                              : tape::gelu(tape, hidden, at(Site::activated));
  return linear(tape, view_of(parameters.linear2), drop(tape, activated, dropout), at(Site::linear2_weight),
                at(Site::linear2_bias), at(Site::feed_forward));
}

Value normalise(Tape& tape, const TransformerConfig& config, const LayerNorm& parameters, Value x,
                Label norm_label) {
  Label label = norm_label;
  label.site = Site::norm_scale;
  const Value scale = tape.borrow(parameters.scale.view(), label);
  label.site = Site::norm_shift;
  const Value shift = tape.borrow(parameters.shift.view(), label);
  return tape::layer_norm(tape, x, scale, shift, config.layer_norm_epsilon, norm_label);
}

}  // namespace attn::nn
