// The lesson `teacher-forcing`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/teacher_forcing/board.h"
#include "lessons/teacher_forcing/experiment.h"
#include "lessons/teacher_forcing/narration.h"

namespace attn::lessons::teacher_forcing {
namespace {

constexpr Choice kPads[] = {{0, {"0", "0"}}, {1, {"1", "1"}}, {2, {"2", "2"}}, {3, {"3", "3"}}};
constexpr Choice kSides[] = {{0, {"补在右边", "on the right"}}, {1, {"补在左边", "on the left"}}};
constexpr Choice kTraining[] = {
    {0, {"0", "0"}}, {10, {"10", "10"}}, {20, {"20", "20"}}, {kMostTrainingSteps, {"40", "40"}}};
constexpr Choice kShift[] = {{0, {"没错位", "not shifted"}}, {1, {"错一位", "shifted"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"pads", {"<pad> 个数", "<pad>s"}, choice, board, 0, 3, kQuestionPads, kPads},
    {"shift", {"答案", "Answers"}, choice, board, 0, 1, 1, kShift},
    {"causal_mask", {"因果掩码", "Causal mask"}, toggle, board, 0, 1, 1},
    {"side", {"<pad> 补在哪边", "Side of the <pad>s"}, choice, board, 0, 1, 0, kSides},
    {"training", {"训练步数", "Steps of training"}, choice, board, 0, kMostTrainingSteps, 0, kTraining},
};

const StepPlan kPlan[kSteps] = {
    {{{"shift", 1}, {"causal_mask", 1}}, {"causal_mask", "side", "training"}},
    {{{"shift", 1}, {"causal_mask", 1}}, {"shift", "side", "training"}},
    {{{"shift", 1}, {"causal_mask", 1}}, {"shift", "side", "training"}},
    {{{"shift", 1}, {"causal_mask", 1}}, {"side", "training"}},
    {{{"shift", 1}, {"causal_mask", 1}, {"pads", 2}}, {"side", "training"}},
    {{{"pads", 2}}, {"shift", "causal_mask", "training"}},
    {{{"shift", 1}, {"causal_mask", 1}}, {"side", "training"}},
    {{{"shift", 0}, {"causal_mask", 1}, {"training", kMostTrainingSteps}}, {"causal_mask", "side"}},
    {{{"shift", 1}, {"causal_mask", 1}, {"pads", kQuestionPads}}, {"side", "training"}}};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .pads = value("pads"),
                          .shifted = value("shift") != 0,
                          .causal = value("causal_mask") != 0,
                          .pads_left = value("side") != 0,
                          .training_steps = value("training")};
  Experiment experiment = run_experiment(settings, previous);
  arrange(experiment);
  experiment.run.steps = narrate(experiment, settings);
  return std::move(experiment.run);
}

}  // namespace

const Lesson kLesson{
    .slug = "teacher-forcing",
    .title = {"教师强制：一遍算出每一步", "Teacher forcing: a whole sentence in one pass"},
    .short_title = {"教师强制", "Teacher forcing"},
    .promise =
        {"看清 tgt 与 tgt_y 怎样错开一位，以及一遍训练为什么等于逐词训练。",
         "See how tgt and tgt_y are shifted by one, and why one pass trains as much as going word by word."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson};

}  // namespace attn::lessons::teacher_forcing
