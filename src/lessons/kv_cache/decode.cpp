#include "lessons/kv_cache/decode.h"

#include "nn/attention.h"
#include "nn/attention_operator.h"
#include "tape/ops.h"

namespace attn::lessons::kv_cache {
namespace {

using tape::Block;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

Value project(Tape& tape, const nn::LinearView& linear, Value x) {
  const Value weight = tape.borrow(linear.weight, {});
  const Value bias = linear.bias.values != nullptr ? tape.borrow(linear.bias, {}) : Value{};
  return tape::linear(tape, x, weight, bias, *linear.packed, {});
}

/// The rows of the past, then the new ones.
Value appended(Tape& tape, Value past, Value rows, int n_heads, const Label& label) {
  if (!past.valid()) return tape::split_heads(tape, rows, n_heads, label);
  return tape::concatenate(tape, past, tape::split_heads(tape, rows, n_heads, {}), label);
}

Value attention(Tape& tape, const nn::AttentionParameters& parameters, Value x, const nn::Mask& mask,
                const Label& place, Past& past) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, place.block, site}; };
  const int heads = parameters.n_heads;
  const Value query = tape::split_heads(tape, project(tape, parameters.query, x), heads, at(Site::query));
  past.key = appended(tape, past.key, project(tape, parameters.key, x), heads, at(Site::key));
  past.value = appended(tape, past.value, project(tape, parameters.value, x), heads, at(Site::value));
  const Value context = nn::attend(tape, query, past.key, past.value, mask, {}, place).output;
  return project(tape, parameters.output, tape::merge_heads(tape, context, at(Site::concatenated)));
}

}  // namespace

Value decode_with_past(Tape& tape, const nn::Transformer& model, Value x, const nn::Mask& mask,
                       std::vector<Past>& past) {
  const nn::TransformerConfig& config = model.config;
  ATTN_CHECK(config.family == nn::Family::decoder_only && !config.norm_first);
  past.resize(model.decoder.size());
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    const nn::DecoderLayer& layer = model.decoder[i];
    const nn::LayerPlace place{tape::Stack::model, static_cast<int>(i)};
    const auto at = [&](Block block, Site site) { return Label{place.stack, place.layer, block, site}; };
    const auto add_and_norm = [&](Value more, const nn::LayerNorm& norm, Block block) {
      x = tape::add(tape, x, more, at(block, Site::residual));
      x = nn::normalise(tape, config, norm, x, at(block, Site::norm));
    };
    const nn::AttentionParameters parameters = nn::view_of(layer.self_attention, config.n_heads);
    add_and_norm(attention(tape, parameters, x, mask, at(Block::self_attention, Site::unnamed), past[i]),
                 layer.norm1, Block::self_attention);
    add_and_norm(nn::feed_forward(tape, config, layer.feed_forward, x, place), layer.norm3,
                 Block::feed_forward);
  }
  const Label output{tape::Stack::model, -1, Block::none, Site::output};
  return config.final_norm ? nn::normalise(tape, config, model.decoder_norm, x, output) : x;
}

}  // namespace attn::lessons::kv_cache
