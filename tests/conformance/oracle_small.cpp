#include "conformance/oracle_small.h"

#include <optional>

#include "conformance/errors.h"
#include "conformance/tolerances.h"
#include "conformance/torch_modules.h"
#include "conformance/torch_names.h"

namespace attn::conformance {
namespace {

Json config_of(const OracleFile& oracle) {
  Json config = oracle.metadata("config");
  only_keys(
      config,
      {"nhead", "norm_first", "activation", "num_encoder_layers", "num_decoder_layers", "dim_feedforward",
       "layer_norm_eps", "label_smoothing", "ignore_index", "adam", "masks", "losses_f64"},
      "config");
  return config;
}

OracleSettings settings_of(const Json& config) {
  return {int_of(config, "nhead"), flag_of(config, "norm_first"),
          activation_of(text_of(config, "activation")), number_or(config, "layer_norm_eps", 1e-5)};
}

}  // namespace

SmallModel::SmallModel(std::shared_ptr<const OracleFile> oracle)
    : oracle_(std::move(oracle)),
      config_(config_of(*oracle_)),
      settings_(settings_of(config_)),
      model_(model_of(OracleFile(sibling(oracle_->path(), "state_dict")), settings_)),
      source_(tokens_of(*oracle_, "src", model_.config.vocabulary)),
      target_(tokens_of(*oracle_, "tgt", model_.config.vocabulary)) {
  CONFORMANCE_REQUIRE(source_.batch == target_.batch, "src and tgt have different batches");
  masks_[0] = mask("src_mask", "src_key_padding_mask", source_, source_);
  masks_[1] = mask("tgt_mask", "tgt_key_padding_mask", target_, target_);
  masks_[2] = mask("memory_mask", "memory_key_padding_mask", target_, source_);
}

TorchMask SmallModel::mask(const char* pairs, const char* padding, const OracleTokens& queries,
                           const OracleTokens& keys) const {
  std::optional<Array> pair_mask, padding_mask;
  const auto read = [&](const char* name, std::optional<Array>& array) {
    const std::string full = std::string("mask/") + name;
    if (oracle_->has(full)) array = oracle_->array(full);
    return array.has_value() ? &*array : nullptr;
  };
  const Array* pair_pointer = read(pairs, pair_mask);
  const Array* padding_pointer = read(padding, padding_mask);
  return torch_mask({.pairs = pair_pointer,
                     .padding = padding_pointer,
                     .batch = queries.batch,
                     .n_heads = settings_.n_heads,
                     .queries = queries.length(),
                     .keys = keys.length()});
}

tape::Value SmallModel::record(tape::Tape& tape, const nn::Transformer& model) const {
  return record_pass(tape, model, source_, target_,
                     {.source = {masks_[0].visible, masks_[0].bias_view()},
                      .target = {masks_[1].visible, masks_[1].bias_view()},
                      .memory = {masks_[2].visible, masks_[2].bias_view()}});
}

Training SmallModel::training() const {
  Training training;
  training.record = [this](tape::Tape& tape, const nn::Transformer& model) { return record(tape, model); };
  training.label_smoothing = number_or(config_, "label_smoothing", 0.0);
  training.ignore_index = int_or(config_, "ignore_index", training.ignore_index);
  training.labels = labels_of(*oracle_, model_, training.ignore_index);
  if (config_.contains("adam")) read_adam(config_["adam"], training);
  if (config_.contains("losses_f64"))
    training.losses = array_of_lists(config_["losses_f64"], "losses_f64").values;
  return training;
}

}  // namespace attn::conformance
