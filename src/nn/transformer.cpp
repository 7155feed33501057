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

}  // namespace

Value embed(Tape& tape, const Transformer& model, Stack stack, std::span<const int> tokens,
            const core::Tensor* poke) {
  const auto at = [&](Site site) { return Label{stack, -1, Block::none, site}; };
  core::Tensor ids(core::Shape{static_cast<int>(tokens.size())});
  for (std::size_t i = 0; i < tokens.size(); ++i) ids.flat()[i] = static_cast<float>(tokens[i]);
  const Value table = tape.borrow(model.embedding.view(), at(Site::embedding_table));
  const Value id_leaf = tape.leaf(ids.view(), at(Site::tokens));
  if (poke == nullptr) return tape::lookup(tape, table, id_leaf, at(Site::embedding));
  const Value looked_up = tape::lookup(tape, table, id_leaf, Label{});
  return tape::add(tape, looked_up, tape.leaf(poke->view(), at(Site::poke)), at(Site::embedding));
}

Value encode(Tape& tape, const Transformer& model, Value x, const Mask& source) {
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.encoder.size(); ++i) {
    const EncoderLayer& layer = model.encoder[i];
    const LayerPlace place{Stack::encoder, static_cast<int>(i)};
    x = residual_block(tape, config, layer.norm1, x, place, Block::self_attention, [&](Value input) {
      return multi_head_attention(tape, config, layer.self_attention, input, input, source, place,
                                  Block::self_attention);
    });
    x = residual_block(tape, config, layer.norm2, x, place, Block::feed_forward, [&](Value input) {
      return feed_forward(tape, config, layer.feed_forward, input, place);
    });
  }
  return normalise(tape, config, model.encoder_norm, x, Label{Stack::encoder, -1, Block::none, Site::memory});
}

Value decode(Tape& tape, const Transformer& model, Value x, Value memory, const Mask& target,
             const Mask& memory_mask) {
  const TransformerConfig& config = model.config;
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    const DecoderLayer& layer = model.decoder[i];
    const LayerPlace place{Stack::decoder, static_cast<int>(i)};
    x = residual_block(tape, config, layer.norm1, x, place, Block::self_attention, [&](Value input) {
      return multi_head_attention(tape, config, layer.self_attention, input, input, target, place,
                                  Block::self_attention);
    });
    x = residual_block(tape, config, layer.norm2, x, place, Block::cross_attention, [&](Value input) {
      return multi_head_attention(tape, config, layer.cross_attention, input, memory, memory_mask, place,
                                  Block::cross_attention);
    });
    x = residual_block(tape, config, layer.norm3, x, place, Block::feed_forward, [&](Value input) {
      return feed_forward(tape, config, layer.feed_forward, input, place);
    });
  }
  return normalise(tape, config, model.decoder_norm, x, Label{Stack::decoder, -1, Block::none, Site::output});
}

Value transform(Tape& tape, const Transformer& model, Value source, Value target,
                const TransformerMasks& masks) {
  const Value memory = encode(tape, model, source, masks.source);
  return decode(tape, model, target, memory, masks.target, masks.memory);
}

}  // namespace attn::nn
