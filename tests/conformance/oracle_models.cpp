#include "conformance/oracle_models.h"

#include <algorithm>
#include <charconv>

#include "conformance/errors.h"
#include "conformance/formats.h"
#include "io/state_dict.h"

namespace attn::conformance {
namespace {

bool any_tensor(const OracleFile& oracle, bool (*matches)(std::string_view)) {
  const auto& tensors = oracle.file().tensors;
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const io::StoredTensor& tensor) { return matches(tensor.name); });
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

}  // namespace

bool parse_variant(std::string_view name, Variant& variant) {
  if (!take(name, "h")) return false;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), variant.settings.n_heads);
  if (error != std::errc()) return false;
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  variant.settings.norm_first = take(name, "_pre");
  if (!variant.settings.norm_first && !take(name, "_post")) return false;
  const bool gelu = take(name, "_gelu");
  if (!gelu && !take(name, "_relu")) return false;
  variant.settings.activation = gelu ? nn::Activation::gelu : nn::Activation::relu;
  variant.padded = take(name, "_pad");
  return name.empty();
}

nn::Transformer model_of(const OracleFile& state, const OracleSettings& settings) {
  auto loaded =
      io::load_state_dict(state.file(), {.n_heads = settings.n_heads,
                                         .norm_first = settings.norm_first,
                                         .activation = settings.activation,
                                         .layer_norm_epsilon = static_cast<float>(settings.layer_norm_eps)});
  CONFORMANCE_REQUIRE(loaded.ok(), "%s: %s", state.path().filename().string().c_str(),
                      loaded.error().c_str());
  nn::Transformer model = std::move(loaded).value();
  model.config.output_projection = nn::OutputProjection::tied;
  nn::pack_weights(model);
  return model;
}

OracleTokens tokens_of(const OracleFile& oracle, const char* name, int vocabulary, int length) {
  const Array array = oracle.array(name);
  CONFORMANCE_REQUIRE(array.rank() == 2, "'%s' must be (batch, length)", name);
  OracleTokens tokens{{}, array.extents[0]};
  const std::vector<int> all = oracle.ints(name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CONFORMANCE_REQUIRE(all[i] >= 0 && all[i] < vocabulary, "'%s': token %d of %d", name, all[i], vocabulary);
    if (length < 0 || static_cast<int>(i) % array.extents[1] < length) tokens.ids.push_back(all[i]);
  }
  return tokens;
}

tape::Value record_pass(tape::Tape& tape, const nn::Transformer& model, const OracleTokens& source,
                        const OracleTokens& target, const nn::TransformerMasks& masks) {
  CONFORMANCE_REQUIRE(source.batch == target.batch, "src and tgt have different batches");
  const tape::Value x =
      nn::embed(tape, model, tape::Stack::encoder, nn::TokenBatch{source.ids, source.batch});
  const tape::Value y =
      nn::embed(tape, model, tape::Stack::decoder, nn::TokenBatch{target.ids, target.batch});
  return nn::transform(tape, model, x, y, masks);
}

std::filesystem::path sibling(const std::filesystem::path& path, const std::string& rest) {
  const std::string stem = path.stem().string();
  return path.parent_path() / (stem.substr(0, stem.find('_')) + "_" + rest + ".safetensors");
}

Case state_dict_case(const SourceFile& file, std::shared_ptr<const OracleFile> oracle) {
  return {file.folder, "state dict", file.path.stem().string(), [oracle](Judge& judge) {
            const nn::Transformer model = model_of(*oracle, {.n_heads = 1});
            nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
              const std::string own(name);
              const std::string prefixed = "transformer." + own;
              judge.expect(own, FloatArray(parameter.view()),
                           oracle->array(oracle->has(own) ? own : prefixed), {});
            });
          }};
}

std::vector<Case> oracle_model_cases(const SourceFile& file) {
  const auto oracle = std::make_shared<const OracleFile>(file.path);
  const std::string stem = file.path.stem().string();
  if (stem.ends_with("_state_dict")) return {state_dict_case(file, oracle)};
  if (oracle->has_metadata("config")) return small_model_cases(file, oracle);
  if (any_tensor(*oracle, [](std::string_view name) { return name.ends_with("/full"); }))
    return seed_output_cases(file, oracle);
  return seed_training_cases(file, oracle);
}

}  // namespace attn::conformance
