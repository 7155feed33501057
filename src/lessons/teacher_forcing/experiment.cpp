#include "lessons/teacher_forcing/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/teacher_forcing/training.h"
#include "tape/ops.h"

namespace attn::lessons::teacher_forcing {
namespace {

using core::Shape;
using core::Tensor;
using kernels::Reduction;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

/// Row t: the newest row of a pass over the first t + 1 tokens, which is all that generation looks at.
Tensor logits_word_by_word(const nn::Transformer& model, std::span<const int> fed) {
  Tensor rows(Shape{static_cast<int>(fed.size()), kVocabulary});
  Tape tape;
  for (std::size_t length = 1; length <= fed.size(); ++length) {
    tape.clear();
    const core::TensorView logits =
        tape.tensor(record_logits(tape, model, fed.first(length), nn::Mask::causal()));
    std::copy_n(logits.values + logits.size() - kVocabulary, kVocabulary,
                rows.values() + (length - 1) * kVocabulary);
  }
  return rows;
}

/// Probabilities, losses and their sum, from logits of either kind.
void record_outcome(Tape& tape, Value logits, Value asked, Label (*at)(Site), const Label& sum) {
  tape::softmax(tape, logits, Value{}, at(Site::probabilities));
  record_losses(tape, logits, asked, Reduction::none, at(Site::losses));
  record_losses(tape, logits, asked, Reduction::sum, sum);
}

core::TensorView tensor(const Tape& tape, const Label& label) { return tape.tensor(label); }

void record_figures(Tape& tape, const Label& label, int columns, const std::vector<float>& values) {
  const int rows = static_cast<int>(values.size()) / columns;
  tape.leaf({values.data(), Shape{rows, columns}}, label);
}

void record_token_figures(Tape& tape, const Sentence& sentence) {
  std::vector<float> ids(sentence.target.begin(), sentence.target.end());
  for (const std::vector<int>* row : {&sentence.fed, &sentence.asked}) {
    ids.insert(ids.end(), row->begin(), row->end());
    ids.push_back(-1.0f);
  }
  record_figures(tape, kTokenFigures, static_cast<int>(sentence.target.size()), ids);
}

void record_ulp_figures(Tape& tape) {
  const core::TensorView a = tensor(tape, one_pass(Site::probabilities));
  const core::TensorView b = tensor(tape, stepwise(Site::probabilities));
  std::vector<float> largest(static_cast<std::size_t>(a.shape[0]));
  for (int i = 0; i < a.size(); ++i) {
    float& row = largest[static_cast<std::size_t>(i / kVocabulary)];
    row = std::max(row, static_cast<float>(core::ulp_distance(a.values[i], b.values[i])));
  }
  record_figures(tape, kUlpFigures, 1, largest);
}

void record_loss_figures(Tape& tape) {
  std::vector<float> figures;
  const auto add = [&](const Label& first, const Label& second) {
    const core::TensorView a = tensor(tape, first);
    const core::TensorView b = tensor(tape, second);
    for (int i = 0; i < a.size(); ++i)
      figures.insert(figures.end(), {a.values[i], b.values[i],
                                     static_cast<float>(core::ulp_distance(a.values[i], b.values[i]))});
  };
  add(one_pass(Site::losses), stepwise(Site::losses));
  add(kOnePassSum, kStepwiseSum);
  record_figures(tape, kLossFigures, 3, figures);
}

void record_training_figures(Tape& tape, const Models& models) {
  std::vector<float> losses, said(2 * kMostSaid, -1.0f);
  for (std::size_t i = 0; i < models.shifted.losses.size(); ++i)
    losses.insert(losses.end(), {models.shifted.losses[i], models.copying.losses[i]});
  record_figures(tape, kTrainingFigures, 2, losses);
  std::copy(models.shifted.said.begin(), models.shifted.said.end(), said.begin());
  std::copy(models.copying.said.begin(), models.copying.said.end(), said.begin() + kMostSaid);
  record_figures(tape, kSaidFigures, static_cast<int>(kMostSaid), said);
}

std::span<const float> row_of(core::TensorView rows, int index) {
  return rows.flat().subspan(static_cast<std::size_t>(index * kVocabulary), std::size_t{kVocabulary});
}

std::uint32_t largest_ulp(std::span<const float> a, std::span<const float> b) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, core::ulp_distance(a[i], b[i]));
  return largest;
}

