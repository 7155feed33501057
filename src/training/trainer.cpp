#include "training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "nn/generate.h"
#include "nn/initialize.h"
#include "nn/transformer.h"
#include "tape/ops.h"
#include "training/forward.h"

namespace attn::training {
namespace {

constexpr int kEvaluatedAtOnce = 8;

double now_ms() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

core::Status check_range(const char* name, int value, int minimum, int maximum) {
  if (value < minimum || value > maximum)
    return core::error_at("%s is %d; it must lie in [%d, %d]", name, value, minimum, maximum);
  return core::ok_status();
}

/// √Σ g², the sum in double in the order of the parameters.
double norm_of(std::span<const std::vector<float>> gradients) {
  double sum = 0.0;
  for (const std::vector<float>& gradient : gradients)
    for (const float g : gradient) sum += static_cast<double>(g) * g;
  return std::sqrt(sum);
}

}  // namespace

core::Status validate(const TrainerOptions& options) {
  if (core::Status adam = nn::validate(options.adam); !adam.ok()) return adam;
  if (core::Status schedule = validate(options.schedule); !schedule.ok()) return schedule;
  if (core::Status steps = check_range("steps", options.steps, 1, 1'000'000); !steps.ok()) return steps;
  if (core::Status size = check_range("batch_size", options.batch_size, 1, 1024); !size.ok()) return size;
  if (core::Status every = check_range("evaluate_every", options.evaluate_every, 0, 1'000'000); !every.ok())
    return every;
  if (core::Status evaluated = check_range("evaluated", options.evaluated, 1, 1'000'000); !evaluated.ok())
    return evaluated;
  if (!(options.label_smoothing >= 0.0f && options.label_smoothing < 1.0f))
    return core::error_at("label_smoothing is %g; it must lie in [0, 1)",
                          static_cast<double>(options.label_smoothing));
  if (!(options.clip_norm >= 0.0f && options.clip_norm <= 1e6f))
    return core::error_at("clip_norm is %g; it must lie in [0, 1e6]", static_cast<double>(options.clip_norm));
  return core::ok_status();
}

core::Result<Trainer> Trainer::start(std::shared_ptr<const Task> task, const TrainerOptions& options) {
  if (core::Status valid = validate(options); !valid.ok()) return core::Error{valid.error()};
  core::Result<nn::TransformerConfig> config = config_for(*task, options.model);
  if (!config.ok()) return core::Error{config.error()};
  Trainer trainer;
  trainer.task_ = std::move(task);
  trainer.options_ = options;
  trainer.options_.model = config.value();
  trainer.model_ = std::make_unique<nn::Transformer>(nn::make_transformer(config.value()));
  if (core::Status drawn =
          nn::initialize_like_pytorch(*trainer.model_, static_cast<std::uint32_t>(options.seed));
      !drawn.ok())
    return core::Error{drawn.error()};
  nn::for_each_parameter(*trainer.model_, [&](std::string_view, core::Tensor& parameter) {
    trainer.gradients_of_parameters_.emplace_back(parameter.flat().size());
  });
  std::size_t next = 0;
  nn::for_each_parameter(*trainer.model_, [&](std::string_view, core::Tensor& parameter) {
    trainer.sinks_.push_back({parameter.flat(), trainer.gradients_of_parameters_[next++]});
  });
  return trainer;
}

bool Trainer::evaluation_due() const {
  if (options_.evaluate_every == 0 || steps_done() == 0) return false;
  if (steps_done() % options_.evaluate_every != 0 && steps_done() != options_.steps) return false;
  return evaluations_.empty() || evaluations_.back().step != steps_done();
}

void Trainer::advance(double budget_ms) {
  Trainer* const self[] = {this};
  training::advance(self, budget_ms);
}

void advance(std::span<Trainer* const> trainers, double budget_ms) {
  const double start = now_ms();
  double before = start;
  double longest = 0.0;
  do {
    Trainer* next = nullptr;
    for (Trainer* trainer : trainers)
      if (!trainer->finished() && (next == nullptr || trainer->steps_done() < next->steps_done()))
        next = trainer;
    if (next == nullptr) return;
    next->work();
    const double now = now_ms();
    longest = std::max(longest, now - before);
    before = now;
  } while (before - start + longest <= budget_ms);
}

void Trainer::step() {
  if (finished()) return;
  const int steps = steps_done() + 1;
  while (steps_done() < steps && !finished()) work();
  while (evaluation_due()) work();
}

void Trainer::work() {
  if (evaluation_due()) return evaluate_part();
  if (steps_done() == options_.steps) return;
  if (examples_.empty()) begin_step();
  if (done_ < options_.batch_size) return work_on_part();
  update();
}

void Trainer::begin_step() {
  const std::int64_t first = static_cast<std::int64_t>(steps_done()) * options_.batch_size;
  asked_ = 0;
  for (int i = 0; i < options_.batch_size; ++i) {
    examples_.push_back(training_example(*task_, options_.seed, first + i));
    asked_ += static_cast<int>(examples_.back().target.size()) + 1;
  }
  done_ = 0;
  loss_ = 0.0f;
  for (std::vector<float>& gradient : gradients_of_parameters_)
    std::fill(gradient.begin(), gradient.end(), 0.0f);
}

void Trainer::work_on_part() {
  const int count = std::min(kPart, options_.batch_size - done_);
  fill_batch(std::span<const Example>(examples_).subspan(static_cast<std::size_t>(done_),
                                                         static_cast<std::size_t>(count)),
             options_.target, batch_);
  const int parts = (options_.batch_size + kPart - 1) / kPart;
  nn::Dropout dropout(options_.model.dropout, options_.seed,
                      static_cast<std::uint32_t>(steps_done() * parts + done_ / kPart));
  tape_.clear();
  const tape::Value logits = record_logits(tape_, *model_, batch_, options_.causal_mask, &dropout);
  const tape::Value loss = record_loss(tape_, logits, batch_, options_.label_smoothing);
  loss_ += tape_.tensor(loss).values[0];
  const float seed[] = {1.0f / static_cast<float>(asked_)};
  tape::backward(tape_, loss, seed, gradients_, sinks_);
  done_ += count;
}

void Trainer::update() {
  const double norm = norm_of(gradients_of_parameters_);
  if (options_.clip_norm > 0.0f && norm > static_cast<double>(options_.clip_norm)) {
    const auto factor = static_cast<float>(static_cast<double>(options_.clip_norm) / norm);
    for (std::vector<float>& gradient : gradients_of_parameters_)
      for (float& g : gradient) g *= factor;
  }
  nn::AdamOptions adam = options_.adam;
  adam.learning_rate = learning_rate(options_.schedule, steps_done() + 1, options_.steps);
  std::vector<nn::ParameterGradient> list;
  std::size_t next = 0;
  nn::for_each_parameter(*model_, [&](std::string_view, core::Tensor& parameter) {
    list.push_back({parameter.flat(), gradients_of_parameters_[next++]});
  });
  nn::adam_step(adam, list, adam_);
  nn::pack_weights(*model_);
  history_.push_back(
      {loss_ / static_cast<float>(asked_), static_cast<float>(norm), static_cast<float>(adam.learning_rate)});
  examples_.clear();
}

void Trainer::evaluate_part() {
  const std::span<const Example> held_out = task_->held_out;
  const int all = std::min(options_.evaluated, static_cast<int>(held_out.size()));
  if (evaluation_.step != steps_done()) evaluation_ = {steps_done(), 0, 0};
  const int count = std::min(kEvaluatedAtOnce, all - evaluation_.examples);
  evaluation_.exact += count_exact(*model_, held_out.subspan(static_cast<std::size_t>(evaluation_.examples),
                                                             static_cast<std::size_t>(count)));
  evaluation_.examples += count;
  if (evaluation_.examples == all) evaluations_.push_back(evaluation_);
}

}  // namespace attn::training
