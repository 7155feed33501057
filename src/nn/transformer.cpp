#include "nn/transformer.h"

#include "nn/attention.h"
#include "tape/ops.h"

namespace attn::nn {
namespace {

using tape::Block;
using tape::Label;
using tape::Site;
using tape::Stack;
using tape::Tape;
using tape::Value;

/// One residual block: post-norm LN(x + F(x)), pre-norm x + F(LN(x)).
template <class Function>
Value residual_block(Tape& tape, const TransformerConfig& config, const LayerNorm& norm, Value x,
                     LayerPlace place, Block block, Function&& function) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, block, site}; };
  const Value input = config.norm_first ? normalise(tape, config, norm, x, at(Site::norm)) : x;
  const Value sum = tape::add(tape, x, function(input), at(Site::residual));
  return config.norm_first ? sum : normalise(tape, config, norm, sum, at(Site::norm));
}

/// Whole numbers as a leaf of shape `shape`.
Value record_ids(Tape& tape, std::span<const int> ids, const core::Shape& shape, Label label) {
  float* values = tape.allocate(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) values[i] = static_cast<float>(ids[i]);
  return tape.append(tape::Op::leaf, {}, {values, shape}, label);
}

/// 0, 1, …, T−1 for each of the sequences.
Value record_counted(Tape& tape, const core::Shape& shape) {
  float* values = tape.allocate(static_cast<std::size_t>(shape.size()));
  for (int i = 0; i < shape.size(); ++i) values[i] = static_cast<float>(i % shape[-1]);
  return tape.append(tape::Op::leaf, {}, {values, shape}, Label{});
}

Value embed_ids(Tape& tape, const Transformer& model, Stack stack, std::span<const int> ids,
                const core::Shape& shape, std::span<const int> positions, const core::Tensor* poke) {
  const auto at = [&](Site site) { return Label{stack, -1, Block::none, site}; };
  const core::Tensor& embedding = stack == Stack::encoder ? model.embedding_of_source() : model.embedding;
  const bool has_positions = model.config.positions != Positions::none;
  const Value table = tape.borrow(embedding.view(), at(Site::embedding_table));
  const Value tokens = record_ids(tape, ids, shape, at(Site::tokens));
  const bool plain = !has_positions && poke == nullptr;
  Value x = tape::lookup(tape, table, tokens, plain ? at(Site::embedding) : Label{});
  if (has_positions) {
    const Value rows = tape.borrow(model.position_table.view(), at(Site::position_table));
    const Value where =
        positions.empty() ? record_counted(tape, shape) : record_ids(tape, positions, shape, Label{});
    const Value position = tape::lookup(tape, rows, where, at(Site::position));
    x = tape::add(tape, x, position, poke == nullptr ? at(Site::embedding) : Label{});
  }
  if (poke == nullptr) return x;
  return tape::add(tape, x, tape.leaf(poke->view(), at(Site::poke)), at(Site::embedding));
}

/// The feed-forward block that ends every layer.
Value feed_forward_block(Tape& tape, const TransformerConfig& config, const FeedForward& parameters,
                         const LayerNorm& norm, Value x, LayerPlace place) {
  return residual_block(tape, config, norm, x, place, Block::feed_forward,
                        [&](Value input) { return feed_forward(tape, config, parameters, input, place); });
}

Value self_attention_block(Tape& tape, const TransformerConfig& config, const MultiHeadAttention& parameters,
                           const LayerNorm& norm, Value x, const Mask& mask, LayerPlace place) {
  return residual_block(tape, config, norm, x, place, Block::self_attention, [&](Value input) {
    return multi_head_attention(tape, config, parameters, input, input, mask, place, Block::self_attention);
  });
}

Value final_norm(Tape& tape, const TransformerConfig& config, const LayerNorm& norm, Value x, Label label) {
  return config.final_norm ? normalise(tape, config, norm, x, label) : x;
}

