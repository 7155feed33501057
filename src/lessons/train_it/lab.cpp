#include "lessons/train_it/lab.h"

#include <algorithm>
#include <chrono>

#include "training/forward.h"
#include "training/translator.h"

namespace attn::lessons::train_it {
namespace {

const Shown& shown_of(const Run& run) { return *static_cast<const Shown*>(run.owner.get()); }

std::vector<training::Trainer*> trainers_of(const Shown& shown) {
  std::vector<training::Trainer*> trainers{&shown.honest->trainer};
  if (shown.beside != nullptr) trainers.push_back(&shown.beside->trainer);
  return trainers;
}

int done_of(const Shown& shown) {
  int done = 0;
  for (const training::Trainer* trainer : trainers_of(shown)) done += trainer->steps_done();
  return done;
}

WorkProgress progress(const Run& run) {
  const Shown& shown = shown_of(run);
  const std::vector<training::Trainer*> trainers = trainers_of(shown);
  const int count = static_cast<int>(trainers.size());
  const int total = shown.honest->trainer.options().steps;
  const bool finished = std::all_of(trainers.begin(), trainers.end(),
                                    [](const training::Trainer* trainer) { return trainer->finished(); });
  // While the last evaluation lasts there is still something to do.
  const int done = finished ? total : std::min(done_of(shown) / count, total - 1);
  const Lab& lab = *shown.lab;
  const double each_ms = lab.timed_steps == 0 ? 0.0 : lab.spent_ms / lab.timed_steps;
  return {done, total, each_ms * (total * count - done_of(shown)) * 1e-3};
}

template <class Train>
void timed(const Run& run, Train train) {
  using Clock = std::chrono::steady_clock;
  const Shown& shown = shown_of(run);
  const int before = done_of(shown);
  const Clock::time_point start = Clock::now();
  train(trainers_of(shown));
  shown.lab->spent_ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  shown.lab->timed_steps += done_of(shown) - before;
}

void advance(const Run& run, double budget_ms) {
  timed(run,
        [&](const std::vector<training::Trainer*>& trainers) { training::advance(trainers, budget_ms); });
}

void step(const Run& run) {
  timed(run, [](const std::vector<training::Trainer*>& trainers) {
    const int steps = trainers[0]->steps_done();
    for (training::Trainer* trainer : trainers)
      while (trainer->steps_done() <= steps && !trainer->finished()) trainer->step();
  });
}

}  // namespace

const Work kWork{.progress = progress, .advance = advance, .step = step};

training::TrainerOptions options_of(const Recipe& recipe) {
  const bool translates = recipe.task == training::TaskKind::translate;
  return {.model = {.d_model = recipe.d_model,
                    .n_heads = recipe.n_heads,
                    .n_encoder_layers = recipe.n_layers,
                    .n_decoder_layers = recipe.n_layers,
                    .d_ff = 2 * recipe.d_model,
                    .norm_first = true,
                    .positions = nn::Positions::sinusoidal,
                    .max_positions = 32,
                    .output_projection = nn::OutputProjection::separate,
                    .dropout = recipe.dropout ? 0.1f : 0.0f},
          .schedule = {.peak = kLearningRates[recipe.learning_rate],
                       .warm_up = kWarmUp,
                       .decay = training::Decay::linear},
          .steps = translates ? training::translator_options().steps : 2000,
          .batch_size = 32,
          .label_smoothing = recipe.label_smoothing ? 0.1f : 0.0f,
          .seed = static_cast<std::uint64_t>(recipe.seed),
          .causal_mask = recipe.mistake != Mistake::no_mask,
          .target =
              recipe.mistake == Mistake::unshifted ? training::Target::unshifted : training::Target::shifted,
          .evaluate_every = kEvaluateEvery,
          .evaluated = kEvaluated};
}

std::span<const training::StepRecord> Bench::history() const {
  return trainer.steps_done() == 0 ? std::span(&first, 1) : trainer.history();
}

core::Result<std::shared_ptr<Bench>> Lab::bench_of(const Recipe& recipe) {
  const auto found = std::find_if(benches.begin(), benches.end(), [&](const std::shared_ptr<Bench>& bench) {
    return bench->recipe == recipe;
  });
  if (found != benches.end()) {
    std::rotate(benches.begin(), found, found + 1);
    return benches.front();
  }
  // A task is made once: another bench may have it.
  std::shared_ptr<const training::Task> task;
  for (const std::shared_ptr<Bench>& bench : benches)
    if (bench->recipe.task == recipe.task) task = bench->trainer.shared_task();
  if (task == nullptr) task = std::make_shared<const training::Task>(training::make_task(recipe.task));
  core::Result<training::Trainer> trainer = training::Trainer::start(task, options_of(recipe));
  if (!trainer.ok()) return core::Error{trainer.error()};
  // The first step is taken by another one like it.
  training::TrainerOptions once = options_of(recipe);
  once.evaluate_every = 0;
  core::Result<training::Trainer> first = training::Trainer::start(task, once);
  if (!first.ok()) return core::Error{first.error()};
  first.value().step();
  const int evaluated = std::min(kEvaluated, static_cast<int>(task->held_out.size()));
  const int exact = training::count_exact(
      trainer.value().model(), std::span(task->held_out).first(static_cast<std::size_t>(evaluated)));
  benches.insert(benches.begin(),
                 std::make_shared<Bench>(Bench{
                     recipe, std::move(trainer).value(), first.value().history()[0], {0, evaluated, exact}}));
  if (benches.size() > kMost) benches.pop_back();
  return benches.front();
}

}  // namespace attn::lessons::train_it
