// The lesson `loops-to-matrices`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/loops_to_matrices/narration.h"

namespace attn::lessons::loops_to_matrices {
namespace {

using tape::Site;
using enum ParameterKind;
using enum ParameterPlace;
constexpr Choice kOrders[] = {{0, {"从第一项加起", "first term first"}},
                              {1, {"从最后一项加起", "last term first"}}};
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"n", {"词数 n", "Words n"}, number, model, 2, kLongest, 4},
    {"d", {"宽 d", "Width d"}, number, model, 1, 8, 4},
    {"order", {"循环求和", "Loops add"}, choice, board, 0, 1, 0, kOrders},
};

constexpr Settings kInitial;
const StepPlan kPlan[kSteps] = {
    {{}, {"order"}}, {{{"order", 0}}}, {{{"order", 1}}}, {{}, {"order"}},
    {{}, {"order"}}, {{}, {"order"}},  {{}, {"order"}},  {{{"n", kInitial.n}, {"d", kInitial.d}}, {"order"}}};

const tape::Label kEditable[] = {label_of(Site::embedding), label_of(Site::query_weight),
                                 label_of(Site::key_weight), label_of(Site::value_weight)};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{
      .seed = value("seed"), .n = value("n"), .d = value("d"), .order = static_cast<Order>(value("order"))};
  Run run = run_experiment(settings, inputs.edits, previous);
  run.steps = narrate(run, settings);
  return run;
}

}  // namespace

const Lesson kLesson{
    .slug = "loops-to-matrices",
    .title = {"从循环到矩阵", "From loops to matrices"},
    .short_title = {"循环与矩阵", "Loops to matrices"},
    .promise =
        {"亲眼看到循环与矩阵算出一个比特都不差的结果，并数清每一步的运算、量出时间。",
         "See loops and matrices give the same bits, count the operations of every step, and time both."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson,
    .editable = kEditable};

}  // namespace attn::lessons::loops_to_matrices
