// The lesson `mask-lab`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/mask_lab/experiment.h"
#include "lessons/mask_lab/narration.h"

namespace attn::lessons::mask_lab {
namespace {

constexpr Choice kPads[] = {{0, {"0", "0"}}, {1, {"1", "1"}}, {2, {"2", "2"}}, {3, {"3", "3"}}};
constexpr Choice kPaddings[] = {
    {0, {"左填充", "left"}}, {1, {"右填充", "right"}}, {2, {"左，位置从词数起", "left, words counted"}}};
constexpr Choice kConventions[] = {{0, {"PyTorch MHA：1 = 遮住", "PyTorch MHA: 1 = blocked"}},
                                   {1, {"SDPA、ONNX：1 = 可看", "SDPA, ONNX: 1 = visible"}},
                                   {2, {"浮点：加到分数上", "float: added to the score"}}};
constexpr Choice kFillChoices[] = {
    {0, {"−1e9", "−1e9"}}, {1, {"−1e4", "−1e4"}}, {2, {"1e−9（写错号）", "1e−9 (sign slip)"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"causal", {"因果掩码", "Causal mask"}, toggle, board, 0, 1, 1},
    {"pads", {"<pad> 个数", "<pad>s"}, choice, board, 0, 3, 0, kPads},
    {"padding", {"填充", "Padding"}, choice, board, 0, 2, 0, kPaddings},
    {"convention", {"掩码写法", "Mask written for"}, choice, board, 0, 2, 0, kConventions},
    {"diagonal", {"对角线", "Diagonal"}, number, model, -1, 1, 0},
    {"fill", {"加的数", "Number added"}, choice, model, 0, 2, 0, kFillChoices},
    {"wrong_axis", {"填充掩码用错轴", "Padding mask on the wrong axis"}, toggle, model, 0, 1, 0},
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
};

const StepPlan kPlan[kSteps] = {
    {{{"causal", 1}, {"pads", 0}, {"diagonal", 0}}, {"convention"}},
    {{{"causal", 0}, {"pads", 2}, {"padding", 1}, {"wrong_axis", 0}}, {"convention"}},
    {{{"causal", 1}, {"pads", 0}, {"fill", 0}}, {"convention"}},
    {{{"causal", 1}, {"pads", 0}}, {"convention"}},
    {{{"causal", 1}, {"pads", 1}, {"padding", 0}, {"diagonal", 0}, {"fill", 0}, {"wrong_axis", 0}},
     {"convention"}},
    {{{"causal", 1}, {"pads", 0}, {"convention", 0}}},
    {{{"causal", 1}, {"pads", 1}, {"padding", 0}}, {"convention"}},
    {{{"causal", 1}, {"pads", 0}, {"diagonal", 0}, {"fill", 0}, {"wrong_axis", 0}}, {"convention"}, true}};

const tape::Label kMask[] = {mask_label()};

core::Result<Run> run_lesson(const Inputs& inputs, const Run*) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .causal = value("causal") != 0,
                          .pads = value("pads"),
                          .padding = static_cast<Padding>(value("padding")),
                          .convention = static_cast<Convention>(value("convention")),
                          .diagonal = value("diagonal"),
                          .wrong_axis = value("wrong_axis") != 0,
                          .fill = value("fill")};
  Experiment experiment = run_experiment(settings, inputs.edits);
  experiment.run.steps = narrate(experiment, settings, !inputs.edits.empty());
  return std::move(experiment.run);
}

}  // namespace

const Lesson kLesson{
    .slug = "mask-lab",
    .title = {"掩码实验室：遮住，到底怎么遮？", "Mask lab: what does hiding a word take?"},
    .short_title = {"掩码实验室", "Mask lab"},
    .promise = {"亲手点出一张掩码，看五种填法里哪些真的遮住了。",
                "Click a mask together and see which of five ways to apply it really hides a word."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson,
    .editable = kMask,
    .toggled = kMask};

}  // namespace attn::lessons::mask_lab
