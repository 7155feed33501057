#include "lessons/mask_equivalence/experiment.h"

#include "nn/initialize.h"
#include "nn/transformer.h"

namespace attn::lessons::mask_equivalence {
namespace {

constexpr int kVocabulary = 10;
constexpr int kModelWidth = 8;
constexpr int kSourceLength = 5;

/// 4, 3, 2, 1, 0 and on: 9, 8, … 0, 9, …
int target_token(int position) { return ((4 - position) % kVocabulary + kVocabulary) % kVocabulary; }

struct PassInputs {
  std::span<const int> source;
  std::span<const int> target;
  bool causal_mask;
  int poke;
};

tape::Tape record(const nn::Transformer& model, const PassInputs& inputs) {
  tape::Tape tape;
  nn::TransformerMasks masks;
  if (!inputs.causal_mask) masks.target = nn::Mask::none();
  const int length = static_cast<int>(inputs.target.size());
  core::Tensor poke(core::Shape{length, kModelWidth});
  const bool poked = inputs.poke >= 0 && inputs.poke < length;
  if (poked)
    for (int j = 0; j < kModelWidth; ++j) poke.values()[inputs.poke * kModelWidth + j] = poke_amount(j);
  const tape::Value source = nn::embed(tape, model, tape::Stack::encoder, inputs.source);
  const tape::Value target =
      nn::embed(tape, model, tape::Stack::decoder, inputs.target, poked ? &poke : nullptr);
  nn::transform(tape, model, source, target, masks);
  return tape;
}

std::vector<std::string> words_of(std::span<const int> tokens) {
  std::vector<std::string> words;
  for (const int token : tokens) words.push_back(std::to_string(token));
  return words;
}

/// A model and the seed its weights were drawn with: what a Run of this lesson owns.
struct SeededModel {
  std::uint32_t seed = 0;
  nn::Transformer model;
};

bool same_model(const SeededModel& seeded, std::uint32_t seed, const nn::TransformerConfig& config) {
  return seeded.seed == seed && seeded.model.config == config;
}

core::Result<std::shared_ptr<const SeededModel>> seeded_model(const Settings& settings, const Run* previous) {
  const nn::TransformerConfig config{.vocabulary = kVocabulary,
                                     .d_model = kModelWidth,
                                     .n_heads = settings.n_heads,
                                     .n_encoder_layers = settings.n_layers,
                                     .n_decoder_layers = settings.n_layers,
                                     .norm_first = settings.norm_first};
  if (core::Status valid = nn::validate(config); !valid.ok()) return valid.failure();
  const auto seed = static_cast<std::uint32_t>(settings.seed);
  if (previous != nullptr) {
    auto shown = std::static_pointer_cast<const SeededModel>(previous->owner);
    if (shown != nullptr && same_model(*shown, seed, config)) return shown;
  }
  auto seeded = std::make_shared<SeededModel>(SeededModel{seed, nn::make_transformer(config)});
  if (core::Status drawn = nn::initialize_like_pytorch(seeded->model, seed); !drawn.ok())
    return drawn.failure();
  return std::shared_ptr<const SeededModel>(std::move(seeded));
}

}  // namespace

float poke_amount(int feature) {
  const float size = 0.25f * static_cast<float>(1 + feature % 3);
  return feature % 2 == 0 ? size : -size;
}

core::Result<Run> run_experiment(const Settings& settings, const Run* previous) {
  const core::Result<std::shared_ptr<const SeededModel>> seeded = seeded_model(settings, previous);
  if (!seeded.ok()) return seeded.failure();
  const nn::Transformer& model = seeded.value()->model;

  std::vector<int> source, target;
  for (int i = 0; i < kSourceLength; ++i) source.push_back(i);
  for (int i = 0; i < settings.length; ++i) target.push_back(target_token(i));
  const std::span<const int> whole(target);
  const std::span<const int> prefix = whole.first(static_cast<std::size_t>(settings.prefix));
  const auto pass = [&](std::span<const int> tokens, bool mask, int poke) {
    return record(model, {source, tokens, mask, poke});
  };

  Run run;
  run.owner = seeded.value();
  run.source_words = words_of(source);
  run.target_words = words_of(target);
  Twin& twin = run.twin.emplace();
  twin.poked_position = settings.poke;
  twin.newest_row_only = settings.newest_row_only;
  twin.training = {{"训练", "Training"},
                   pass(whole, settings.training_mask, settings.poke),
                   settings.length,
                   settings.training_mask};
  twin.inference = {{"推理", "Inference"},
                    pass(prefix, settings.inference_mask, settings.poke),
                    settings.prefix,
                    settings.inference_mask};
  if (settings.poke >= 0) {
    twin.training_before_poke = pass(whole, settings.training_mask, -1);
    twin.inference_before_poke = pass(prefix, settings.inference_mask, -1);
  }
  const std::optional<int> row =
      settings.newest_row_only ? std::optional<int>(settings.prefix - 1) : std::nullopt;
  twin.differences = tape::compare(twin.training.tape, twin.inference.tape, row);
  twin.first_different = tape::first_different(twin.differences);
  return run;
}

}  // namespace attn::lessons::mask_equivalence
