// A PyTorch state dict as a model: the keys and shapes of torch.nn.Transformer plus "embedding.weight".
//
//   embedding.weight                                      (vocabulary, d_model)
//   encoder.layers.{i}.self_attn.in_proj_weight           (3·d_model, d_model)   …in_proj_bias (3·d_model)
//   encoder.layers.{i}.self_attn.out_proj.weight          (d_model, d_model)     …bias (d_model)
//   encoder.layers.{i}.linear1.weight                     (d_ff, d_model)        …bias (d_ff)
//   encoder.layers.{i}.linear2.weight                     (d_model, d_ff)        …bias (d_model)
//   encoder.layers.{i}.norm1|norm2.weight|bias            (d_model)
//   decoder.layers.{i}.…                                  the same, and multihead_attn.… as self_attn, norm3
//   encoder.norm.weight|bias, decoder.norm.weight|bias    (d_model)
//
// Wrappers put names in front: "module." (DataParallel), "_orig_mod." (torch.compile), "model.",
// "transformer." are taken off, any number of them.
#pragma once

#include "core/result.h"
#include "io/safetensors.h"
#include "nn/parameters.h"

namespace attn::io {

/// What the tensors do not say.
struct StateDictSettings {
  int n_heads = 8;
  bool norm_first = false;
  nn::Activation activation = nn::Activation::relu;
  float layer_norm_epsilon = 1e-5f;
};

/// The model with these weights, packed. Sizes and the numbers of layers are read from the shapes; number
/// types are converted as by to_float. Errors name the tensors that are missing, unknown, of another shape or
/// there twice, and sizes or settings that nn::validate refuses. Everything is checked before memory is
/// taken, so a small file cannot ask for a large model.
core::Result<nn::Transformer> load_state_dict(const SafetensorsFile& file, const StateDictSettings& settings);

}  // namespace attn::io
