#include "nn/transformer.h"

#include <cmath>

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
                     LayerPlace place, Block block, Dropout* dropout, Function&& function) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, block, site}; };
  const Value input = config.norm_first ? normalise(tape, config, norm, x, at(Site::norm)) : x;
  const Value sum = tape::add(tape, x, drop(tape, function(input), dropout), at(Site::residual));
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

struct EmbeddingInput {
  std::span<const int> ids;
  core::Shape shape;  // (T) or (B, T)
  std::span<const int> positions;
  const core::Tensor* poke;
};

Value embed_ids(Tape& tape, const Transformer& model, Stack stack, const EmbeddingInput& input,
                Dropout* dropout) {
  const TransformerConfig& config = model.config;
  const auto at = [&](Site site) { return Label{stack, -1, Block::none, site}; };
  const core::Tensor& embedding = stack == Stack::encoder ? model.embedding_of_source() : model.embedding;
  // The last of these ops carries the label, the others are on the way.
  const bool has_positions = config.positions != Positions::none;
  const auto label_if = [&](bool last) { return last ? at(Site::embedding) : Label{}; };
  const bool has_poke = input.poke != nullptr;
  const Value table = tape.borrow(embedding.view(), at(Site::embedding_table));
  const Value tokens = record_ids(tape, input.ids, input.shape, at(Site::tokens));
  Value x =
      tape::lookup(tape, table, tokens, label_if(!config.scale_embedding && !has_positions && !has_poke));
  if (config.scale_embedding)
    x = tape::scale(tape, x, std::sqrt(static_cast<float>(config.d_model)),
                    label_if(!has_positions && !has_poke));
  if (has_positions) {
    const Value rows = tape.borrow(model.position_table.view(), at(Site::position_table));
    const Value where = input.positions.empty() ? record_counted(tape, input.shape)
                                                : record_ids(tape, input.positions, input.shape, Label{});
    const Value position = tape::lookup(tape, rows, where, at(Site::position));
    x = tape::add(tape, x, position, label_if(!has_poke));
  }
  if (has_poke) x = tape::add(tape, x, tape.leaf(input.poke->view(), at(Site::poke)), at(Site::embedding));
  return drop(tape, x, dropout);
}

/// The feed-forward block that ends every layer.
Value feed_forward_block(Tape& tape, const TransformerConfig& config, const FeedForward& parameters,
                         const LayerNorm& norm, Value x, LayerPlace place, Dropout* dropout) {
  return residual_block(tape, config, norm, x, place, Block::feed_forward, dropout, [&](Value input) {
    return feed_forward(tape, config, parameters, input, place, dropout);
  });
}

Value self_attention_block(Tape& tape, const TransformerConfig& config, const MultiHeadAttention& parameters,
                           const LayerNorm& norm, Value x, const AttentionMask& mask, LayerPlace place,
                           Dropout* dropout) {
  return residual_block(tape, config, norm, x, place, Block::self_attention, dropout, [&](Value input) {
    return multi_head_attention(tape, config, parameters, input, input, mask, place, Block::self_attention,
                                dropout);
  });
}

Value final_norm(Tape& tape, const TransformerConfig& config, const LayerNorm& norm, Value x, Label label) {
  return config.final_norm ? normalise(tape, config, norm, x, label) : x;
}

/// The decoder stack; `memory` is not valid in a decoder-only model.
Value decode_layers(Tape& tape, const Transformer& model, Value x, Value memory, const AttentionMask& target,
                    const AttentionMask& memory_mask, Dropout* dropout) {
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    const DecoderLayer& layer = model.decoder[i];
    const LayerPlace place{Stack::decoder, static_cast<int>(i)};
    x = self_attention_block(tape, config, layer.self_attention, layer.norm1, x, target, place, dropout);
    if (memory.valid())
      x = residual_block(tape, config, layer.norm2, x, place, Block::cross_attention, dropout,
                         [&](Value input) {
                           return multi_head_attention(tape, config, layer.cross_attention, input, memory,
                                                       memory_mask, place, Block::cross_attention, dropout);
                         });
    x = feed_forward_block(tape, config, layer.feed_forward, layer.norm3, x, place, dropout);
  }
  return final_norm(tape, config, model.decoder_norm, x,
                    Label{Stack::decoder, -1, Block::none, Site::output});
}

}  // namespace

Value embed(Tape& tape, const Transformer& model, Stack stack, std::span<const int> tokens,
            const core::Tensor* poke) {
  return embed_ids(tape, model, stack, {tokens, core::Shape{static_cast<int>(tokens.size())}, {}, poke},
                   nullptr);
}

Value embed(Tape& tape, const Transformer& model, Stack stack, const TokenBatch& tokens, Dropout* dropout) {
  const int count = static_cast<int>(tokens.ids.size());
  ATTN_CHECK(tokens.batch > 0 && count % tokens.batch == 0);
  ATTN_CHECK(tokens.positions.empty() || tokens.positions.size() == tokens.ids.size());
  const core::Shape shape{tokens.batch, count / tokens.batch};
  return embed_ids(tape, model, stack, {tokens.ids, shape, tokens.positions, nullptr}, dropout);
}

Value encode(Tape& tape, const Transformer& model, Value x, const AttentionMask& source, Dropout* dropout) {
  ATTN_CHECK(has_encoder(model.config));
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.encoder.size(); ++i) {
    const EncoderLayer& layer = model.encoder[i];
    const LayerPlace place{Stack::encoder, static_cast<int>(i)};
    x = self_attention_block(tape, config, layer.self_attention, layer.norm1, x, source, place, dropout);
    x = feed_forward_block(tape, config, layer.feed_forward, layer.norm2, x, place, dropout);
  }
  return final_norm(tape, config, model.encoder_norm, x,
                    Label{Stack::encoder, -1, Block::none, Site::memory});
}

Value decode(Tape& tape, const Transformer& model, Value x, Value memory, const AttentionMask& target,
             const AttentionMask& memory_mask, Dropout* dropout) {
  ATTN_CHECK(has_cross_attention(model.config) && memory.valid());
  return decode_layers(tape, model, x, memory, target, memory_mask, dropout);
}

Value decode(Tape& tape, const Transformer& model, Value x, const AttentionMask& target, Dropout* dropout) {
  ATTN_CHECK(model.config.family == Family::decoder_only);
  return decode_layers(tape, model, x, Value{}, target, {}, dropout);
}

Value transform(Tape& tape, const Transformer& model, Value source, Value target,
                const TransformerMasks& masks, Dropout* dropout) {
  const Value memory = encode(tape, model, source, masks.source, dropout);
  return decode(tape, model, target, memory, masks.target, masks.memory, dropout);
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