/// What comes after <bos> 我 爱 你, read with and without padding.
Reading read_padded(Tape& board, const nn::Transformer& model, const Settings& settings) {
  constexpr int prompt[] = {kBos, kWo, kAi, kNi};
  constexpr int length = std::size(prompt);
  const int padding[] = {settings.pads_left ? settings.pads : 0};
  Reading reading;
  for (int i = 0; i < length + settings.pads; ++i) {
    const int word = i - padding[0];
    reading.fed.push_back(word >= 0 && word < length ? prompt[word] : int{kPad});
  }
  reading.row = padding[0] + length - 1;
  Tape alone, padded;
  const core::TensorView own = alone.tensor(record_logits(alone, model, prompt, nn::Mask::causal()));
  const core::TensorView all = padded.tensor(record_logits(
      padded, model, reading.fed, nn::Mask::causal().and_also(nn::Mask::left_padding(padding))));
  const std::span<const float> columns[] = {row_of(own, length - 1), row_of(all, reading.row),
                                            row_of(all, all.shape[0] - 1)};
  reading.ulp = largest_ulp(columns[0], columns[1]);
  for (std::size_t i = 0; i < kVocabulary; ++i)
    reading.last_difference = std::max(reading.last_difference, std::fabs(columns[2][i] - columns[0][i]));
  std::vector<float> figures;
  for (std::size_t token = 0; token < kVocabulary; ++token)
    for (const auto& column : columns) figures.push_back(column[token]);
  record_figures(board, kReadFigures, 3, figures);
  return reading;
}

/// The sum that the question begins with, of the same model.
float sum_as_asked(const nn::Transformer& model) {
  const Sentence sentence = sentence_of(kQuestionPads, true);
  Tape tape;
  const Value logits = record_logits(tape, model, sentence.fed, nn::Mask::causal());
  return tape.tensor(record_losses(tape, logits, record_tokens(tape, sentence.asked, {}), Reduction::sum, {}))
      .values[0];
}

}  // namespace

Label one_pass(Site site) { return {tape::Stack::decoder, -1, tape::Block::none, site}; }
Label stepwise(Site site) { return {tape::Stack::decoder, 0, tape::Block::none, site}; }

const char* word_of(int token) {
  static constexpr const char* kWords[kVocabulary] = {"<pad>", "<bos>", "<eos>", "我", "爱", "你"};
  return token < 0 ? "" : kWords[token];
}

float sum_in_order(std::span<const float> losses) {
  float sum = 0.0f;
  for (const float loss : losses) sum += loss;
  return sum;
}

Experiment run_experiment(const Settings& settings, const Run* previous) {
  const std::shared_ptr<const Models> models = models_of(settings.seed, settings.training_steps, previous);
  const Models& owned = *models;
  Experiment experiment{.run = {},
                        .sentence = sentence_of(settings.pads, settings.shifted),
                        .reading = {},
                        .shifted = &owned.shifted,
                        .copying = &owned.copying};
  const Sentence& sentence = experiment.sentence;
  Run& run = experiment.run;
  run.owner = models;
  run.source_words = {"I", "love", "you"};
  for (const int token : sentence.fed) run.target_words.emplace_back(word_of(token));
  for (int token = 0; token < kVocabulary; ++token) run.vocabulary_words.emplace_back(word_of(token));

  Tape& tape = run.board.emplace().tape;
  const Value asked = record_tokens(tape, sentence.asked, kAsked);
  const Value logits =
      record_logits(tape, owned.model, sentence.fed, settings.causal ? nn::Mask::causal() : nn::Mask::none());
  record_outcome(tape, logits, asked, one_pass, kOnePassSum);
  const Tensor rows = logits_word_by_word(owned.model, sentence.fed);
  record_outcome(tape, tape.leaf(rows.view(), stepwise(Site::logits)), asked, stepwise, kStepwiseSum);
  record_token_figures(tape, sentence);
  record_ulp_figures(tape);
  record_loss_figures(tape);
  record_training_figures(tape, owned);
  experiment.reading = read_padded(tape, owned.model, settings);
  experiment.asked_sum = sum_as_asked(owned.model);
  return experiment;
}

}  // namespace attn::lessons::teacher_forcing
