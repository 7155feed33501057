#include "lessons/mask_lab/masks.h"

#include <algorithm>
#include <limits>

#include "nn/mask.h"

namespace attn::lessons::mask_lab {

using core::Shape;
using core::Tensor;

Tensor pair_mask(const Settings& settings) {
  const int length = length_of(settings);
  const nn::Mask mask = settings.causal ? nn::Mask::causal(settings.diagonal) : nn::Mask::none();
  return mask.materialise(length, length);
}

Tensor key_mask(const Settings& settings) {
  const int length = length_of(settings);
  const int pad = pad_position(settings);
  Tensor mask(Shape{length, length});
  for (int i = 0; i < length; ++i)
    for (int j = 0; j < length; ++j)
      mask.values()[i * length + j] = (settings.wrong_axis ? i : j) == pad ? 0.0f : 1.0f;
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
  const int length = length_of(settings);
  const int first = first_word(settings);
  Tensor words(Shape{kWords, kWords});
  for (int i = 0; i < kWords; ++i)
    std::copy_n(mask.values() + (first + i) * length + first, kWords, words.values() + i * kWords);
  return words;
}

}  // namespace attn::lessons::mask_lab
