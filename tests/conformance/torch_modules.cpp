#include "conformance/torch_modules.h"

#include <set>

#include "conformance/errors.h"
#include "conformance/torch_masks.h"

namespace attn::conformance {
namespace {

/// Our parameter's name as the module's state dict has it: without the stack, and in a lone layer without
/// "layers.0.". False for parameters the module does not have.
bool module_name(std::string_view name, std::string_view stack, bool lone_layer, std::string& result) {
  if (!name.starts_with(stack)) return false;
  name.remove_prefix(stack.size());
  constexpr std::string_view kFirstLayer = "layers.0.";
  if (lone_layer && name.starts_with(kFirstLayer)) name.remove_prefix(kFirstLayer.size());
  result = name;
  return true;
}

const Array* find(const std::map<std::string, Array>& inputs, const char* name) {
  const auto found = inputs.find(name);
  return found == inputs.end() ? nullptr : &found->second;
}

FloatArray sequence(const std::map<std::string, Array>& inputs, const char* name, int d_model) {
  const Array* array = find(inputs, name);
  CONFORMANCE_REQUIRE(array != nullptr, "input '%s' is missing", name);
  CONFORMANCE_REQUIRE(array->rank() == 3 && array->extents[2] == d_model, "input '%s' has shape %s", name,
                      to_string(array->extents).c_str());
  return floats_of(*array, name);
}

void only_inputs(const std::map<std::string, Array>& inputs, std::initializer_list<const char*> known) {
  const std::set<std::string> names(known.begin(), known.end());
  for (const auto& [name, array] : inputs)
    CONFORMANCE_REQUIRE(names.contains(name), "input '%s' is not known", name.c_str());
}

}  // namespace

nn::Activation activation_of(const std::string& name) {
  if (name == "relu") return nn::Activation::relu;
  if (name == "gelu" || name == "gelu_erf") return nn::Activation::gelu;
  malformed("activation '%s' is not known", name.c_str());
}

TorchModule torch_module(const std::string& module, const Json& config,
                         const std::map<std::string, FloatArray>& weights) {
  TorchModule result;
  result.is_decoder = module.starts_with("TransformerDecoder");
  const bool lone_layer = module.ends_with("Layer");
  CONFORMANCE_REQUIRE(module == "TransformerDecoder" || module == "TransformerDecoderLayer" ||
                          module == "TransformerEncoder" || module == "TransformerEncoderLayer",
                      "no adapter for the module %s", module.c_str());
  only_keys(config,
            {"d_model", "nhead", "dim_feedforward", "dropout", "activation", "layer_norm_eps", "norm_first",
             "batch_first", "num_layers", "final_norm"},
            "config");
  CONFORMANCE_REQUIRE(flag_of(config, "batch_first"), "batch_first must be true");
  CONFORMANCE_REQUIRE(number_or(config, "dropout", 0.0) == 0.0, "dropout draws PyTorch's random numbers");
  const int n_layers = int_of(config, "num_layers");
  CONFORMANCE_REQUIRE(!lone_layer || (n_layers == 1 && !flag_of(config, "final_norm")),
                      "a layer is one layer without a final norm");

  nn::TransformerConfig settings;
  settings.family = result.is_decoder ? nn::Family::encoder_decoder : nn::Family::encoder_only;
  settings.d_model = int_of(config, "d_model");
  settings.n_heads = int_of(config, "nhead");
  settings.d_ff = int_of(config, "dim_feedforward");
  settings.n_encoder_layers = result.is_decoder ? 1 : n_layers;  // a decoder's memory is given
  settings.n_decoder_layers = result.is_decoder ? n_layers : 1;
  settings.activation = activation_of(text_of(config, "activation"));
  settings.norm_first = flag_of(config, "norm_first");
  settings.final_norm = flag_of(config, "final_norm");
  settings.layer_norm_epsilon = static_cast<float>(number_of(config, "layer_norm_eps"));
  const core::Status valid = nn::validate(settings);
  CONFORMANCE_REQUIRE(valid.ok(), "%s", valid.error().c_str());

  result.model = nn::make_transformer(settings);
  std::size_t used = 0;
  nn::for_each_parameter(result.model, [&](std::string_view name, core::Tensor& parameter) {
    std::string key;
    if (!module_name(name, result.is_decoder ? "decoder." : "encoder.", lone_layer, key)) return;
    const auto found = weights.find(key);
    CONFORMANCE_REQUIRE(found != weights.end(), "weight '%s' is missing", key.c_str());
    CONFORMANCE_REQUIRE(found->second.extents == extents_of(parameter.shape()), "weight '%s' has shape %s",
                        key.c_str(), to_string(found->second.extents).c_str());
    std::copy(found->second.values.begin(), found->second.values.end(), parameter.values());
    ++used;
  });
  CONFORMANCE_REQUIRE(used == weights.size(), "%zu of %zu weights have no place in the module",
                      weights.size() - used, weights.size());
  nn::pack_weights(result.model);
  return result;
}

TorchModuleResult run_torch_module(const TorchModule& module, const std::map<std::string, Array>& inputs) {
  const nn::TransformerConfig& config = module.model.config;
  const auto mask_of = [&](const char* pairs, const char* padding, const FloatArray& queries,
                           const FloatArray& keys) {
    return torch_mask({find(inputs, pairs), find(inputs, padding), queries.extents[0], config.n_heads,
                       queries.extents[1], keys.extents[1]});
  };
  tape::Tape tape;
  if (module.is_decoder) {
    only_inputs(inputs, {"tgt", "memory", "tgt_mask", "memory_mask", "tgt_key_padding_mask",
                         "memory_key_padding_mask"});
    const FloatArray target = sequence(inputs, "tgt", config.d_model);
    const FloatArray memory = sequence(inputs, "memory", config.d_model);
    CONFORMANCE_REQUIRE(target.extents[0] == memory.extents[0], "tgt and memory have different batches");
    const TorchMask target_mask = mask_of("tgt_mask", "tgt_key_padding_mask", target, target);
    const TorchMask memory_mask = mask_of("memory_mask", "memory_key_padding_mask", target, memory);
    const tape::Value output = nn::decode(
        tape, module.model, tape.leaf(target.view(), {}), tape.leaf(memory.view(), {}),
        {target_mask.visible, target_mask.bias_view()}, {memory_mask.visible, memory_mask.bias_view()});
    return {FloatArray(tape.tensor(output)), target_mask.has_empty_row || memory_mask.has_empty_row};
  }
  only_inputs(inputs, {"src", "mask", "src_key_padding_mask"});
  const FloatArray source = sequence(inputs, "src", config.d_model);
  const TorchMask mask = mask_of("mask", "src_key_padding_mask", source, source);
  const tape::Value output =
      nn::encode(tape, module.model, tape.leaf(source.view(), {}), {mask.visible, mask.bias_view()});
  return {FloatArray(tape.tensor(output)), mask.has_empty_row};
}

}  // namespace attn::conformance
