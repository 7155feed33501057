// PyTorch's initialisation, number for number: the weights a reader's own notebook has after
//
//   torch.manual_seed(seed)
//   embedding = torch.nn.Embedding(vocabulary, d_model)
//   transformer = torch.nn.Transformer(d_model, n_heads, n_encoder_layers, n_decoder_layers, d_ff)
//
// on the CPU. n_heads, the activation and norm_first draw nothing. The other families follow the same
// procedure with the stacks they have; a table of the source's own and learned positions are nn.Embedding
// drawn after the first one, an output projection of its own is nn.Linear(d_model, vocabulary) drawn last.
#pragma once

#include <cstdint>
#include <span>

#include "core/torch_random.h"
#include "nn/parameters.h"

namespace attn::nn {

/// Draws every parameter of `model` (from make_transformer) in PyTorch's order and packs the weights. The
/// stacks are PyTorch's to the bit; the embedding differs from it by at most an ulp or two (see fill_normal).
/// Error: a config that validate() refuses; the model is then unchanged.
core::Status initialize_like_pytorch(Transformer& model, std::uint32_t seed);

/// `Tensor.normal_()` for float32: mean 0, deviation 1, by the Box-Muller transform.
/// From 16 values on, in blocks of 16 (a rest of less than 16 redraws the last 16):
///   r = sqrt(-2 ln(1 - u_j)), t = 2 pi u_{j+8}:  x_j = r cos t,  x_{j+8} = r sin t,  j < 8
/// Fewer: x, x' = r cos t, r sin t with r = sqrt(-2 ln(1 - u')), t = 2 pi u, from 53-bit uniforms u, u',
/// and an odd count drops its last sine. The draws are PyTorch's. Its vectorised log and cosine make its
/// values differ from ours in the last bit or two (measured: 5e-7 over 2,000,000 values, 1.2e-7 for the 80
/// values of seed 0); ours are the same bits on every platform.
/// Source: ATen/native/cpu/DistributionTemplates.h, ATen/core/DistributionsHelper.h.
void fill_normal(std::span<float> values, core::TorchGenerator& generator);

}  // namespace attn::nn
