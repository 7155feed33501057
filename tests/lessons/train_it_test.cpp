#include "lessons/train_it/experiment.h"

#include <algorithm>
#include <string>

#include "core/bits.h"
#include "lessons/session.h"
#include "lessons/train_it/board.h"
#include "lessons/train_it/narration.h"
#include "support/catch.h"

using namespace attn;
using lessons::Answer;
using lessons::Language;
using lessons::Session;
using namespace lessons::train_it;

namespace {

Session opened() {
  core::Result<Session> session = Session::open("train-it");
  REQUIRE(session.ok());
  return std::move(session).value();
}

void train(Session& session, int steps) {
  for (int i = 0; i < steps; ++i) session.step_work();
}

const Shown& shown_of(const Session& session) {
  return *static_cast<const Shown*>(session.run().owner.get());
}

std::string text_of_step(const Session& session) { return session.step().narration.in(Language::en); }

}  // namespace

TEST_CASE("a run shows the weights of its moment, to the bit, while training goes on") {
  Session session = opened();
  train(session, 3);
  const lessons::Run& run = session.run();
  const core::TensorView logits =
      run.tape().tensor({tape::Stack::decoder, -1, tape::Block::none, tape::Site::logits});
  const std::vector<float> before(logits.values, logits.values + logits.size());
  const core::Tensor weight = shown_of(session).model.output.weight;
  session.lesson().work->step(run);  // the trainer goes on behind the run
  CHECK(shown_of(session).honest->trainer.steps_done() == 4);
  CHECK(core::same_bits(logits.flat(), before));
  CHECK(core::same_bits(shown_of(session).model.output.weight.flat(), weight.flat()));
  CHECK_FALSE(core::same_bits(shown_of(session).honest->trainer.model().output.weight.flat(), weight.flat()));
}

TEST_CASE("slices on the page and single steps give the same training, and progress counts it") {
  Session steps = opened();
  Session slices = opened();
  CHECK(steps.work_progress().done == 0);
  CHECK(steps.work_progress().total == 2000);
  train(steps, 30);
  CHECK(steps.work_progress().done == 30);
  double now_s = 0.0;
  while (slices.work_progress().done < 30) slices.advance_work(0.0, now_s += 0.001);
  const auto history = [](const Session& session) {
    return shown_of(session).honest->trainer.history().first(30);
  };
  for (std::size_t i = 0; i < 30; ++i)
    CHECK(core::bits_of(history(steps)[i].loss) == core::bits_of(history(slices)[i].loss));
  CHECK(slices.work_progress().left_s > 0.0);
}

TEST_CASE("what is looked at, language and undo lose nothing that was trained") {
  Session session = opened();
  train(session, 5);
  REQUIRE(session.set_parameter("example", 3).ok());
  session.step_by(2);
  CHECK(session.work_progress().done == 5);
  REQUIRE(session.set_parameter("learning_rate", 0).ok());  // another recipe begins anew
  CHECK(session.work_progress().done == 0);
  train(session, 2);
  session.undo();
  CHECK(session.work_progress().done == 5);
  session.redo();
  CHECK(session.work_progress().done == 2);
  session.restart_work();
  CHECK(session.work_progress().done == 0);
}

TEST_CASE("reverse is learned to the goal, and attention lies on the anti-diagonal") {
  Session session = opened();
  REQUIRE(session.go_to_step(kSteps - 1).ok());
  CHECK(session.step().answer == Answer::open);
  while (session.work_progress().done < session.work_progress().total) session.advance_work(1e9, 0.0);
  CHECK(exact_percent(session.run()) >= kGoal);
  CHECK(session.step().answer == Answer::right);
  REQUIRE(session.go_to_step(3).ok());
  const lessons::Focus focus = session.focus();
  const core::TensorView weights = session.run().tape().tensor(focus.tensor);
  const int sources = weights.shape[2];
  float share = 0.0f;
  for (int t = 0; t < sources; ++t)
    share += weights.values[(focus.head * weights.shape[1] + t) * sources + sources - 1 - t];
  CHECK(share / static_cast<float>(sources) > 1.5f / static_cast<float>(sources));
  CHECK_THAT(session.step().try_it.en, Catch::Contains("anti-diagonal"));
}

TEST_CASE("a rate far too large ends wrong") {
  Session session = opened();
  REQUIRE(session.go_to_step(kSteps - 1).ok());
  REQUIRE(session.set_parameter("learning_rate", 4).ok());
  while (session.work_progress().done < session.work_progress().total) session.advance_work(1e9, 0.0);
  CHECK(exact_percent(session.run()) < kGoal);
  CHECK(session.step().answer == Answer::wrong);
}

TEST_CASE("beside the honest model the cheating one has the lower loss and generates nothing right") {
  Session session = opened();
  REQUIRE(session.go_to_step(6).ok());
  const int steps = 400;
  train(session, steps);
  const Shown& shown = shown_of(session);
  REQUIRE(shown.beside != nullptr);
  CHECK(shown.beside->trainer.steps_done() == steps);
  const auto mean_of_last = [](const Bench& bench) {
    float sum = 0.0f;
    for (const training::StepRecord& step : bench.trainer.history().last(50)) sum += step.loss / 50.0f;
    return sum;
  };
  CHECK(mean_of_last(*shown.beside) < 0.3f * mean_of_last(*shown.honest));
  CHECK(exact_percent(session.run(), true) == 0.0f);
  CHECK(exact_percent(session.run()) > 20.0f);
  CHECK_THAT(text_of_step(session), Catch::Contains("no causal mask"));
  REQUIRE(session.set_parameter("mistake", 2).ok());
  train(session, 100);
  CHECK(exact_percent(session.run(), true) == 0.0f);
  CHECK_THAT(text_of_step(session), Catch::Contains("just been fed"));
}

TEST_CASE("the gradients that are shown are those of the newest step") {
  Session session = opened();
  REQUIRE(session.go_to_step(4).ok());
  CHECK_THAT(text_of_step(session), Catch::Contains("No step has been taken"));
  train(session, 2);
  const Shown& shown = shown_of(session);
  const core::TensorView figures = session.run().tape().tensor(kQueryGradient);
  std::size_t index = 0;
  nn::for_each_parameter(shown.model, [&](std::string_view name, const core::Tensor&) {
    const std::span<const float> gradient = shown.honest->trainer.gradient(index++);
    if (name == "decoder.layers.0.multihead_attn.in_proj_weight")
      CHECK(core::same_bits(figures.flat(), gradient.first(figures.flat().size())));
  });
}
