// The computation of the lesson `teacher-forcing`: "I love you" → 我 爱 你, as a training step computes it,
// beside the same model run word by word.
#pragma once

#include <span>

#include "lessons/lesson.h"

namespace attn::lessons::teacher_forcing {

struct Settings {
  int seed = 0;
  int pads = 2;  // <pad>s after <eos>
  bool shifted =
      true;            // what the decoder shall say is the target without its first token; else its own input
  bool causal = true;  // mask of the one pass
  bool pads_left = false;  // of the prompt whose next token is read
  int training_steps = 0;  // of Adam, for either kind of target
};

enum Token : int { kPad, kBos, kEos, kWo, kAi, kNi, kVocabulary };

inline constexpr int kMostTrainingSteps = 40;
inline constexpr int kQuestionPads = 2;  // what the question begins with

/// How the two ways of training went; both saw the one sentence only, without padding.
struct Training {
  std::vector<float> losses;  // mean loss before each step, and after the last
  std::vector<int> said;      // greedy from <bos>, at most kMostSaid tokens, to <eos>
};
inline constexpr std::size_t kMostSaid = 4;

/// What is fed and what is asked, of one length.
struct Sentence {
  std::vector<int> target;  // <bos> 我 爱 你 <eos> and the padding
  std::vector<int> fed;     // tgt: the target without its last token
  std::vector<int> asked;   // tgt_y: the target without its first token, or `fed` again
};

/// <bos> 我 爱 你 and padding on either side: where its next token is read.
struct Reading {
  std::vector<int> fed;
  int row = 0;                   // of the last real token
  std::uint32_t ulp = 0;         // its logits, against the prompt alone
  float last_difference = 0.0f;  // the largest of the last row's
};

struct Experiment {
  Run run;  // without sheets and steps
  Sentence sentence;
  Reading reading;
  float asked_sum = 0.0f;   // of the losses, with what the question begins with
  const Training* shifted;  // the run owns them
  const Training* copying;
};

enum SheetIndex : int { kTokens, kOnePass, kStepwise, kLosses, kRead, kSums, kUnshifted };

/// "decoder.<site>" of the one pass; of the passes word by word "decoder.0.<site>".
tape::Label one_pass(tape::Site site);
tape::Label stepwise(tape::Site site);

inline constexpr tape::Label kAsked{tape::Stack::decoder, 1, tape::Block::none, tape::Site::tokens};

/// The sum of all losses, as one number: of the one pass, and of the passes word by word.
inline constexpr tape::Label kOnePassSum{.site = tape::Site::losses};
inline constexpr tape::Label kStepwiseSum{.layer = 0, .site = tape::Site::losses};

/// (3, T + 1): ids of target, tgt and tgt_y, −1 where there is none.
inline constexpr tape::Label kTokenFigures{.layer = 0, .site = tape::Site::figures};
/// (T, 1): the largest distance of a row's probabilities from those word by word, in ULP.
inline constexpr tape::Label kUlpFigures{.layer = 1, .site = tape::Site::figures};
/// (T + 1, 3): loss in one pass, word by word, their distance in ULP; last row: the sums.
inline constexpr tape::Label kLossFigures{.layer = 2, .site = tape::Site::figures};
/// (training steps + 1, 2): the mean losses, shifted and not.
inline constexpr tape::Label kTrainingFigures{.layer = 3, .site = tape::Site::figures};
/// (2, kMostSaid): the ids that were said, −1 after the end.
inline constexpr tape::Label kSaidFigures{.layer = 4, .site = tape::Site::figures};

/// (kVocabulary, 3): logits of the prompt's last real token alone, padded, and of the padded prompt's last
/// row.
inline constexpr tape::Label kReadFigures{.layer = 5, .site = tape::Site::figures};

/// "<bos>", "我"
const char* word_of(int token);

/// Losses added from the first to the last, in the order of the positions.
float sum_in_order(std::span<const float> losses);

/// The model is nn.Embedding(6, 8), nn.Embedding(3, 8) for the source, nn.Transformer(8, 2, 1, 1, 16) and
/// nn.Linear(8, 6) as PyTorch draws them after torch.manual_seed(seed), without positions. A model of
/// the same seed that `previous` owns is used again.
Experiment run_experiment(const Settings& settings, const Run* previous);

}  // namespace attn::lessons::teacher_forcing
