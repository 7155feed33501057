// nn.TransformerEncoder, nn.TransformerDecoder and their layers with given weights.
#pragma once

#include <map>
#include <string>

#include "conformance/array.h"
#include "conformance/json_tensor.h"
#include "nn/transformer.h"

namespace attn::conformance {

/// "relu", "gelu" or "gelu_erf".
nn::Activation activation_of(const std::string& name);

/// One of the four modules, as a model of ours.
struct TorchModule {
  nn::Transformer model;
  bool is_decoder = false;
};

/// `module` is PyTorch's class name, `config` its arguments, `weights` its state dict. Malformed when a name
/// or a shape doesn't fit, or a weight is missing or left over.
TorchModule torch_module(const std::string& module, const Json& config,
                         const std::map<std::string, FloatArray>& weights);

/// Inputs by PyTorch's names: src, mask, src_key_padding_mask; tgt, memory, tgt_mask, memory_mask,
/// tgt_key_padding_mask, memory_key_padding_mask.
struct TorchModuleResult {
  FloatArray output;
  bool has_empty_row = false;  // some query sees nothing
};
TorchModuleResult run_torch_module(const TorchModule& module, const std::map<std::string, Array>& inputs);

}  // namespace attn::conformance
