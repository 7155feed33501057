#include "lessons/translate/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/translate/vocabulary.h"
#include "nn/generate.h"
#include "nn/transformer.h"
#include "tape/ops.h"

namespace attn::lessons::translate {
namespace {

using core::Shape;
using io::Vocabulary;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

nn::Sampling sampling_of(const Settings& settings) {
  return {.temperature = settings.temperature,
          .top_k = settings.temperature > 0.0f ? settings.top_k : 0,
          .seed = static_cast<std::uint64_t>(settings.seed)};
}

/// The choices in `edits`, which are in the order in which the reader made them: one takes back those that
/// were made further on in what was written before.
core::Result<std::vector<Taken>> choices_in(std::span<const CellEdit> edits, int vocabulary) {
  std::vector<Taken> taken;
  for (const CellEdit& edit : edits) {
    if (!(edit.tensor == kWritten)) continue;
    const int token = static_cast<int>(edit.value);
    if (static_cast<float>(token) != edit.value || token < Vocabulary::kEos || token >= vocabulary)
      return refusal(
          {"只能写词表里的字或 <eos>：编号 $0 到 $1", "a token to be written has a number in $0..$1"},
          {Vocabulary::kEos, vocabulary - 1});
    std::erase_if(taken, [&](const Taken& other) { return other.position >= edit.row; });
    taken.push_back({edit.row, token});
  }
  return taken;
}

/// Writes until <eos>, with the reader's choices where there are any; those that change nothing, and those
/// beyond the end, are dropped.
core::Result<Translation> write(const training::Translator& translator, std::span<const int> source,
                                const Settings& settings, std::vector<Taken>& taken) {
  const int start[] = {Vocabulary::kBos};
  const nn::Prompt prompt{start, source};
  core::Result<nn::Generation> started = nn::Generation::start(
      translator.model, std::span(&prompt, 1),
      {.max_new_tokens = kMostCharacters, .eos = Vocabulary::kEos, .sampling = sampling_of(settings)});
  if (!started.ok()) return started.failure();
  nn::Generation& generation = started.value();
  Translation translation;
  std::vector<Taken> used;
  std::size_t next = 0;
  while (!generation.finished()) {
    generation.look();
    const std::span<const float> logits = generation.logits(0);
    translation.logits.insert(translation.logits.end(), logits.begin(), logits.end());
    const int position = static_cast<int>(generation.new_tokens(0).size());
    if (next == taken.size() || taken[next].position != position) {
      generation.step();
      continue;
    }
    const Taken choice = taken[next++];
    if (settings.temperature > 0.0f || choice.token != nn::most_probable(logits)) used.push_back(choice);
    generation.take(0, choice.token);
  }
  const std::span<const int> written = generation.new_tokens(0);
  translation.tokens.assign(written.begin(), written.end());
  taken = std::move(used);
  return translation;
}

/// 1 where a token is among the row's top k, by the ranking that the draw has.
Value record_top(Tape& tape, core::TensorView logits, const Settings& settings) {
  float* keep = tape.allocate(logits.shape);
  std::fill_n(keep, logits.size(), 0.0f);
  const int width = logits.shape[-1];
  std::vector<nn::Candidate> ranking;
  for (int row = 0; row < logits.shape[0]; ++row) {
    nn::rank_candidates(
        logits.flat().subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width)),
        sampling_of(settings), ranking);
    const auto count = std::min(ranking.size(), static_cast<std::size_t>(settings.top_k));
    for (std::size_t i = 0; i < count; ++i) keep[row * width + ranking[i].token] = 1.0f;
  }
  return tape.append(tape::Op::leaf, {}, {keep, logits.shape}, Label{});
}

void record_probabilities(Tape& tape, Value logits, const Settings& settings) {
  Value mask;
  if (settings.temperature > 0.0f) {
    if (settings.top_k > 0) mask = record_top(tape, tape.tensor(logits), settings);
    if (settings.temperature != 1.0f)
      logits = tape::scale(tape, logits, 1.0f / settings.temperature, Label{});
  }
  tape::softmax(tape, logits, mask, kProbabilities);
}

