#include "nn/attention.h"

#include "nn/attention_operator.h"
#include "tape/ops.h"

namespace attn::nn {
namespace {

using tape::Block;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

struct Projection {
  const kernels::PackedMatrix* packed;
  int part;  // 0 query, 1 key, 2 value: which third of in_proj
  Site weight, bias, result;
};

Value project_heads(Tape& tape, const TransformerConfig& config, const MultiHeadAttention& parameters,
                    const Projection& projection, Value x, const Label& base) {
  const auto at = [&](Site site) { return Label{base.stack, base.layer, base.block, site}; };
  const int first = projection.part * config.d_model;
  const Value weight = tape.borrow(core::rows_of(parameters.in_proj_weight.view(), first, config.d_model),
                                   at(projection.weight));
  const Value bias =
      tape.borrow(core::slice_of(parameters.in_proj_bias.view(), first, config.d_model), at(projection.bias));
  const Value rows = tape::linear(tape, x, weight, bias, *projection.packed, Label{});
  return tape::split_heads(tape, rows, config.n_heads, at(projection.result));
}

Value linear(Tape& tape, const Linear& parameters, Value x, Label weight_label, Label bias_label,
             Label result) {
  const Value weight = tape.borrow(parameters.weight.view(), weight_label);
  const Value bias = tape.borrow(parameters.bias.view(), bias_label);
  return tape::linear(tape, x, weight, bias, parameters.packed, result);
}

}  // namespace

Value multi_head_attention(Tape& tape, const TransformerConfig& config, const MultiHeadAttention& parameters,
                           Value x, Value memory, const Mask& mask, LayerPlace place, Block block) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, block, site}; };
  const Label base = at(Site::unnamed);
  const Value query = project_heads(
      tape, config, parameters,
      {&parameters.packed_query, 0, Site::query_weight, Site::query_bias, Site::query}, x, base);
  const Value key =
      project_heads(tape, config, parameters,
                    {&parameters.packed_key, 1, Site::key_weight, Site::key_bias, Site::key}, memory, base);
  const Value value = project_heads(
      tape, config, parameters,
      {&parameters.packed_value, 2, Site::value_weight, Site::value_bias, Site::value}, memory, base);

  const Value context = attend(tape, query, key, value, mask, {}, base).output;
  const Value concatenated = tape::merge_heads(tape, context, at(Site::concatenated));
  return linear(tape, parameters.out_proj, concatenated, at(Site::output_weight), at(Site::output_bias),
                at(Site::attention));
}

Value feed_forward(Tape& tape, const TransformerConfig& config, const FeedForward& parameters, Value x,
                   LayerPlace place) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, Block::feed_forward, site}; };
  const Value hidden =
      linear(tape, parameters.linear1, x, at(Site::linear1_weight), at(Site::linear1_bias), at(Site::hidden));
  const Value activated = config.activation == Activation::relu
                              ? tape::relu(tape, hidden, at(Site::activated))
                              : tape::gelu(tape, hidden, at(Site::activated));
  return linear(tape, parameters.linear2, activated, at(Site::linear2_weight), at(Site::linear2_bias),
                at(Site::feed_forward));
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
