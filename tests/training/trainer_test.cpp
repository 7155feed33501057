#include "training/trainer.h"

#include <algorithm>
#include <complex>
#include <memory>

#include "core/bits.h"
#include "support/catch.h"
#include "support/reference_model.h"
#include "training/checkpoint.h"
#include "training/forward.h"

using namespace attn;
using training::Decay;
using training::Example;
using training::Target;
using training::TaskKind;
using training::Trainer;
using training::TrainerOptions;

namespace {

TrainerOptions small_options() {
  return {.model = {.d_model = 16,
                    .n_heads = 2,
                    .n_encoder_layers = 1,
                    .n_decoder_layers = 1,
                    .d_ff = 32,
                    .norm_first = true,
                    .positions = nn::Positions::sinusoidal,
                    .max_positions = 32,
                    .output_projection = nn::OutputProjection::separate,
                    .dropout = 0.1f},
          .schedule = {.peak = 3e-3, .warm_up = 5, .decay = Decay::linear},
          .steps = 12,
          .batch_size = 10,
          .label_smoothing = 0.05f,
          .seed = 3,
          .evaluate_every = 5,
          .evaluated = 20};
}

std::shared_ptr<const training::Task> task_of(TaskKind kind) {
  return std::make_shared<const training::Task>(training::make_task(kind));
}

Trainer started(const TrainerOptions& options, TaskKind kind = TaskKind::reverse) {
  core::Result<Trainer> trainer = Trainer::start(task_of(kind), options);
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

/// FNV-1a over every weight, loss and evaluation.
std::uint64_t hash_of(const Trainer& trainer) {
  std::uint64_t hash = core::fnv1a("", 0);
  nn::for_each_parameter(trainer.model(), [&](std::string_view, const core::Tensor& parameter) {
    hash = core::fnv1a(parameter.values(), parameter.flat().size_bytes(), hash);
  });
  hash = core::fnv1a(trainer.history().data(), trainer.history().size_bytes(), hash);
  return core::fnv1a(trainer.evaluations().data(), trainer.evaluations().size_bytes(), hash);
}

void run_to_the_end(Trainer& trainer) {
  while (!trainer.finished()) trainer.work();
}

}  // namespace

TEST_CASE("training has the same bits however it is sliced") {
  Trainer whole = started(small_options());
  run_to_the_end(whole);
  REQUIRE(whole.steps_done() == 12);
  REQUIRE(whole.evaluations().size() == 3);  // after 5, 10 and 12 steps

  Trainer by_steps = started(small_options());
  while (!by_steps.finished()) by_steps.step();
  CHECK(hash_of(by_steps) == hash_of(whole));

  Trainer by_time = started(small_options());
  double budget_ms = 0.0;
  while (!by_time.finished()) by_time.advance(budget_ms = budget_ms > 2.0 ? 0.0 : budget_ms + 0.7);
  CHECK(hash_of(by_time) == hash_of(whole));
}

TEST_CASE("a slice of no time still does one piece, so training never stands still") {
  Trainer trainer = started(small_options());
  int slices = 0;
  while (!trainer.finished() && slices < 1000) {
    trainer.advance(0.0);
    ++slices;
  }
  CHECK(trainer.finished());
  // 12 steps of 3 parts (10 sequences by 4) and an update; 3 evaluations of 20 examples by 8.
  CHECK(slices == 12 * (3 + 1) + 3 * 3);
}

TEST_CASE("a checkpoint in the middle goes on to the bits of training that never stopped") {
  Trainer whole = started(small_options());
  run_to_the_end(whole);
  const int steps = GENERATE(0, 1, 5, 7, 12);
  Trainer first = started(small_options());
  while (first.steps_done() < steps) first.step();
  first.work();  // into the next step: this part is done again
  const std::vector<std::uint8_t> file = training::save_checkpoint(first);
  core::Result<Trainer> second = training::load_checkpoint(file, task_of(TaskKind::reverse));
  REQUIRE(second.ok());
  CHECK(second.value().steps_done() == steps);
  run_to_the_end(second.value());
  CHECK(hash_of(second.value()) == hash_of(whole));
  // AMSGrad has a third moment.
  TrainerOptions amsgrad = small_options();
  amsgrad.adam.amsgrad = true;
  Trainer other = started(amsgrad);
  for (int i = 0; i < 3; ++i) other.step();
  core::Result<Trainer> again =
      training::load_checkpoint(training::save_checkpoint(other), task_of(TaskKind::reverse));
  REQUIRE(again.ok());
  run_to_the_end(other);
  run_to_the_end(again.value());
  CHECK(hash_of(again.value()) == hash_of(other));
}

TEST_CASE("a file that is no checkpoint of this task is refused with what and where") {
  Trainer trainer = started(small_options());
  trainer.step();
  std::vector<std::uint8_t> file = training::save_checkpoint(trainer);
  const auto refusal = [&](std::span<const std::uint8_t> bytes, TaskKind kind) {
    const core::Result<Trainer> loaded = training::load_checkpoint(bytes, task_of(kind));
    return loaded.ok() ? std::string("accepted") : loaded.error();
  };
  CHECK_THAT(refusal(file, TaskKind::translate), Catch::Contains("vocabularies"));
  CHECK(refusal(std::span(file).first(file.size() - 1), TaskKind::reverse) != "accepted");
  const auto replaced = [&](std::string_view what, std::string_view with) {
    std::vector<std::uint8_t> copy = file;
    const auto place = std::search(copy.begin(), copy.end(), what.begin(), what.end());
    REQUIRE(place != copy.end());
    std::copy(with.begin(), with.end(), place);
    return copy;
  };
  CHECK_THAT(refusal(replaced("options.steps", "options.stepz"), TaskKind::reverse),
             Catch::Contains("options.steps"));
  CHECK_THAT(
      refusal(replaced("adam.first.encoder.norm.bias", "adam.first.encoder.norm.bios"), TaskKind::reverse),
      Catch::Contains("adam.first.encoder.norm.bias"));
  CHECK_THAT(refusal(replaced("\"history\"", "\"historx\""), TaskKind::reverse), Catch::Contains("history"));
}

TEST_CASE("options out of range are refused by name") {
  const auto refusal = [](auto change) {
    TrainerOptions options = small_options();
    change(options);
    const core::Result<Trainer> trainer = Trainer::start(task_of(TaskKind::copy), options);
    return trainer.ok() ? std::string("accepted") : trainer.error();
  };
  CHECK_THAT(refusal([](TrainerOptions& o) { o.steps = 0; }), Catch::Contains("steps is 0"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.batch_size = 2000; }), Catch::Contains("batch_size"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.schedule.peak = 0.0; }), Catch::Contains("peak"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.schedule.warm_up = -1; }), Catch::Contains("warm_up"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.label_smoothing = 1.0f; }),
             Catch::Contains("label_smoothing"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.clip_norm = -1.0f; }), Catch::Contains("clip_norm"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.adam.beta1 = 1.0; }), Catch::Contains("beta1"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.model.n_heads = 3; }), Catch::Contains("n_heads"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.model.max_positions = 4; }), Catch::Contains("max_positions"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.model.output_projection = nn::OutputProjection::none; }),
             Catch::Contains("output projection"));
  CHECK_THAT(refusal([](TrainerOptions& o) { o.model.family = nn::Family::decoder_only; }),
             Catch::Contains("encoder"));
}

