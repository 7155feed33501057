// A model of any family as a safetensors file of this project: its parameters under PyTorch's names
// (nn/parameters.h), and every field of its config as a scalar "config.<field>". A state dict from elsewhere,
// which has no config, is io/state_dict.h.
#pragma once

#include <string>

#include "core/result.h"
#include "io/safetensors.h"
#include "io/safetensors_writer.h"
#include "nn/parameters.h"

namespace attn::io {

/// Adds config and parameters; with Dtype::f16 weights are rounded (read_model gives the rounded ones).
void add_model(SafetensorsWriter& file, const nn::Transformer& model, Dtype dtype = Dtype::f32);

/// The model, packed. Error: a field or tensor that is missing, of another shape or not finite, or a config
/// that nn::validate refuses. Other tensors of the file are left alone.
core::Result<nn::Transformer> read_model(const SafetensorsFile& file);

/// The two halves of it: the config, and the parameters of a model of that config, whose memory stays in
/// place.
core::Result<nn::TransformerConfig> read_config(const SafetensorsFile& file);
core::Status read_parameters(const SafetensorsFile& file, nn::Transformer& model);

/// Fills `values` from the tensor of this name. Error: it is missing, has another shape, or numbers that are
/// not finite.
core::Status read_tensor(const SafetensorsFile& file, const std::string& name, core::Tensor& values);

}  // namespace attn::io
