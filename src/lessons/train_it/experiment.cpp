#include "lessons/train_it/experiment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nn/transformer.h"
#include "tape/ops.h"
#include "training/english.h"
#include "training/forward.h"
#include "training/translator.h"

namespace attn::lessons::train_it {
namespace {

using core::Shape;
using tape::Label;
using tape::Site;
using tape::Tape;
using training::TaskKind;
using training::Trainer;

void record_figures(Tape& tape, const Label& label, int columns, const std::vector<float>& values) {
  const int rows = static_cast<int>(values.size()) / columns;
  tape.leaf({values.data(), Shape{rows, columns}}, label);
}

void record_history(Tape& tape, const Label& history, const Label& evaluations, const Bench& bench) {
  std::vector<float> figures;
  for (const training::StepRecord& step : bench.history())
    figures.insert(figures.end(), {step.loss, step.gradient_norm, step.learning_rate});
  record_figures(tape, history, 3, figures);
  figures.clear();
  const auto add = [&](const training::Evaluation& one) {
    figures.insert(figures.end(), {static_cast<float>(one.step), 100.0f * static_cast<float>(one.exact) /
                                                                     static_cast<float>(one.examples)});
  };
  add(bench.untrained);
  for (const training::Evaluation& one : bench.trainer.evaluations()) add(one);
  record_figures(tape, evaluations, 2, figures);
}

/// Index into kGroups of a parameter with this name, -1 for norms.
int group_of(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("norm")) return -1;
  if (has("self_attn")) return 0;
  if (has("multihead_attn")) return 1;
  if (has("linear")) return 2;
  return has("embedding") ? 3 : 4;
}

void record_gradients(Tape& tape, const Trainer& trainer, int layer) {
  constexpr std::size_t kCount = std::size(kGroups);
  std::vector<double> squares(kCount), counts(kCount);
  const auto width = static_cast<std::size_t>(trainer.options().model.d_model);
  std::vector<float> query(width * width, 0.0f);
  const std::string shown = "decoder.layers." + std::to_string(layer) + ".multihead_attn.in_proj_weight";
  std::size_t index = 0;
  nn::for_each_parameter(trainer.model(), [&](std::string_view name, const core::Tensor&) {
    const std::span<const float> gradient = trainer.gradient(index++);
    if (name == shown) std::copy_n(gradient.begin(), query.size(), query.begin());
    const int group = group_of(name);
    if (group < 0) return;
    for (const float g : gradient)
      squares[static_cast<std::size_t>(group)] += static_cast<double>(g) * static_cast<double>(g);
    counts[static_cast<std::size_t>(group)] += static_cast<double>(gradient.size());
  });
  std::vector<float> figures(kCount);
  for (std::size_t i = 0; i < kCount; ++i) figures[i] = static_cast<float>(std::sqrt(squares[i] / counts[i]));
  record_figures(tape, kGradients, 1, figures);
  record_figures(tape, kQueryGradient, static_cast<int>(width), query);
}

std::vector<Sample> samples_of(const Shown& shown, int probe) {
  const training::Task& task = shown.honest->trainer.task();
  std::vector<training::Example> examples;
  for (int i = 0; i < kSamples; ++i)
    examples.push_back(task.held_out[static_cast<std::size_t>((probe + i) % kProbes)]);
  const int most = task.max_target_length + 1;
  const std::vector<std::vector<int>> said = training::translate(shown.model, examples, most);
  const std::vector<std::vector<int>> beside =
      shown.beside == nullptr ? said : training::translate(shown.beside->trainer.model(), examples, most);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    Sample sample{examples[i].source, examples[i].target, said[i], beside[i]};
    for (std::vector<int>* one : {&sample.said, &sample.said_beside})
      if (!one->empty() && one->back() == training::kEos) one->pop_back();
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// The source positions whose token the rule says next, after t tokens.
std::vector<int> positions_by_rule(TaskKind task, const std::vector<int>& source, int t) {
  const int length = static_cast<int>(source.size());
  if (task == TaskKind::copy) return {t};
  if (task == TaskKind::reverse) return {length - 1 - t};
  std::vector<int> sorted = source;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> places;  // any of equal ones will do
  for (int s = 0; s < length; ++s)
    if (source[static_cast<std::size_t>(s)] == sorted[static_cast<std::size_t>(t)]) places.push_back(s);
  return places;
}

void measure_rule(Experiment& experiment) {
  const TaskKind task = experiment.shown->honest->trainer.task().kind;
  if (task == TaskKind::translate) return;
  const std::vector<int>& source = experiment.samples[0].source;
  const core::TensorView weights = experiment.run.tape().tensor(
      Label{tape::Stack::decoder, experiment.layer, tape::Block::cross_attention, Site::weights});
  const int rows = std::min(weights.shape[1], static_cast<int>(source.size()));
  for (int h = 0; h < weights.shape[0]; ++h) {
    float share = 0.0f;
    for (int t = 0; t < rows; ++t)
      for (const int s : positions_by_rule(task, source, t))
        share += weights.values[(h * weights.shape[1] + t) * weights.shape[2] + s];
    share /= static_cast<float>(rows);
    if (share <= experiment.on_rule) continue;
    experiment.on_rule = share;
    experiment.best_head = h;
  }
}

std::vector<std::string> words_of(const io::Vocabulary& vocabulary, const std::vector<int>& tokens) {
  std::vector<std::string> words;
  for (const int token : tokens) words.push_back(vocabulary.symbol(token));
  return words;
}

}  // namespace

std::string text_of(const training::Task& task, const std::vector<int>& tokens, bool source) {
  const io::Vocabulary& vocabulary = source ? task.source_vocabulary : task.target_vocabulary;
  const bool spaced = source || task.kind != TaskKind::translate;
  std::string text;
  for (const int token : tokens) {
    const bool special = token < io::Vocabulary::kSpecials;
    text += (spaced && !text.empty() ? " " : "") + (special ? std::string("·") : vocabulary.symbol(token));
  }
  return text.empty() ? "–" : text;
}

core::Result<Experiment> run_experiment(const Settings& settings, const Run* previous) {
  auto shown = std::make_shared<Shown>();
  shown->lab =
      previous == nullptr ? std::make_shared<Lab>() : static_cast<const Shown*>(previous->owner.get())->lab;
  Recipe honest = settings.recipe;
  honest.mistake = Mistake::none;
  core::Result<std::shared_ptr<Bench>> bench = shown->lab->bench_of(honest);
  if (!bench.ok()) return core::Error{bench.error()};
  shown->honest = bench.value();
  if (settings.recipe.mistake != Mistake::none) {
    core::Result<std::shared_ptr<Bench>> beside = shown->lab->bench_of(settings.recipe);
    if (!beside.ok()) return core::Error{beside.error()};
    shown->beside = beside.value();
  }
  shown->model = shown->honest->trainer.model();

  Experiment experiment;
  experiment.shown = shown;
  experiment.layer = shown->model.config.n_decoder_layers - 1;
  experiment.samples = samples_of(*shown, settings.probe);
  const training::Task& task = shown->honest->trainer.task();
  const Sample& probe = experiment.samples[0];
  std::vector<int> fed{training::kBos};
  fed.insert(fed.end(), probe.said.begin(), probe.said.end());

  Run& run = experiment.run;
  run.owner = shown;
  run.source_words = words_of(task.source_vocabulary, probe.source);
  run.target_words = words_of(task.target_vocabulary, fed);
  for (int token = 0; token < task.target_vocabulary.size(); ++token)
    run.vocabulary_words.push_back(task.target_vocabulary.symbol(token));
  Tape& tape = run.board.emplace().tape;
  const tape::Value x = nn::embed(tape, shown->model, tape::Stack::encoder, probe.source);
  const tape::Value y = nn::embed(tape, shown->model, tape::Stack::decoder, fed);
  const tape::Value logits =
      nn::logits(tape, shown->model, nn::transform(tape, shown->model, x, y, nn::TransformerMasks{}));
  tape::softmax(tape, logits, tape::Value{},
                {tape::Stack::decoder, -1, tape::Block::none, Site::probabilities});
  record_history(tape, kHistory, kEvaluations, *shown->honest);
  record_history(tape, kHistoryBeside, kEvaluationsBeside,
                 shown->beside == nullptr ? *shown->honest : *shown->beside);
  record_gradients(tape, shown->honest->trainer, experiment.layer);
  std::vector<float> said(static_cast<std::size_t>(kSamples * (task.max_target_length + 1)), -1.0f);
  for (std::size_t i = 0; i < experiment.samples.size(); ++i)
    std::copy(experiment.samples[i].said.begin(), experiment.samples[i].said.end(),
              said.begin() + static_cast<std::ptrdiff_t>(i) * (task.max_target_length + 1));
  record_figures(tape, kSaid, task.max_target_length + 1, said);
  measure_rule(experiment);
  return experiment;
}

}  // namespace attn::lessons::train_it
