// Training in slices: a Trainer does as much as fits into the time it is given, remembers where it was, and
// goes on when it is asked again. What comes out does not depend on how the work was cut, nor on the platform
// (contract C2): a batch is worked on in parts of kPart sequences, always the same ones, and a slice is some
// number of whole parts.
//
//   core::Result<Trainer> trainer = Trainer::start(task, {.steps = 2000});
//   while (!trainer.value().finished()) trainer.value().advance(8.0);   // milliseconds; draws in between
//
// One step: the examples of a batch are taken from the task's stream, the loss is the mean of the
// cross-entropies of all tokens asked, its gradient is added up part by part, Adam moves the weights. Now and
// then held-out examples are generated greedily and compared with what should come out.
//
// Source: Vaswani et al. 2017, section 5 (batches, Adam, warm-up, dropout, label smoothing).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "nn/optimizer.h"
#include "nn/parameters.h"
#include "tape/backward.h"
#include "tape/tape.h"
#include "training/batch.h"
#include "training/schedule.h"
#include "training/tasks.h"

namespace attn::training {

/// Sequences that are worked on at a time: the grain of slicing, and a part of what fixes the bits.
inline constexpr int kPart = 4;

struct TrainerOptions {
  nn::TransformerConfig model;                           // its vocabularies are the task's
  nn::AdamOptions adam{.beta2 = 0.98, .epsilon = 1e-9};  // its learning rate is the schedule's
  Schedule schedule;
  int steps = 1000;              // in [1, 1000000]
  int batch_size = 32;           // in [1, 1024]
  float label_smoothing = 0.0f;  // in [0, 1)
  float clip_norm = 0.0f;        // gradients longer than this are shortened to it; 0: never
  std::uint64_t seed = 0;        // of weights (its lower 32 bits), examples and dropout
  bool causal_mask = true;       // false: the decoder sees what it is asked for
  Target target = Target::shifted;
  int evaluate_every = 0;  // steps between two evaluations, and one after the last; 0: none
  int evaluated = 128;     // of the held-out examples, at most
};

/// Names the first option that is out of range, and the range.
core::Status validate(const TrainerOptions& options);

/// What one optimiser step left behind.
struct StepRecord {
  float loss;           // mean over the tokens of the batch, before the step
  float gradient_norm;  // √ of the sum of all squared gradients, before clipping
  float learning_rate;
};

/// How held-out examples fared after `step` steps.
struct Evaluation {
  int step;
  int examples;
  int exact;  // generated as they should be, to the last token and the end
};

class Trainer {
 public:
  /// A model with PyTorch's initial weights for the seed, nothing learned. Error: an option out of range, or
  /// a model that is too short for the task: what and where.
  static core::Result<Trainer> start(std::shared_ptr<const Task> task, const TrainerOptions& options);

  /// All steps are done, and the last evaluation.
  bool finished() const { return steps_done() == options_.steps && !evaluation_due(); }

  /// Works for about `budget_ms`: pieces of work until the next one would not fit, but at least one. A
  /// finished trainer does nothing.
  void advance(double budget_ms);

  /// To the end of the next step, its evaluation included.
  void step();

  /// The smallest piece: a part of a batch forward and back, an update, or a part of an evaluation.
  void work();

  const Task& task() const { return *task_; }
  const std::shared_ptr<const Task>& shared_task() const { return task_; }
  const TrainerOptions& options() const { return options_; }
  int steps_done() const { return static_cast<int>(history_.size()); }
  std::span<const StepRecord> history() const { return history_; }
  std::span<const Evaluation> evaluations() const { return evaluations_; }

  /// The weights as they are after steps_done() steps.
  const nn::Transformer& model() const { return *model_; }

  /// dL/d(parameter) of the step that is being worked on, or of the last one when none is begun; parameters
  /// in the order of nn::for_each_parameter.
  std::span<const float> gradient(std::size_t parameter) const { return gradients_of_parameters_[parameter]; }

 private:
  friend struct Checkpoint;
  Trainer() = default;

  bool evaluation_due() const;
  void begin_step();
  void work_on_part();
  void update();
  void evaluate_part();

  std::shared_ptr<const Task> task_;
  TrainerOptions options_;
  std::unique_ptr<nn::Transformer> model_;
  nn::AdamState adam_;
  std::vector<std::vector<float>> gradients_of_parameters_;
  std::vector<tape::GradientSink> sinks_;
  std::vector<StepRecord> history_;
  std::vector<Evaluation> evaluations_;

  // The step that is being worked on: examples [0, done_) are in the gradients.
  std::vector<Example> examples_;
  int done_ = 0;
  int asked_ = 0;  // tokens of the batch
  float loss_ = 0.0f;
  // The evaluation that is being worked on.
  Evaluation evaluation_{};

  tape::Tape tape_;
  tape::Gradients gradients_;
  Batch batch_;
};

/// Works for about `budget_ms` on several trainers, a piece at a time on the one that has taken the fewest
/// steps, so that they can be watched side by side; pieces until the next one would not fit, but at least
/// one.
void advance(std::span<Trainer* const> trainers, double budget_ms);

}  // namespace attn::training