TEST_CASE("the loss and the gradient of the whole model are those of the readable one by complex step") {
  const bool norm_first = GENERATE(true, false);
  const bool causal_mask = GENERATE(true, false);
  TrainerOptions options = small_options();
  options.model.norm_first = norm_first;
  options.model.dropout = 0.0f;
  options.model.d_model = 8;
  options.model.d_ff = 12;
  options.model.scale_embedding = norm_first;
  options.causal_mask = causal_mask;
  options.batch_size = 6;
  options.evaluate_every = 0;
  Trainer trainer = started(options);
  std::vector<Example> examples;
  for (int i = 0; i < 6; ++i) examples.push_back(training::training_example(trainer.task(), options.seed, i));
  training::Batch batch;
  training::fill_batch(examples, Target::shifted, batch);
  using Complex = std::complex<double>;
  test::ReferenceModel<Complex> readable(trainer.model());
  trainer.step();

  const double loss = readable.loss(batch, causal_mask, options.label_smoothing).real();
  constexpr double kLossTolerance = 2e-6;  // relative: float sums of some dozens of terms in every row
  CHECK(static_cast<double>(trainer.history()[0].loss) == Approx(loss).epsilon(kLossTolerance));

  double largest = 0.0, squares = 0.0;
  std::size_t index = 0;
  std::vector<std::pair<std::string, std::span<const float>>> gradients;
  nn::for_each_parameter(trainer.model(), [&](std::string_view name, const core::Tensor&) {
    gradients.emplace_back(name, trainer.gradient(index++));
    for (const float g : gradients.back().second) {
      largest = std::max(largest, std::abs(static_cast<double>(g)));
      squares += static_cast<double>(g) * static_cast<double>(g);
    }
  });
  CHECK(static_cast<double>(trainer.history()[0].gradient_norm) == Approx(std::sqrt(squares)).epsilon(1e-6));
  constexpr double kStep = 1e-30;
  constexpr double kGradientTolerance = 4e-6;  // of the largest gradient
  for (const auto& [name, gradient] : gradients) {
    INFO(name);
    std::vector<Complex>& parameter = readable.parameters.at(name);
    const std::size_t stride = std::max<std::size_t>(1, parameter.size() / 7);
    for (std::size_t i = 0; i < parameter.size(); i += stride) {
      const Complex kept = parameter[i];
      parameter[i] += Complex(0.0, kStep);
      const double derivative = readable.loss(batch, causal_mask, options.label_smoothing).imag() / kStep;
      parameter[i] = kept;
      CHECK(std::abs(static_cast<double>(gradient[i]) - derivative) <= kGradientTolerance * largest);
    }
  }
}

