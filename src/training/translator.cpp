#include "training/translator.h"

#include "io/model_file.h"

namespace attn::training {
namespace {

constexpr const char* kSourceKey = "source_vocabulary";
constexpr const char* kTargetKey = "target_vocabulary";

core::Result<io::Vocabulary> read_vocabulary(const io::SafetensorsFile& file, const char* key, int size) {
  for (const auto& [name, text] : file.metadata) {
    if (name != key) continue;
    core::Result<io::Vocabulary> vocabulary = io::Vocabulary::from_json(text);
    if (!vocabulary.ok()) return core::error_at("metadata '%s': %s", key, vocabulary.error().c_str());
    if (vocabulary.value().size() != size)
      return core::error_at("metadata '%s' has %d symbols; the model has rows for %d", key,
                            vocabulary.value().size(), size);
    return vocabulary;
  }
  return core::error_at("the file has no metadata '%s'", key);
}

}  // namespace

TrainerOptions translator_options() {
  return {.model = {.d_model = 48,
                    .n_heads = 4,
                    .n_encoder_layers = 2,
                    .n_decoder_layers = 2,
                    .d_ff = 192,
                    .norm_first = true,
                    .positions = nn::Positions::sinusoidal,
                    .max_positions = 32,
                    .output_projection = nn::OutputProjection::separate,
                    .dropout = 0.0f},
          .schedule = {.peak = 3e-3, .warm_up = 300, .decay = Decay::linear},
          .steps = 4000,
          .batch_size = 32,
          .label_smoothing = 0.1f,
          .seed = 1};
}

std::vector<std::uint8_t> save_translator(const nn::Transformer& model, const Task& task) {
  io::SafetensorsWriter file;
  io::add_model(file, model, io::Dtype::f16);
  const std::pair<std::string, std::string> metadata[] = {{kSourceKey, task.source_vocabulary.to_json()},
                                                          {kTargetKey, task.target_vocabulary.to_json()}};
  return file.finish(metadata);
}

core::Result<Translator> read_translator(std::span<const std::uint8_t> bytes) {
  const core::Result<io::SafetensorsFile> file = io::parse_safetensors(bytes);
  if (!file.ok()) return core::Error{file.error()};
  core::Result<nn::Transformer> model = io::read_model(file.value());
  if (!model.ok()) return core::Error{model.error()};
  const nn::TransformerConfig& config = model.value().config;
  if (!nn::has_source_table(config) || config.output_projection == nn::OutputProjection::none)
    return core::Error{"a translator needs a vocabulary for each side, and logits"};
  core::Result<io::Vocabulary> source = read_vocabulary(file.value(), kSourceKey, config.source_vocabulary);
  if (!source.ok()) return core::Error{source.error()};
  core::Result<io::Vocabulary> target = read_vocabulary(file.value(), kTargetKey, config.vocabulary);
  if (!target.ok()) return core::Error{target.error()};
  return Translator{std::move(model).value(), std::move(source).value(), std::move(target).value()};
}

std::string text_of(const io::Vocabulary& vocabulary, std::span<const int> tokens) {
  std::string text;
  for (const int token : tokens)
    if (token >= io::Vocabulary::kSpecials) text += vocabulary.symbol(token);
  return text;
}

}  // namespace attn::training
