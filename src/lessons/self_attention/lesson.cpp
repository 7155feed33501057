// The lesson `self-attention`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/self_attention/columns.h"
#include "lessons/self_attention/narration.h"

namespace attn::lessons::self_attention {
namespace {

using tape::Site;

constexpr Choice kWays[] = {{0, {"行", "rows"}}, {1, {"列", "columns"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"d_model", {"词向量宽 d", "Word width d"}, number, model, 1, 8, 3},
    {"d_k", {"查询与键宽 dₖ", "Query, key width dₖ"}, number, model, 1, 8, 5},
    {"d_v", {"值宽 dᵥ", "Value width dᵥ"}, number, model, 1, 8, 4},
    {"causal_mask", {"因果掩码", "Causal mask"}, toggle, board, 0, 1, 0},
    {"words_as", {"词写成", "Words as"}, choice, board, 0, 1, 0, kWays},
};

constexpr Settings kInitial;
const StepPlan kPlan[kSteps] = {{},
                                {},
                                {},
                                {},
                                {},
                                {},
                                {},
                                {},
                                {{}, {"causal_mask", "words_as"}},
                                {{{"d_k", kInitial.d_k}, {"d_v", kInitial.d_v}}}};

const tape::Label kEditable[] = {
    label_of(Site::embedding),  columns_label(Site::embedding), label_of(Site::query_weight),
    label_of(Site::key_weight), label_of(Site::value_weight),   label_of(Site::query),
    label_of(Site::key),        label_of(Site::value),          columns_label(Site::query),
    columns_label(Site::key),   columns_label(Site::value)};

core::Result<Run> run_lesson(const Inputs& inputs, const Run*) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .d_model = value("d_model"),
                          .d_k = value("d_k"),
                          .d_v = value("d_v"),
                          .causal = value("causal_mask") != 0,
                          .columns = value("words_as") != 0};
  Run run = run_experiment(settings, sentence_of(kLesson, inputs), inputs.edits);
  run.steps = narrate(run, settings);
  return run;
}

}  // namespace

const Lesson kLesson{.slug = "self-attention",
                     .title = {"自注意力，一步一步算", "Self-attention, step by step"},
                     .short_title = {"自注意力", "Self-attention"},
                     .promise = {"亲手走完 q、k、分数、权重、v、输出这六步。",
                                 "Walk through the six steps from query to output, one number at a time."},
                     .parameters = kParameters,
                     .plan = kPlan,
                     .run = run_lesson,
                     .editable = kEditable,
                     .sentence = kSentenceRule};

}  // namespace attn::lessons::self_attention
