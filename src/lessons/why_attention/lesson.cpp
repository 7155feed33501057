// The lesson `why-attention`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/why_attention/experiment.h"
#include "lessons/why_attention/narration.h"

namespace attn::lessons::why_attention {
namespace {

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"look_around", {"看旁边的词", "Look around"}, toggle, board, 0, 1, 1},
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
};

const StepPlan kPlan[kSteps] = {{{{"look_around", 1}}}, {{}, {"look_around"}}, {{}, {"look_around"}},
                                {{}, {"look_around"}},  {{}, {"look_around"}}, {{}, {"look_around"}},
                                {{}, {"look_around"}},  {{}, {"look_around"}}};

const tape::Label kEditable[] = {vectors_label(),
                                 vectors_label(Pair::asked),
                                 function_label(tape::Site::linear1_weight),
                                 label_of(kAsked, tape::Site::query_weight),
                                 label_of(kAsked, tape::Site::key_weight),
                                 label_of(kSummed, tape::Site::scores),
                                 label_of(kLearned, tape::Site::value_weight)};

core::Result<Run> run_lesson(const Inputs& inputs, const Run*) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"), .look_around = value("look_around") != 0};
  Run run = run_experiment(settings, inputs.edits);
  run.steps = narrate(run, settings, inputs.edits);
  return run;
}

}  // namespace

const Lesson kLesson{
    .slug = "why-attention",
    .title = {"为什么要有注意力？", "Why attention?"},
    .short_title = {"为什么要注意力", "Why attention"},
    .promise = {"从两个写法相同的 saw 出发，看出词为什么要互相看、怎么看。",
                "Two words spelled alike show why words must look at each other, and how they do."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson,
    .editable = kEditable};

}  // namespace attn::lessons::why_attention
