#include "support/sample_lesson.h"

#include <algorithm>
#include <array>

namespace attn::test {
namespace {

using lessons::Answer;
using lessons::Choice;
using lessons::Parameter;
using lessons::ParameterKind;
using lessons::ParameterPlace;
using lessons::ParameterValues;
using lessons::Run;
using tape::Op;
using tape::Site;
using tape::Tape;

int runs = 0;

constexpr int kHeads = 2;
constexpr int kFeatures = 3;

constexpr std::array<Choice, 3> kLayerChoices{{{1, {"一", "one"}}, {2, {"二", "two"}}, {4, {"四", "four"}}}};

const std::array<Parameter, 6> kParameters{{
    {"prefix", {"前缀", "Prefix"}, ParameterKind::number, ParameterPlace::tokens, 1, 6, 2, {}, "length"},
    {"length", {"长度", "Length"}, ParameterKind::number, ParameterPlace::model, 1, 6, 4},
    {"poke", {"改动", "Poke"}, ParameterKind::number, ParameterPlace::tokens, -1, 5, -1, {}, "length", -1},
    {"layers", {"层数", "Layers"}, ParameterKind::choice, ParameterPlace::model, 1, 4, 2, kLayerChoices},
    {"mask", {"掩码", "Mask"}, ParameterKind::toggle, ParameterPlace::training, 0, 1, 1},
    {"trouble", {"麻烦", "Trouble"}, ParameterKind::number, ParameterPlace::model, 0, 3, 0},
}};

const std::array<lessons::StepPlan, 3> kPlan{{
    {{{"mask", 1}, {"prefix", 2}, {"poke", -1}}},
    {{{"mask", 0}, {"prefix", 6}, {"poke", -1}}},
    {{{"mask", 1}, {"prefix", 6}, {"poke", 5}}},
}};

void append_weights(Tape& tape, int length, bool causal, int layer) {
  const int n = length;
  float* mask = tape.allocate(static_cast<std::size_t>(n * n));
  float* weights = tape.allocate(static_cast<std::size_t>(kHeads * n * n));
  for (int row = 0; row < n; ++row) {
    const int visible = causal ? row + 1 : n;
    for (int column = 0; column < n; ++column) {
      mask[row * n + column] = column < visible ? 1.0f : 0.0f;
      for (int head = 0; head < kHeads; ++head) {
        const float weight = column < visible ? 1.0f / static_cast<float>(visible) : 0.0f;
        weights[(head * n + row) * n + column] = weight;
      }
    }
  }
  tape.append(Op::leaf, {}, {mask, core::Shape{n, n}}, sample_label(Site::mask, layer));
  tape.append(Op::softmax, {}, {weights, core::Shape{kHeads, n, n}}, sample_label(Site::weights, layer));
}

Tape make_tape(const ParameterValues& values, int length, bool causal) {
  Tape tape;
  const auto n = static_cast<std::size_t>(length);
  float* tokens = tape.allocate(n);
  for (std::size_t i = 0; i < n; ++i) tokens[i] = static_cast<float>(5 - static_cast<int>(i));
  tape.append(Op::leaf, {}, {tokens, core::Shape{length}},
              {.stack = tape::Stack::decoder, .site = Site::tokens});
  float* embedding = tape.allocate(n * kFeatures);
  for (std::size_t i = 0; i < n * kFeatures; ++i) {
    const bool poked = static_cast<int>(i) / kFeatures == values[2];
    embedding[i] = -1.5f + 0.25f * static_cast<float>(i) + (poked ? 1.0f : 0.0f);
  }
  tape.append(Op::lookup, {}, {embedding, core::Shape{length, kFeatures}},
              {.stack = tape::Stack::decoder, .site = Site::embedding});
  for (int layer = 0; layer < values[3]; ++layer) append_weights(tape, length, causal, layer);
  return tape;
}

core::Result<Run> run(const lessons::Inputs& inputs, const Run*) {
  const ParameterValues& values = inputs.values;
  ++runs;
  if (values[5] >= 2) return core::error_at("the sample refuses trouble %d", values[5]);
  Run run;
  run.source_words = {"7", "8", "9"};
  run.twin.emplace();
  for (int i = 0; i < values[1]; ++i) run.target_words.push_back(std::to_string(5 - i));
  const bool causal = values[4] == 1;
  run.twin->training = {{"训练", "Training"}, make_tape(values, values[1], causal), values[1], causal};
  run.twin->inference = {{"推理", "Inference"}, make_tape(values, values[0], true), values[0], true};
  run.twin->differences = tape::compare(run.twin->training.tape, run.twin->inference.tape);
  run.twin->first_different = tape::first_different(run.twin->differences);
  const std::string count = std::to_string(run.twin->differences.size());
  const tape::Label last = sample_label(Site::weights, values[3] - 1);
  run.steps = {
      {.title = {"遮住未来", "The future is hidden"},
       .narration = {"比较 {strong|" + count + "} 个张量。\n{eq|相等}",
                     "{strong|" + count + "} tensors.\n{eq|Equal}"},
       .brief = {"{q|查询}看见过去。", "A {q|query} sees the past."},
       .try_it = {"试试关掉。", "Try it off."},
       .formula = {"a = softmax(s)", "<mi>a</mi><mo>=</mo><mi>\"s\"</mi>"},
       .focus = {sample_label(Site::weights), 1, 0, 0}},
      {.title = {"不遮", "Nothing hidden"},
       .narration = {"不同了。", "Now they {ne|differ}."},
       .brief = {"不同。", "Different."},
       .focus = {.tensor = last},
       .answer = causal                  ? Answer::right
                 : values[0] < values[1] ? Answer::wrong
                                         : Answer::open},
      {.title = {"改动一个词", "One token poked"},
       .narration = {"最后一个词变了。", "The last token changed."},
       .brief = {"变了。", "Changed."},
       .focus = {.tensor = {.stack = tape::Stack::decoder, .site = Site::embedding}}},
  };
  return run;
}

const lessons::Lesson kSample{.slug = "sample",
                              .title = {"样例", "Sample"},
                              .short_title = {"例", "Brief"},
                              .promise = {"看一个样例。", "See a sample."},
                              .parameters = kParameters,
                              .plan = kPlan,
                              .run = run};

}  // namespace

const lessons::Lesson& sample_lesson() { return kSample; }
int sample_lesson_runs() { return runs; }

tape::Label sample_label(Site site, int layer) {
  return {tape::Stack::decoder, layer, tape::Block::self_attention, site};
}

}  // namespace attn::test
