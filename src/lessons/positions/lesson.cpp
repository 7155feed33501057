// The lesson `positions`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/positions/experiment.h"
#include "lessons/positions/narration.h"

namespace attn::lessons::positions {
namespace {

constexpr Choice kKinds[] = {
    {kNone, {"无", "none"}}, {kSinusoidal, {"正弦", "sinusoidal"}}, {kLearned, {"学习的", "learned"}}};
constexpr Choice kOrders[] = {{kAsWritten, {"原句", "as written"}},
                              {kReversed, {"saw a saw I", "saw a saw I"}},
                              {kMiddleSwapped, {"I a saw saw", "I a saw saw"}},
                              {kLastFirst, {"saw I saw a", "saw I saw a"}},
                              {kSawsSwapped, {"两个 saw 对调", "the two saws swapped"}}};
constexpr Choice kLayouts[] = {{kInterleaved, {"交错", "interleaved"}}, {kHalves, {"两半", "halves"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"d_model", {"词向量宽 d_model", "Word width d_model"}, number, model, 2, kWidest, kInitialWidth},
    {"layout",
     {"正弦余弦的排法", "Layout of sines, cosines"},
     choice,
     model,
     kInterleaved,
     kHalves,
     kInterleaved,
     kLayouts},
    {"positions", {"位置", "Positions"}, choice, board, kNone, kLearned, kNone, kKinds},
    {"order", {"次序", "Order"}, choice, board, kAsWritten, kSawsSwapped, kInitialOrder, kOrders},
};

const StepPlan kPlan[kSteps] = {
    {{{"positions", kNone}, {"order", kInitialOrder}}},
    {{{"positions", kNone}, {"order", kInitialOrder}}},
    {{{"d_model", kWidest}, {"positions", kSinusoidal}}, {"positions", "order"}},
    {{{"d_model", kWidest}, {"positions", kSinusoidal}}, {"positions", "order"}},
    {{{"d_model", kWidest}, {"positions", kSinusoidal}}, {"positions", "order"}},
    {{{"d_model", 7}, {"positions", kSinusoidal}}, {"positions", "order"}},
    {{{"positions", kSinusoidal}, {"order", kInitialOrder}}},
    {{{"positions", kNone}, {"order", kInitialOrder}}},
};

const tape::Label kEditable[] = {kWordTable};

core::Result<Run> run_lesson(const Inputs& inputs, const Run*) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .d_model = value("d_model"),
                          .kind = value("positions"),
                          .order = value("order"),
                          .layout = value("layout")};
  Run run = run_experiment(settings, inputs.edits);
  run.steps = narrate(run, settings);
  return run;
}

}  // namespace

const Lesson kLesson{
    .slug = "positions",
    .title = {"位置编码：次序从哪里来", "Positions: where order comes from"},
    .short_title = {"位置编码", "Positions"},
    .promise =
        {"亲手打乱词序：没有位置，输出只是跟着词走；加上位置，输出才变。",
         "Shuffle the words: without positions each output moves along with its word, with them it changes."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson,
    .editable = kEditable};

}  // namespace attn::lessons::positions
