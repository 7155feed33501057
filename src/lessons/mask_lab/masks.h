// The masks of `mask-lab`, and the same mask in other people's conventions.
#pragma once

#include "lessons/mask_lab/experiment.h"

namespace attn::lessons::mask_lab {

inline constexpr int kTokens = 4;

/// Words before or after the padding.
inline int words_in(const Settings& settings) { return kTokens - settings.pads; }

/// Position of the first word.
inline int first_word(const Settings& settings) {
  return settings.padding == Padding::right ? 0 : settings.pads;
}

inline bool is_pad(const Settings& settings, int position) {
  const int word = position - first_word(settings);
  return word < 0 || word >= words_in(settings);
}

/// (kTokens, kTokens), 1 where may see: the triangle; the padding's columns (or, with the wrong axis, its
/// rows); both.
core::Tensor pair_mask(const Settings& settings);
core::Tensor key_mask(const Settings& settings);
core::Tensor combined(const core::Tensor& pairs, const core::Tensor& keys);

/// (kTokens, kTokens), the same mask written in a convention.
core::Tensor written(const core::Tensor& mask, Convention convention);

/// (words, words): what the words may see of each other.
core::Tensor without_padding(const core::Tensor& mask, const Settings& settings);

}  // namespace attn::lessons::mask_lab