void record_tokens(Tape& tape, std::span<const int> tokens, const Label& label) {
  float* values = tape.allocate(tokens.size());
  std::copy(tokens.begin(), tokens.end(), values);
  tape.append(tape::Op::leaf, {}, {values, Shape{static_cast<int>(tokens.size())}}, label);
}

/// The whole of what was written, in one masked pass.
void record(Tape& tape, const Experiment& experiment, const Settings& settings) {
  const nn::Transformer& model = experiment.translator->model;
  const std::vector<int>& written = experiment.shown.tokens;
  std::vector<int> fed{Vocabulary::kBos};
  fed.insert(fed.end(), written.begin(), written.end() - 1);
  const Value source = nn::embed(tape, model, tape::Stack::encoder, std::span<const int>(experiment.source));
  const Value target = nn::embed(tape, model, tape::Stack::decoder, std::span<const int>(fed));
  const Value logits = nn::logits(tape, model, nn::transform(tape, model, source, target, {}));
  record_probabilities(tape, logits, settings);
  record_tokens(tape, written, kWritten);
  const Label one_by_one = attention_of({.layer = settings.layer, .mean = false});
  tape::mean_heads(tape, tape.find(one_by_one), kMeanWeights);
}

std::uint32_t largest_distance(std::span<const float> a, std::span<const float> b) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, core::ulp_distance(a[i], b[i]));
  return largest;
}

}  // namespace

Label attention_of(const Settings& settings) {
  Label label = kMeanWeights;
  if (!settings.mean) label.layer = settings.layer;
  return label;
}

core::Result<Experiment> run_experiment(const Settings& settings, std::span<const std::string> words,
                                        std::span<const CellEdit> edits,
                                        std::shared_ptr<const training::Translator> translator) {
  Experiment experiment{
      .run = {}, .translator = translator.get(), .source = {}, .shown = {}, .own = {}, .taken = {}};
  core::Result<std::vector<int>> source = numbers_of(*translator, words);
  if (!source.ok()) return source.failure();
  experiment.source = std::move(source).value();
  core::Result<std::vector<Taken>> taken = choices_in(edits, translator->target.size());
  if (!taken.ok()) return taken.failure();
  experiment.taken = std::move(taken).value();
  core::Result<Translation> shown = write(*translator, experiment.source, settings, experiment.taken);
  if (!shown.ok()) return shown.failure();
  experiment.shown = std::move(shown).value();
  if (experiment.taken.empty()) {
    experiment.own = experiment.shown;
  } else {
    std::vector<Taken> none;
    experiment.own = std::move(write(*translator, experiment.source, settings, none)).value();
  }

  Run& run = experiment.run;
  run.owner = std::move(translator);
  run.source_words = {words.begin(), words.end()};
  for (const int token : experiment.shown.tokens) run.target_words.push_back(symbol_of(experiment, token));
  for (int token = 0; token < experiment.translator->target.size(); ++token)
    run.vocabulary_words.push_back(symbol_of(experiment, token));
  record(run.board.emplace().tape, experiment, settings);
  return experiment;
}

std::uint32_t distance_of_passes(const Experiment& experiment) {
  return largest_distance(experiment.shown.logits, experiment.run.tape().tensor(kLogits).flat());
}

std::uint32_t distance_from_own(const Experiment& experiment, int rows) {
  const std::size_t width = static_cast<std::size_t>(experiment.translator->target.size());
  const std::size_t count = std::min(
      {experiment.shown.logits.size(), experiment.own.logits.size(), width * static_cast<std::size_t>(rows)});
  return largest_distance(std::span(experiment.shown.logits).first(count),
                          std::span(experiment.own.logits).first(count));
}

std::vector<Candidate> candidates_of(const Experiment& experiment, int row, std::size_t count) {
  const core::TensorView tensor = experiment.run.tape().tensor(kProbabilities);
  const int width = tensor.shape[-1];
  std::vector<Candidate> all;
  for (int token = 0; token < width; ++token) all.push_back({token, tensor.values[row * width + token]});
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.probability > b.probability; });
  all.resize(std::min(all.size(), count));
  return all;
}

std::string text_of(const Experiment& experiment, const Translation& translation) {
  return training::text_of(experiment.translator->target, translation.tokens);
}

const std::string& symbol_of(const Experiment& experiment, int token) {
  return experiment.translator->target.symbol(token);
}

}  // namespace attn::lessons::translate
