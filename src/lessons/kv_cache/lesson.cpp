// The lesson `kv-cache`: what the reader may change.
#include "lessons/kv_cache/narration.h"
#include "lessons/lessons.h"

namespace attn::lessons::kv_cache {
namespace {

using enum ParameterKind;
using enum ParameterPlace;
constexpr Choice kWidths[] = {{8, {"8", "8"}}, {16, {"16", "16"}}, {32, {"32", "32"}}};
constexpr Choice kHeads[] = {{1, {"1", "1"}}, {2, {"2", "2"}}, {4, {"4", "4"}}};
constexpr Choice kCorners[] = {{0, {"右下角", "bottom right"}}, {1, {"左上角", "top left"}}};
constexpr Parameter kParameters[] = {
    {"seed", {"随机种子", "Seed"}, number, model, 0, 9999, 0},
    {"length", {"token 数 S", "Tokens S"}, number, model, 2, kLongest, 8},
    {"new_tokens", {"一次新来 T", "New at once T"}, number, board, 1, kLongest, 1, {}, "length"},
    {"d_model", {"宽 d", "Width d"}, choice, model, 8, 32, 8, kWidths},
    {"heads", {"头数", "Heads"}, choice, model, 1, 4, 2, kHeads},
    {"layers", {"层数", "Layers"}, number, model, 1, 3, 2},
    {"corner", {"掩码的角", "Mask's corner"}, choice, board, 0, 1, 0, kCorners},
    {"timed", {"计时", "Time it"}, toggle, board, 0, 1, 0},
};

const StepPlan kPlan[kSteps] = {
    {{}, {"new_tokens", "corner", "timed"}},         {{}, {"new_tokens", "corner", "timed"}},
    {{}, {"new_tokens", "corner", "timed"}},         {{}, {"new_tokens", "corner", "timed"}},
    {{{"timed", 1}}, {"new_tokens", "corner"}},      {{}, {"corner", "timed"}},
    {{{"new_tokens", 1}, {"corner", 0}}, {"timed"}},
};

const tape::Label kEditable[] = {kWords};

core::Result<Run> run_lesson(const Inputs& inputs, const Run* previous) {
  const auto value = [&](const char* name) {
    return inputs.values[static_cast<std::size_t>(find_parameter(kLesson, name))];
  };
  const Settings settings{.seed = value("seed"),
                          .length = value("length"),
                          .new_tokens = value("new_tokens"),
                          .d_model = value("d_model"),
                          .n_heads = value("heads"),
                          .n_layers = value("layers"),
                          .corner = static_cast<Corner>(value("corner")),
                          .timed = value("timed") != 0};
  core::Result<Experiment> done = run_experiment(settings, inputs.edits, previous);
  if (!done.ok()) return done.failure();
  Experiment experiment = std::move(done).value();
  experiment.run.steps = narrate(experiment, settings);
  return std::move(experiment.run);
}

}  // namespace

const Lesson kLesson{
    .slug = "kv-cache",
    .title = {"键值缓存：只算新的一行", "The key-value cache: compute one row"},
    .short_title = {"键值缓存", "KV cache"},
    .promise =
        {"看缓存怎样一个比特不差地省掉重复计算，再看掩码的角放错会怎样。",
         "See a cache save the repeated work without changing a bit, and what a misplaced mask corner does."},
    .parameters = kParameters,
    .plan = kPlan,
    .run = run_lesson,
    .editable = kEditable};

}  // namespace attn::lessons::kv_cache
