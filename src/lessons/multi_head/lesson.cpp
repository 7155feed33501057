// The lesson `multi-head`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/multi_head/experiment.h"
#include "lessons/multi_head/narration.h"

namespace attn::lessons::multi_head {
namespace {

using tape::Site;

constexpr Choice kWidths[] = {{8, {"8", "8"}}, {16, {"16", "16"}}};
constexpr Choice kHeads[] = {{1, {"1", "1"}}, {2, {"2", "2"}}, {4, {"4", "4"}}, {8, {"8", "8"}}};
constexpr Choice kOff[] = {{static_cast<int>(Off::none), {"都开着", "none"}},
                           {static_cast<int>(Off::first), {"第 1 头", "head 1"}},
                           {static_cast<int>(Off::last), {"第 h 头", "head h"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"d_model", {"特征宽 d", "Width d"}, choice, model, 8, 16, 8, kWidths},
    {"heads", {"头数 h", "Heads h"}, choice, board, 1, 8, 2, kHeads},
    {"identity", {"令 W_o = I", "Set W_o = I"}, toggle, board, 0, 1, 0},
    {"head_off", {"关掉的头", "Head off"}, choice, board, -1, 1, -1, kOff},
};

const StepPlan kPlan[kSteps] = {{{{"head_off", -1}}},
                                {{{"head_off", -1}}, {"identity", "head_off"}},
                                {{{"head_off", -1}}, {"identity", "head_off"}},
                                {{{"head_off", -1}}, {"identity", "head_off"}},
                                {{{"head_off", -1}}},
                                {{{"head_off", -1}}, {"identity", "head_off"}},
                                {{{"head_off", -1}}, {"heads", "identity", "head_off"}},
                                {{{"head_off", 0}, {"identity", 0}}},
                                {{{"head_off", -1}, {"identity", 0}, {"heads", kQuestionHeads}}}};

const tape::Label kEditable[] = {
    label_of(Site::embedding),    label_of(Site::query_weight),  label_of(Site::key_weight),
    label_of(Site::value_weight), label_of(Site::output_weight), single_label(Site::query),
    label_of(Site::query),        label_of(Site::key),           label_of(Site::value)};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .d_model = value("d_model"),
                          .heads = value("heads"),
                          .identity = value("identity") != 0,
                          .off = static_cast<Off>(value("head_off"))};
  Run run = run_experiment(settings, sentence_of(kLesson, inputs), inputs.edits, previous);
  run.steps = narrate(run, settings);
  return run;
}

}  // namespace

const Lesson kLesson{.slug = "multi-head",
                     .title = {"多头注意力", "Multi-head attention"},
                     .short_title = {"多头", "Multi-head"},
                     .promise = {"亲手把特征切成几个头，各自注意，再拼回去，看清 W_o 为什么不能少。",
                                 "Cut the features into heads, let each attend, put them together, and see "
                                 "what W_o is for."},
                     .parameters = kParameters,
                     .plan = kPlan,
                     .run = run_lesson,
                     .editable = kEditable,
                     .sentence = kSentenceRule};

}  // namespace attn::lessons::multi_head
