// One forward pass over tokens, recorded on a fresh tape.
#pragma once

#include <span>

#include "nn/transformer.h"

namespace attn::test {

inline tape::Tape run_pass(const nn::Transformer& model, std::span<const int> source,
                           std::span<const int> target, const nn::TransformerMasks& masks = {},
                           const core::Tensor* target_poke = nullptr) {
  tape::Tape tape;
  const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, source);
  const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, target, target_poke);
  nn::transform(tape, model, x, y, masks);
  return tape;
}

inline nn::TransformerMasks without_target_mask() {
  nn::TransformerMasks masks;
  masks.target = nn::Mask::none();
  return masks;
}

}  // namespace attn::test
