#include <memory>
#include <string>

#include "core/random.h"
#include "suite.h"
#include "training/trainer.h"

namespace attn::bench {
namespace {

constexpr int kBatch = 32;
constexpr int kLength = 12;      // tokens of a source, and of a target with its <bos> or <eos>
constexpr int kVocabulary = 64;  // the specials included
constexpr int kExamples = 1024;

/// Sequences of one length, told back without their last symbol.
std::shared_ptr<const training::Task> task() {
  auto task = std::make_shared<training::Task>();
  std::vector<std::string> symbols;
  for (int i = io::Vocabulary::kSpecials; i < kVocabulary; ++i) symbols.push_back("s" + std::to_string(i));
  task->source_vocabulary = io::Vocabulary::from_symbols(symbols).value();
  task->target_vocabulary = task->source_vocabulary;
  task->max_source_length = kLength;
  task->max_target_length = kLength - 1;
  for (int i = 0; i < kExamples; ++i) {
    const core::RandomStream stream{1, static_cast<std::uint64_t>(i)};
    training::Example example;
    for (std::uint64_t j = 0; j < kLength; ++j)
      example.source.push_back(io::Vocabulary::kSpecials +
                               static_cast<int>(stream.below(kVocabulary - io::Vocabulary::kSpecials, j)));
    example.target.assign(example.source.begin(), example.source.end() - 1);
    task->training.push_back(std::move(example));
  }
  return task;
}

/// Of the products of forward and back, three times those of a forward pass.
double step_flops(const nn::TransformerConfig& config) {
  const double rows = kBatch * kLength;
  const double d_model = config.d_model;
  const double feed_forward = 4.0 * rows * d_model * config.d_ff;
  const double projections = 8.0 * rows * d_model * d_model;
  const double attended = 4.0 * rows * kLength * d_model;
  const double layers = config.n_encoder_layers * (projections + attended + feed_forward) +
                        config.n_decoder_layers * (2.0 * (projections + attended) + feed_forward);
  return 3.0 * (layers + 2.0 * rows * d_model * kVocabulary);
}

}  // namespace

std::vector<Case> training_cases() {
  const nn::TransformerConfig model{.d_model = 64,
                                    .n_heads = 4,
                                    .n_encoder_layers = 2,
                                    .n_decoder_layers = 2,
                                    .d_ff = 256,
                                    .norm_first = true,
                                    .positions = nn::Positions::sinusoidal,
                                    .max_positions = 16,
                                    .output_projection = nn::OutputProjection::separate,
                                    .dropout = 0.0f};
  return {{"Adam step d64 h4 2+2 ff256, batch 32 x 12", step_flops(model), true, [=] {
             auto started = training::Trainer::start(
                 task(), {.model = model, .schedule = {}, .steps = 1'000'000, .batch_size = kBatch});
             ATTN_CHECK(started.ok());
             return Work([trainer = std::make_shared<training::Trainer>(std::move(started).value())] {
               trainer->step();
               keep(trainer->history().back().loss);
             });
           }}};
}

}  // namespace attn::bench
