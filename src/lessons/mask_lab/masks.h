// The masks of `mask-lab`, and the same mask in other people's conventions.
#pragma once

#include "lessons/mask_lab/experiment.h"

namespace attn::lessons::mask_lab {

inline constexpr int kWords = 4;

/// Words and padding.
inline int length_of(const Settings& settings) {
  return kWords + (settings.padding == Padding::none ? 0 : 1);
}

/// Position of the first word.
inline int first_word(const Settings& settings) {
  return settings.padding == Padding::left || settings.padding == Padding::left_counted ? 1 : 0;
}

/// Position of the padding, -1 without.
inline int pad_position(const Settings& settings) {
  if (settings.padding == Padding::none) return -1;
  return settings.padding == Padding::right ? kWords : 0;
}

/// (T, T), 1 where may see: the triangle; the padding's columns (or, with the wrong axis, its rows); both.
core::Tensor pair_mask(const Settings& settings);
core::Tensor key_mask(const Settings& settings);
core::Tensor combined(const core::Tensor& pairs, const core::Tensor& keys);

/// (T, T), the same mask written in a convention.
core::Tensor written(const core::Tensor& mask, Convention convention);

/// (kWords, kWords): what the words may see of each other.
core::Tensor without_padding(const core::Tensor& mask, const Settings& settings);

}  // namespace attn::lessons::mask_lab