TEST_CASE("a parameter that is used once gets the bits of the batch in one piece from a batch in parts") {
  TrainerOptions options = small_options();
  options.model.dropout = 0.0f;
  Trainer trainer = started(options);
  const nn::Transformer before = trainer.model();
  std::vector<Example> examples;
  for (int i = 0; i < options.batch_size; ++i)
    examples.push_back(training::training_example(trainer.task(), options.seed, i));
  training::Batch batch;
  training::fill_batch(examples, Target::shifted, batch);
  tape::Tape tape;
  const tape::Value loss = training::record_loss(tape, training::record_logits(tape, before, batch, true),
                                                 batch, options.label_smoothing);
  tape::Gradients gradients;
  const float seed[] = {1.0f / static_cast<float>(batch.asked_count())};
  tape::backward(tape, loss, seed, gradients);
  trainer.step();
  std::size_t index = 0;
  nn::for_each_parameter(before, [&](std::string_view name, const core::Tensor& parameter) {
    INFO(name);
    std::vector<float> whole(parameter.flat().size(), 0.0f);
    gradients.accumulate_into(parameter.view(), whole);
    const std::span<const float> parts = trainer.gradient(index++);
    bool equal = true;
    for (std::size_t i = 0; i < whole.size(); ++i) equal = equal && whole[i] == parts[i];  // -0 is 0
    CHECK(equal);
  });
}

TEST_CASE("a model overfits one batch") {
  TrainerOptions options = small_options();
  options.model.dropout = 0.0f;
  options.model.d_model = 32;
  options.label_smoothing = 0.0f;
  options.schedule = {.peak = 1e-2};
  options.evaluate_every = 0;
  training::Task one = training::make_task(TaskKind::reverse);
  one.training.assign(one.held_out.begin(), one.held_out.begin() + 8);
  core::Result<Trainer> trainer = Trainer::start(std::make_shared<const training::Task>(one), [&] {
    options.batch_size = 8;
    options.steps = 150;
    return options;
  }());
  REQUIRE(trainer.ok());
  run_to_the_end(trainer.value());
  CHECK(trainer.value().history().front().loss > 2.0f);
  CHECK(trainer.value().history().back().loss < 0.01f);
  CHECK(training::count_exact(trainer.value().model(), one.training) == 8);
}

TEST_CASE("without the causal mask the loss falls lower and generation is wrong; unshifted it only repeats") {
  TrainerOptions options = small_options();
  options.model.dropout = 0.0f;
  options.label_smoothing = 0.0f;
  options.schedule = {.peak = 5e-3, .warm_up = 20};
  options.steps = 250;
  options.evaluate_every = 250;
  options.evaluated = 40;
  Trainer honest = started(options, TaskKind::copy);
  options.causal_mask = false;
  Trainer cheat = started(options, TaskKind::copy);
  options.causal_mask = true;
  options.target = Target::unshifted;
  Trainer unshifted = started(options, TaskKind::copy);
  for (Trainer* trainer : {&honest, &cheat, &unshifted}) run_to_the_end(*trainer);
  CHECK(cheat.history().back().loss < honest.history().back().loss);
  CHECK(unshifted.history().back().loss < 0.05f);
  CHECK(unshifted.evaluations().back().exact == 0);
  CHECK(cheat.evaluations().back().exact <= honest.evaluations().back().exact);
  const std::vector<std::vector<int>> said =
      training::translate(unshifted.model(), std::span(unshifted.task().held_out).first(1), 4);
  CHECK(said[0] == std::vector<int>(4, training::kBos));
}
