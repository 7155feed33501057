// Rotary position embedding: pairs of features of a query or key are turned by an angle that grows with the
// position, so that the product of a query and a key depends on the distance between them.
//
//   out_a = x_a * cos - x_b * sin        out_b = x_a * sin + x_b * cos
//
// (a, b) is the i-th pair, cos and sin are those of row t and pair i (nn::fill_rotary makes them; ONNX's
// cos_cache and sin_cache, looked up at position_ids). The first R = 2 * cosines.columns features are turned,
// those from R on pass unchanged (partial rotary embedding). Two products, then one sum, each rounded; a row
// depends on its own row of cosines and sines alone.
//
// x, out, dy and dx (T, d), cosines and sines (T, R/2), R <= d. Source: Su et al. 2021 (RoFormer), section
// 3.2.2, equation 34; ONNX RotaryEmbedding.
#pragma once

#include <cstdint>

#include "core/tensor.h"

namespace attn::kernels {

/// Which features are pair i.
enum class RotaryLayout : std::uint8_t {
  interleaved,  // 2i and 2i + 1: RoFormer, GPT-J; ONNX interleaved = 1
  halves,       // i and R/2 + i: GPT-NeoX, LLaMA in transformers ("rotate_half"); ONNX interleaved = 0
};

/// `out` may be x itself, with the same stride.
void rope(core::ConstMatrix x, core::ConstMatrix cosines, core::ConstMatrix sines, RotaryLayout layout,
          core::Matrix out);

/// dx += dy turned back: dx_a += dy_a * cos + dy_b * sin, dx_b += dy_b * cos - dy_a * sin, dx += dy from R
/// on. Nothing may overlap.
void rope_backward(core::ConstMatrix dy, core::ConstMatrix cosines, core::ConstMatrix sines,
                   RotaryLayout layout, core::Matrix dx);

}  // namespace attn::kernels
