#include "io/state_dict.h"

#include <charconv>
#include <initializer_list>
#include <limits>
#include <map>

#include "io/json_scanner.h"

namespace attn::io {
namespace {

using core::error_at;
using core::Status;

// Tensors by their name without wrappers' prefixes.
using Tensors = std::map<std::string_view, const StoredTensor*>;

std::string_view without_prefixes(std::string_view name) {
  static constexpr std::string_view kPrefixes[] = {"module.", "model.", "_orig_mod.", "transformer."};
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view prefix : kPrefixes) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      found = true;
    }
  }
  return name;
}

core::Result<Tensors> index_by_name(const SafetensorsFile& file) {
  Tensors tensors;
  for (const StoredTensor& tensor : file.tensors) {
    const std::string_view name = without_prefixes(tensor.name);
    const auto [other, is_new] = tensors.emplace(name, &tensor);
    if (!is_new)
      return error_at("tensors %s and %s are the same parameter", quoted(other->second->name).c_str(),
                      quoted(tensor.name).c_str());
  }
  return tensors;
}

// A shape whose sizes are read off: rank 2, both extents in [1, 2^31 - 1].
core::Result<core::Shape> matrix_shape(const Tensors& tensors, std::string_view name) {
  const auto found = tensors.find(name);
  if (found == tensors.end())
    return error_at("tensor %s is missing: not the state dict of an nn.Transformer with its embedding",
                    quoted(name).c_str());
  const core::Result<core::Shape> shape = shape_of(*found->second);
  if (!shape.ok()) return shape;
  if (shape.value().rank() != 2)
    return error_at("tensor %s has shape %s, must be a matrix", quoted(name).c_str(),
                    to_string(shape.value()).c_str());
  return shape;
}

// One more than the largest i of "<stack>.layers.{i}."; 0 if there is none. Gaps show up as missing tensors.
int count_layers(const Tensors& tensors, std::string_view stack) {
  const std::string prefix = std::string(stack) + ".layers.";
  int count = 0;
  for (auto next = tensors.lower_bound(prefix); next != tensors.end(); ++next) {
    if (!next->first.starts_with(prefix)) break;
    const std::string_view rest = next->first.substr(prefix.size());
    int layer = -1;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), layer);
    const bool is_index = code == std::errc() && end != rest.data() + rest.size() && *end == '.';
    if (is_index && layer >= count && layer < std::numeric_limits<int>::max()) count = layer + 1;
  }
  return count;
}

core::Result<nn::TransformerConfig> infer_config(const Tensors& tensors, const StateDictSettings& settings) {
  const core::Result<core::Shape> embedding = matrix_shape(tensors, "embedding.weight");
  if (!embedding.ok()) return core::Error{embedding.error()};
  const core::Result<core::Shape> linear1 = matrix_shape(tensors, "encoder.layers.0.linear1.weight");
  if (!linear1.ok()) return core::Error{linear1.error()};
  const nn::TransformerConfig config{.vocabulary = embedding.value()[0],
                                     .d_model = embedding.value()[1],
                                     .n_heads = settings.n_heads,
                                     .n_encoder_layers = count_layers(tensors, "encoder"),
                                     .n_decoder_layers = count_layers(tensors, "decoder"),
                                     .d_ff = linear1.value()[0],
                                     .activation = settings.activation,
                                     .norm_first = settings.norm_first,
                                     .layer_norm_epsilon = settings.layer_norm_epsilon};
  if (const Status valid = nn::validate(config); !valid.ok()) return core::Error{valid.error()};
  return config;
}

struct Expected {
  std::string name;
  core::Shape shape;
};

