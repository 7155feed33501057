// What the lesson `train-it` trains: an honest model and, beside it, one that is trained with a mistake. They
// live through changes of what is looked at; the latest few recipes are kept, so that going back to one finds
// its model as it was left.
#pragma once

#include <memory>
#include <vector>

#include "lessons/lesson.h"
#include "training/trainer.h"

namespace attn::lessons::train_it {

/// What is wrong with the model beside the honest one.
enum class Mistake : std::uint8_t {
  none,       // there is no such model
  no_mask,    // the decoder sees the tokens it is asked for
  unshifted,  // it is asked for what it has just been fed
};

/// Everything a training run depends on.
struct Recipe {
  training::TaskKind task = training::TaskKind::reverse;
  int seed = 0;
  int d_model = 32;
  int n_heads = 4;
  int n_layers = 1;       // of encoder and decoder each
  int learning_rate = 2;  // index into kLearningRates
  bool dropout = false;
  bool label_smoothing = false;
  Mistake mistake = Mistake::none;
  bool operator==(const Recipe&) const = default;
};

inline constexpr double kLearningRates[] = {1e-4, 1e-3, 3e-3, 3e-2, 1e-1};
inline constexpr int kWarmUp = 100;
inline constexpr int kEvaluateEvery = 100;
inline constexpr int kEvaluated = 100;

/// 2,000 steps, the translator's for translation.
training::TrainerOptions options_of(const Recipe& recipe);

/// A model in training.
struct Bench {
  Recipe recipe;
  training::Trainer trainer;
  training::StepRecord first;      // of the first step, before it is taken
  training::Evaluation untrained;  // after no step at all

  /// What the steps left behind; of the first one, while none is taken.
  std::span<const training::StepRecord> history() const;
};

struct Lab {
  static constexpr std::size_t kMost = 4;

  std::vector<std::shared_ptr<Bench>> benches;  // the latest used first
  double spent_ms = 0.0;                        // on how many steps,
  int timed_steps = 0;                          // for the time that is left

  /// The bench of a recipe: as it was left, or a new one.
  core::Result<std::shared_ptr<Bench>> bench_of(const Recipe& recipe);
};

/// What a run shows: the trainers go on, this is how the honest model was when the run was made.
struct Shown {
  std::shared_ptr<Lab> lab;
  std::shared_ptr<Bench> honest;
  std::shared_ptr<Bench> beside;  // null without a mistake
  nn::Transformer model;
};

/// The lesson's work: both trainers, step by step.
extern const Work kWork;

}  // namespace attn::lessons::train_it
