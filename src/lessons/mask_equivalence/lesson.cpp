// The lesson `mask-equivalence`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/mask_equivalence/experiment.h"
#include "lessons/mask_equivalence/narration.h"

namespace attn::lessons::mask_equivalence {
namespace {

constexpr Choice kHeadChoices[] = {{1, {"1", "1"}}, {2, {"2", "2"}}, {4, {"4", "4"}}, {8, {"8", "8"}}};
constexpr Choice kNormChoices[] = {{0, {"残差后", "post"}}, {1, {"残差前", "pre"}}};
constexpr Choice kRowChoices[] = {{0, {"所有行", "All rows"}}, {1, {"最新一行", "Newest row"}}};

constexpr int kLongestTarget = 32;

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"layers", {"层数", "Layers"}, number, model, 1, 6, 6},
    {"heads", {"头数", "Heads"}, choice, model, 1, 8, 8, kHeadChoices},
    {"length", {"目标长度", "Target length"}, number, model, 1, kLongestTarget, 5},
    {"norm", {"层归一化", "Layer norm"}, choice, model, 0, 1, 0, kNormChoices},
    {"training_mask", {"掩码", "Mask"}, toggle, training, 0, 1, 1},
    {"inference_mask", {"掩码", "Mask"}, toggle, inference, 0, 1, 1},
    {"prefix", {"目标序列", "Target"}, number, tokens, 1, kLongestTarget, 1, {}, "length", 0},
    {"poke", {"扰动一个词", "Poke token"}, number, tokens, -1, kLongestTarget - 1, -1, {}, "length", -1},
    {"newest_row_only", {"比较", "Compare"}, choice, map, 0, 1, 0, kRowChoices},
};

// Every step puts the switches where its words expect them; `layers` is set only where the count is the
// point.
const StepPlan kPlan[] = {
    {{{"training_mask", 1}, {"inference_mask", 1}, {"prefix", 1}, {"poke", -1}, {"newest_row_only", 0}}},
    {{{"training_mask", 1}, {"inference_mask", 1}, {"prefix", 2}, {"poke", -1}, {"newest_row_only", 0}}},
    {{{"training_mask", 1}, {"inference_mask", 1}, {"prefix", 3}, {"poke", -1}, {"newest_row_only", 0}}},
    {{{"training_mask", 1},
      {"inference_mask", 1},
      {"prefix", kLongestTarget},
      {"poke", -1},
      {"newest_row_only", 0}}},
    {{{"training_mask", 1}, {"inference_mask", 1}, {"prefix", 3}, {"poke", -1}, {"newest_row_only", 0}}},
    {{{"training_mask", 0}, {"inference_mask", 1}, {"prefix", 3}, {"poke", -1}, {"newest_row_only", 0}}},
    {{{"training_mask", 1},
      {"inference_mask", 0},
      {"prefix", 3},
      {"poke", -1},
      {"newest_row_only", 1},
      {"layers", 1}}},
    {{{"training_mask", 1},
      {"inference_mask", 0},
      {"prefix", 3},
      {"poke", -1},
      {"newest_row_only", 1},
      {"layers", 2}}},
    {{{"training_mask", 1},
      {"inference_mask", 1},
      {"prefix", kLongestTarget},
      {"poke", kLongestTarget - 1},
      {"newest_row_only", 0}}},
    {{{"training_mask", 1},
      {"inference_mask", 0},
      {"length", kQuestionLength},
      {"prefix", kQuestionPrefix},
      {"poke", -1},
      {"newest_row_only", 0},
      {"layers", kQuestionLayers}}},
};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .n_layers = value("layers"),
                          .n_heads = value("heads"),
                          .norm_first = value("norm") != 0,
                          .length = value("length"),
                          .prefix = value("prefix"),
                          .training_mask = value("training_mask") != 0,
                          .inference_mask = value("inference_mask") != 0,
                          .poke = value("poke"),
                          .newest_row_only = value("newest_row_only") != 0};
  core::Result<Run> run = run_experiment(settings, previous);
  if (run.ok()) run.value().steps = narrate(run.value(), settings);
  return run;
}

}  // namespace

const Lesson kLesson{
    "mask-equivalence",
    {"训练 ＝ 推理？", "Train = infer?"},
    {"训练 ＝ 推理？", "Train = infer?"},
    {"亲眼看到带掩码的一次训练与逐词推理每一位都相同，以及为什么。",
     "See that one masked training pass equals token-by-token inference to the last bit, and why."},
    kParameters,
    kPlan,
    run_lesson};

}  // namespace attn::lessons::mask_equivalence
