// The lesson `train-it`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/train_it/board.h"
#include "lessons/train_it/experiment.h"
#include "lessons/train_it/narration.h"

namespace attn::lessons::train_it {
namespace {

constexpr Choice kTasks[] = {
    {0, {"照抄", "copy"}}, {1, {"倒序", "reverse"}}, {2, {"排序", "sort"}}, {3, {"翻译", "translate"}}};
constexpr Choice kMistakes[] = {
    {0, {"没有", "none"}}, {1, {"不用掩码", "no mask"}}, {2, {"没错位", "not shifted"}}};
constexpr Choice kWidths[] = {{16, {"16", "16"}}, {32, {"32", "32"}}, {64, {"64", "64"}}};
constexpr Choice kHeads[] = {{1, {"1", "1"}}, {2, {"2", "2"}}, {4, {"4", "4"}}};
constexpr Choice kRates[] = {{0, {"0.0001", "0.0001"}},
                             {1, {"0.001", "0.001"}},
                             {2, {"0.003", "0.003"}},
                             {3, {"0.03", "0.03"}},
                             {4, {"0.1", "0.1"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"d_model", {"宽度 d_model", "d_model"}, choice, model, 16, 64, 32, kWidths},
    {"n_heads", {"头数", "Heads"}, choice, model, 1, 4, 4, kHeads},
    {"n_layers", {"层数", "Layers"}, number, model, 1, 2, 1},
    {"dropout", {"dropout 0.1", "Dropout 0.1"}, toggle, model, 0, 1, 0},
    {"label_smoothing", {"标签平滑 0.1", "Smoothing 0.1"}, toggle, model, 0, 1, 0},
    {"task", {"任务", "Task"}, choice, board, 0, 3, 1, kTasks},
    {"learning_rate", {"学习率", "Learning rate"}, choice, board, 0, 4, 2, kRates},
    {"mistake", {"旁边再训练", "Train beside"}, choice, board, 0, 2, 0, kMistakes},
    {"example", {"第几个例子", "Example"}, number, board, 1, kProbes, 1},
};

const StepPlan kPlan[kSteps] = {{{{"mistake", 0}}, {"learning_rate", "mistake"}},
                                {{{"mistake", 0}}, {"example", "mistake"}},
                                {{{"mistake", 0}}, {"example", "mistake"}},
                                {{{"mistake", 0}}, {"learning_rate", "mistake"}},
                                {{{"mistake", 0}}, {"example", "mistake"}},
                                {{{"mistake", 0}}, {"example", "mistake"}},
                                {{{"mistake", 1}}, {"learning_rate"}},
                                {{{"mistake", 0}}, {"example", "mistake"}}};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.recipe = {.task = static_cast<training::TaskKind>(value("task")),
                                     .seed = value("seed"),
                                     .d_model = value("d_model"),
                                     .n_heads = value("n_heads"),
                                     .n_layers = value("n_layers"),
                                     .learning_rate = value("learning_rate"),
                                     .dropout = value("dropout") != 0,
                                     .label_smoothing = value("label_smoothing") != 0,
                                     .mistake = static_cast<Mistake>(value("mistake"))},
                          .probe = value("example") - 1};
  core::Result<Experiment> ran = run_experiment(settings, previous);
  if (!ran.ok()) return core::Error{ran.error()};
  Experiment experiment = std::move(ran).value();
  arrange(experiment);
  experiment.run.steps = narrate(experiment, settings);
  return std::move(experiment.run);
}

}  // namespace

const Lesson kLesson{
    .slug = "train-it",
    .title = {"自己训练一个", "Train one yourself"},
    .short_title = {"自己训练", "Train it"},
    .promise =
        {"从随机数开始，在浏览器里把一个 Transformer 训练到会做没见过的题，再看看作弊的训练错在哪里。",
         "From random numbers to a transformer that solves what it never saw, in this tab; and why training "
         "that cheats fails."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson,
    .work = &kWork};

}  // namespace attn::lessons::train_it
