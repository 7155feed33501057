// The lesson `scale-by-sqrt-dk`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/scale_by_sqrt_dk/experiment.h"
#include "lessons/scale_by_sqrt_dk/narration.h"

namespace attn::lessons::scale_by_sqrt_dk {
namespace {

constexpr Choice kDistributions[] = {
    {kStandard, {"均值 0", "means 0"}},
    {kShifted, {"均值不为 0", "other means"}},
};
constexpr Choice kDivisorChoices[] = {
    {kNone, {"不除", "none"}}, {kRootOfDk, {"√dₖ", "√dₖ"}}, {kRootOfModel, {"√d_model", "√d_model"}}};
constexpr Choice kHeadChoices[] = {
    {1, {"1", "1"}}, {2, {"2", "2"}}, {4, {"4", "4"}}, {8, {"8", "8"}}, {16, {"16", "16"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"d_k", {"查询与键宽 dₖ", "Query, key width dₖ"}, number, model, 1, kWidest, kInitialWidth},
    {"heads",
     {"头数 h（d_model = h·dₖ）", "Heads h (d_model = h·dₖ)"},
     choice,
     model,
     1,
     16,
     kInitialHeads,
     kHeadChoices},
    {"case", {"分布", "Distribution"}, choice, board, kStandard, kShifted, kStandard, kDistributions},
    {"divisor", {"除以", "Divide by"}, choice, board, kNone, kRootOfModel, kRootOfDk, kDivisorChoices},
};

const StepPlan kPlan[kSteps] = {
    {{{"case", kStandard}}, {"divisor"}},
    {{{"case", kStandard}}, {"divisor"}},
    {{{"case", kStandard}, {"divisor", kRootOfDk}}},
    {{{"case", kShifted}, {"divisor", kRootOfDk}}, {"divisor"}},
    {{{"case", kStandard}, {"divisor", kRootOfDk}}},
    {{{"case", kStandard}, {"divisor", kRootOfDk}}, {"case", "divisor"}},
    {{{"case", kStandard}, {"divisor", kRootOfDk}}},
    {{{"case", kStandard}, {"divisor", kRootOfModel}, {"d_k", kInitialWidth}, {"heads", kInitialHeads}}}};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .d_k = value("d_k"),
                          .distribution = value("case"),
                          .divisor = value("divisor"),
                          .heads = value("heads")};
  Run run = run_experiment(settings, previous);
  run.steps = narrate(run, settings);
  return run;
}

}  // namespace

const Lesson kLesson{
    .slug = "scale-by-sqrt-dk",
    .title = {"为什么除以 √dₖ", "Why divide by √dₖ"},
    .short_title = {"除以 √dₖ", "Divide by √dₖ"},
    .promise =
        {"亲眼看到分数随 dₖ 变散，softmax 饱和，梯度消失，以及除以 √dₖ 怎样挡住这一切。",
         "See scores spread as dₖ grows, softmax saturate and its gradient vanish, and √dₖ prevent it."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson};

}  // namespace attn::lessons::scale_by_sqrt_dk