// Every tensor of such a model; no memory is taken for their values.
std::vector<Expected> expected_tensors(const nn::TransformerConfig& config) {
  const int d_model = config.d_model;
  const int d_ff = config.d_ff;
  std::vector<Expected> expected;
  const auto add_pair = [&](const std::string& name, core::Shape weight) {
    expected.push_back({name + "weight", weight});
    expected.push_back({name + "bias", core::Shape{weight[0]}});
  };
  const auto add_layers = [&](const std::string& stack, int n_layers,
                              std::initializer_list<const char*> attentions, int n_norms) {
    for (int i = 0; i < n_layers; ++i) {
      const std::string layer = stack + ".layers." + std::to_string(i) + ".";
      for (const char* attention : attentions) {
        add_pair(layer + attention + ".in_proj_", {3 * d_model, d_model});
        add_pair(layer + attention + ".out_proj.", {d_model, d_model});
      }
      add_pair(layer + "linear1.", {d_ff, d_model});
      add_pair(layer + "linear2.", {d_model, d_ff});
      for (int norm = 1; norm <= n_norms; ++norm)
        add_pair(layer + "norm" + std::to_string(norm) + ".", {d_model});
    }
    add_pair(stack + ".norm.", {d_model});
  };
  expected.push_back({"embedding.weight", {config.vocabulary, d_model}});
  add_layers("encoder", config.n_encoder_layers, {"self_attn"}, 2);
  add_layers("decoder", config.n_decoder_layers, {"self_attn", "multihead_attn"}, 3);
  return expected;
}

bool has_shape(const StoredTensor& tensor, const core::Shape& shape) {
  if (tensor.extents.rank != shape.rank()) return false;
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (tensor.extents.values[static_cast<std::size_t>(axis)] != static_cast<std::uint64_t>(shape[axis]))
      return false;
  return true;
}

// "'a', 'b', 'c' and 17 more"
class NameList {
 public:
  void add(std::string_view name) {
    if (++count_ > kShown) return;
    text_ += (count_ > 1 ? ", " : "") + quoted(name);
  }
  bool empty() const { return count_ == 0; }
  std::string text() const {
    return count_ > kShown ? text_ + " and " + std::to_string(count_ - kShown) + " more" : text_;
  }

 private:
  static constexpr int kShown = 3;
  int count_ = 0;
  std::string text_;
};

// Each tensor of the model is there in its shape, and no other.
Status check_tensors(const Tensors& tensors, const nn::TransformerConfig& config) {
  NameList missing;
  Tensors unknown = tensors;
  for (const Expected& expected : expected_tensors(config)) {
    const auto found = tensors.find(expected.name);
    if (found == tensors.end()) {
      missing.add(expected.name);
      continue;
    }
    if (!has_shape(*found->second, expected.shape))
      return error_at("tensor %s has shape %s, must be %s for d_model %d, d_ff %d",
                      quoted(found->second->name).c_str(), to_string(found->second->extents).c_str(),
                      to_string(expected.shape).c_str(), config.d_model, config.d_ff);
    if (const auto shape = shape_of(*found->second); !shape.ok()) return core::Error{shape.error()};
    unknown.erase(expected.name);
  }
  if (!missing.empty())
    return error_at("a model with %d encoder and %d decoder layers needs the missing tensors %s",
                    config.n_encoder_layers, config.n_decoder_layers, missing.text().c_str());
  if (unknown.empty()) return core::ok_status();
  NameList names;
  for (const auto& item : unknown) names.add(item.second->name);
  return error_at("tensors that nn.Transformer does not have: %s", names.text().c_str());
}

}  // namespace

core::Result<nn::Transformer> load_state_dict(const SafetensorsFile& file,
                                              const StateDictSettings& settings) {
  const core::Result<Tensors> tensors = index_by_name(file);
  if (!tensors.ok()) return core::Error{tensors.error()};
  const core::Result<nn::TransformerConfig> config = infer_config(tensors.value(), settings);
  if (!config.ok()) return core::Error{config.error()};
  if (const Status complete = check_tensors(tensors.value(), config.value()); !complete.ok())
    return core::Error{complete.error()};

  nn::Transformer model = nn::make_transformer(config.value());
  nn::for_each_parameter(model, [&](std::string_view name, core::Tensor& parameter) {
    const auto found = tensors.value().find(name);
    ATTN_CHECK(found != tensors.value().end());
    core::Result<core::Tensor> values = to_float(*found->second);
    ATTN_CHECK(values.ok() && values.value().shape() == parameter.shape());
    parameter = std::move(values).value();
  });
  nn::pack_weights(model);
  return model;
}

}  // namespace attn::io
