#include "lessons/mask_lab/masks.h"

#include <algorithm>
#include <limits>

#include "nn/mask.h"

namespace attn::lessons::mask_lab {

using core::Shape;
using core::Tensor;

Tensor pair_mask(const Settings& settings) {
  const nn::Mask mask = settings.causal ? nn::Mask::causal(settings.diagonal) : nn::Mask::none();
  return mask.materialise(kTokens, kTokens);
}

Tensor key_mask(const Settings& settings) {
  Tensor mask(Shape{kTokens, kTokens});
  for (int i = 0; i < kTokens; ++i)
    for (int j = 0; j < kTokens; ++j)
      mask.values()[i * kTokens + j] = is_pad(settings, settings.wrong_axis ? i : j) ? 0.0f : 1.0f;
  return mask;
}

Tensor combined(const Tensor& pairs, const Tensor& keys) {
  Tensor both = pairs;
  for (int i = 0; i < both.size(); ++i) both.values()[i] *= keys.values()[i];
  return both;
}

Tensor written(const Tensor& mask, Convention convention) {
  const auto write = [convention](float visible) {
    switch (convention) {
      case Convention::mha:
        return visible != 0.0f ? 0.0f : 1.0f;
      case Convention::sdpa:
        return visible != 0.0f ? 1.0f : 0.0f;
      case Convention::added:
        break;
    }
    return visible != 0.0f ? 0.0f : -std::numeric_limits<float>::infinity();
  };
  Tensor result = mask;
  std::transform(mask.flat().begin(), mask.flat().end(), result.flat().begin(), write);
  return result;
}

Tensor without_padding(const Tensor& mask, const Settings& settings) {
  const int first = first_word(settings);
  const int count = words_in(settings);
  Tensor words(Shape{count, count});
  for (int i = 0; i < count; ++i)
    std::copy_n(mask.values() + (first + i) * kTokens + first, count, words.values() + i * count);
  return words;
}

}  // namespace attn::lessons::mask_lab
