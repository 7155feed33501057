// The lesson `translate`: what the reader may change and what each step sets.
#include "lessons/lessons.h"
#include "lessons/translate/board.h"
#include "lessons/translate/narration.h"
#include "lessons/translate/vocabulary.h"

namespace attn::lessons::translate {
namespace {

constexpr Choice kLayer[] = {{1, {"1", "1"}}, {2, {"2", "2"}}};
constexpr Choice kTemperatures[] = {{0, {"取第一名", "greedy"}},
                                    {5, {"0.5", "0.5"}},
                                    {10, {"1", "1"}},
                                    {15, {"1.5", "1.5"}},
                                    {20, {"2", "2"}}};
constexpr Choice kTopK[] = {{0, {"全部", "all"}}, {2, {"2", "2"}}, {5, {"5", "5"}}, {20, {"20", "20"}}};

using enum ParameterKind;
using enum ParameterPlace;
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"layer", {"解码器第几层", "Decoder layer"}, choice, board, 1, kLayers, kLayers, kLayer},
    {"mean", {"各头平均", "Mean of heads"}, toggle, board, 0, 1, 1},
    {"temperature", {"温度 T", "Temperature T"}, choice, board, 0, 20, 0, kTemperatures},
    {"top_k", {"top-k", "Top-k"}, choice, board, 0, 20, 0, kTopK},
};

using Sets = std::vector<std::pair<const char*, int>>;
using Hidden = std::vector<const char*>;

/// A step about something else: it sees the mean of the last layer, and greedy choice.
StepPlan plain() {
  return {Sets{{"layer", kLayers}, {"mean", 1}, {"temperature", 0}, {"top_k", 0}},
          Hidden{"layer", "mean", "temperature", "top_k"}};
}

const StepPlan kPlan[kSteps] = {
    plain(),
    plain(),
    plain(),
    plain(),
    {Sets{{"temperature", 0}, {"top_k", 0}}, Hidden{"temperature", "top_k"}},
    plain(),
    plain(),
    {Sets{{"layer", kLayers}, {"mean", 1}, {"temperature", 10}, {"top_k", 0}}, Hidden{"layer", "mean"}},
    plain(),
    plain()};

const tape::Label kEditable[] = {kWritten};

bool always(const ParameterValues&) { return true; }
constexpr TranslatorUse kUse{always, read_file};

core::Result<Run> run_lesson(const Inputs& inputs, const Run*) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.layer = value("layer") - 1,
                          .mean = value("mean") != 0,
                          .temperature = static_cast<float>(value("temperature")) / 10.0f,
                          .top_k = value("top_k"),
                          .seed = value("seed")};
  core::Result<Experiment> ran =
      run_experiment(settings, sentence_of(kLesson, inputs), inputs.edits, inputs.translator);
  if (!ran.ok()) return ran.failure();
  Experiment experiment = std::move(ran).value();
  arrange(experiment, settings);
  experiment.run.steps = narrate(experiment, settings);
  return std::move(experiment.run);
}

}  // namespace

const Lesson kLesson{.slug = "translate",
                     .title = {"翻译：一次写一个字", "Translate, one character at a time"},
                     .short_title = {"翻译", "Translate"},
                     .promise = {"看一个训练好的模型怎样从英文句子出发，一个字一个字写出中文。",
                                 "See a trained model go from an English sentence to Chinese, character by "
                                 "character."},
                     .parameters = kParameters,
                     .plan = kPlan,
                     .run = run_lesson,
                     .editable = kEditable,
                     .sentence = kSentenceRule,
                     .translator = &kUse};

}  // namespace attn::lessons::translate
