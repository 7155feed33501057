// The computation of the lesson `translate`: an English sentence through the translator that ships with the
// project, as it writes Chinese, one character a step.
#pragma once

#include <span>

#include "lessons/lesson.h"
#include "training/translator.h"

namespace attn::lessons::translate {

struct Settings {
  int layer = 0;             // of the decoder, whose cross-attention is shown
  bool mean = true;          // over its heads; else one head at a time
  float temperature = 0.0f;  // 0: greedy
  int top_k = 0;             // of the candidates that are drawn from; 0: all. Nothing to greedy choice
  int seed = 0;              // of the draws
};

inline constexpr int kLayers = 2;           // of the decoder, at least
inline constexpr int kMostCharacters = 24;  // it is stopped there

inline constexpr const char* kSentence[] = {"Machine", "learning", "is", "fun"};

/// English as one writes it: punctuation goes, "don't" becomes do not, capitals are put where they belong.
core::Result<std::vector<std::string>> read_words(const SentenceRule& rule, std::string_view text);

inline constexpr SentenceRule kSentenceRule{
    .own = kSentence,
    .fewest = 1,
    .most = 10,
    .longest_word = 16,
    .hint = {"$0–$1 个英文词，要在词表里。清空则恢复原句。",
             "$0–$1 English words of the vocabulary. Empty the field for the lesson’s own."},
    .read = read_words};

enum SheetIndex : int { kInput, kEncoder, kWrite, kLoop, kVocabulary };

inline constexpr tape::Label kEmbedding{.stack = tape::Stack::encoder, .site = tape::Site::embedding};
inline constexpr tape::Label kPosition{.stack = tape::Stack::encoder, .site = tape::Site::position};
inline constexpr tape::Label kSourceTokens{.stack = tape::Stack::encoder, .site = tape::Site::tokens};
inline constexpr tape::Label kMemory{.stack = tape::Stack::encoder, .site = tape::Site::memory};
inline constexpr tape::Label kFed{.stack = tape::Stack::decoder, .site = tape::Site::tokens};
inline constexpr tape::Label kLogits{.stack = tape::Stack::decoder, .site = tape::Site::logits};

/// (T): what was written at each position, <eos> last if it came. The reader may change it: what comes after
/// is written anew.
inline constexpr tape::Label kWritten{.stack = tape::Stack::decoder, .layer = 0, .site = tape::Site::tokens};
/// (T, V): what the token at each position was drawn from: softmax of the logits over the temperature, of the
/// top k alone; of all logits where the choice is greedy.
inline constexpr tape::Label kProbabilities{.stack = tape::Stack::decoder, .site = tape::Site::probabilities};
/// (1, T, S): the mean of the heads of the layer that is shown.
inline constexpr tape::Label kMeanWeights{
    .stack = tape::Stack::decoder, .block = tape::Block::cross_attention, .site = tape::Site::weights};

/// "decoder.<layer>.cross_attention.weights", or the mean of its heads.
tape::Label attention_of(const Settings& settings);

/// One way through the decoder, step by step with a key-value cache and no tape.
struct Translation {
  std::vector<int> tokens;    // written; <eos> is the last one if it came
  std::vector<float> logits;  // (tokens, vocabulary): what each was chosen by

  bool ended() const { return !tokens.empty() && tokens.back() == io::Vocabulary::kEos; }
};

/// A token that the reader put in the place of the decoder's choice.
struct Taken {
  int position = 0;
  int token = 0;
};

struct Experiment {
  Run run;  // without sheets and steps; it owns the translator
  const training::Translator* translator = nullptr;
  std::vector<int> source;
  Translation shown;
  Translation own;           // without the reader's choices
  std::vector<Taken> taken;  // those that count, by position
};

/// Errors, for the reader: a word that the vocabulary doesn't have, with sentences of known ones to write
/// instead; a token to be taken that is none.
core::Result<Experiment> run_experiment(const Settings& settings, std::span<const std::string> words,
                                        std::span<const CellEdit> edits,
                                        std::shared_ptr<const training::Translator> translator);

/// The largest distance, in ULP, between the logits of the steps and those of one masked pass over all.
std::uint32_t distance_of_passes(const Experiment& experiment);

/// The same between the logits of what is shown and of what it writes by itself, in the first `rows` rows.
std::uint32_t distance_from_own(const Experiment& experiment, int rows);

/// The most probable tokens of a row of kProbabilities, the first of equals first.
struct Candidate {
  int token = 0;
  float probability = 0.0f;
};
std::vector<Candidate> candidates_of(const Experiment& experiment, int row, std::size_t count);

/// The characters without <eos>.
std::string text_of(const Experiment& experiment, const Translation& translation);
const std::string& symbol_of(const Experiment& experiment, int token);

}  // namespace attn::lessons::translate