/// The decoder stack; `memory` is not valid in a decoder-only model.
Value decode_layers(Tape& tape, const Transformer& model, Value x, Value memory, const Mask& target,
                    const Mask& memory_mask) {
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    const DecoderLayer& layer = model.decoder[i];
    const LayerPlace place{Stack::decoder, static_cast<int>(i)};
    x = self_attention_block(tape, config, layer.self_attention, layer.norm1, x, target, place);
    if (memory.valid())
      x = residual_block(tape, config, layer.norm2, x, place, Block::cross_attention, [&](Value input) {
        return multi_head_attention(tape, config, layer.cross_attention, input, memory, memory_mask, place,
                                    Block::cross_attention);
      });
    x = feed_forward_block(tape, config, layer.feed_forward, layer.norm3, x, place);
  }
  return final_norm(tape, config, model.decoder_norm, x,
                    Label{Stack::decoder, -1, Block::none, Site::output});
}

}  // namespace

Value embed(Tape& tape, const Transformer& model, Stack stack, std::span<const int> tokens,
            const core::Tensor* poke) {
  return embed_ids(tape, model, stack, tokens, core::Shape{static_cast<int>(tokens.size())}, {}, poke);
}

Value embed(Tape& tape, const Transformer& model, Stack stack, const TokenBatch& tokens) {
  const int count = static_cast<int>(tokens.ids.size());
  ATTN_CHECK(tokens.batch > 0 && count % tokens.batch == 0);
  ATTN_CHECK(tokens.positions.empty() || tokens.positions.size() == tokens.ids.size());
  const core::Shape shape{tokens.batch, count / tokens.batch};
  return embed_ids(tape, model, stack, tokens.ids, shape, tokens.positions, nullptr);
}

Value encode(Tape& tape, const Transformer& model, Value x, const Mask& source) {
  ATTN_CHECK(has_encoder(model.config));
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.encoder.size(); ++i) {
    const EncoderLayer& layer = model.encoder[i];
    const LayerPlace place{Stack::encoder, static_cast<int>(i)};
    x = self_attention_block(tape, config, layer.self_attention, layer.norm1, x, source, place);
    x = feed_forward_block(tape, config, layer.feed_forward, layer.norm2, x, place);
  }
  return final_norm(tape, config, model.encoder_norm, x,
                    Label{Stack::encoder, -1, Block::none, Site::memory});
}

Value decode(Tape& tape, const Transformer& model, Value x, Value memory, const Mask& target,
             const Mask& memory_mask) {
  ATTN_CHECK(has_cross_attention(model.config) && memory.valid());
  return decode_layers(tape, model, x, memory, target, memory_mask);
}

Value decode(Tape& tape, const Transformer& model, Value x, const Mask& target) {
  ATTN_CHECK(model.config.family == Family::decoder_only);
  return decode_layers(tape, model, x, Value{}, target, Mask::none());
}

Value transform(Tape& tape, const Transformer& model, Value source, Value target,
                const TransformerMasks& masks) {
  const Value memory = encode(tape, model, source, masks.source);
  return decode(tape, model, target, memory, masks.target, masks.memory);
}

Value logits(Tape& tape, const Transformer& model, Value output) {
  const TransformerConfig& config = model.config;
  const Stack stack = has_decoder(config) ? Stack::decoder : Stack::encoder;
  const auto at = [&](Site site) { return Label{stack, -1, Block::none, site}; };
  const bool tied = config.output_projection == OutputProjection::tied;
  ATTN_CHECK(tied || config.output_projection == OutputProjection::separate);
  const Value weight = tied ? tape.borrow(model.embedding.view(), at(Site::embedding_table))
                            : tape.borrow(model.output.weight.view(), at(Site::logits_weight));
  const Value bias = tied ? Value{} : tape.borrow(model.output.bias.view(), at(Site::logits_bias));
  return tape::linear(tape, output, weight, bias, model.output.packed, at(Site::logits));
}

}  // namespace attn::nn
