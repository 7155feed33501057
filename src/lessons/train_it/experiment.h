// The experiment of `train-it`: an encoder-decoder learns to copy, to reverse, to sort or to translate, and a
// held-out example shows what it has learned.
//
// On the tape: the honest model on one held-out source, fed what it says itself from <bos> on, under its own
// labels; the figures below are leaves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/train_it/lab.h"

namespace attn::lessons::train_it {

struct Settings {
  Recipe recipe;
  int probe = 0;  // which held-out example is looked at
};

/// How often the samples of one model came out right.
struct Sample {
  std::vector<int> source;
  std::vector<int> target;
  std::vector<int> said;         // greedily, without <eos>
  std::vector<int> said_beside;  // by the other model
};
inline constexpr int kSamples = 5;
inline constexpr int kProbes = 10;

struct Experiment {
  Run run;
  std::shared_ptr<const Shown> shown;
  std::vector<Sample> samples;  // held-out examples, the probe first
  int layer = 0;                // of the decoder, the last
  int best_head = 0;            // of its cross-attention: the one that looks where the rule says most
  float on_rule = -1.0f;        // share of that head's weight there, mean over the target; -1: no such rule
};

/// (steps, 3): loss, gradient norm, learning rate of each step of the honest model, and of the other.
inline constexpr tape::Label kHistory{.layer = 0, .site = tape::Site::figures};
inline constexpr tape::Label kHistoryBeside{.layer = 1, .site = tape::Site::figures};
/// (evaluations, 2): step, percent of held-out examples exact.
inline constexpr tape::Label kEvaluations{.layer = 2, .site = tape::Site::figures};
inline constexpr tape::Label kEvaluationsBeside{.layer = 3, .site = tape::Site::figures};
/// (kGroups, 1): root mean square of the newest gradient in each part of the model.
inline constexpr tape::Label kGradients{.layer = 4, .site = tape::Site::figures};
/// (d_model, d_model): dL/dW_q of the last cross-attention.
inline constexpr tape::Label kQueryGradient{.layer = 5, .site = tape::Site::figures};
/// (kSamples, longest): ids that the honest model said, -1 after the end.
inline constexpr tape::Label kSaid{.layer = 6, .site = tape::Site::figures};

/// The weights whose gradients are shown together.
inline constexpr Text kGroups[] = {{"自注意力", "self-attention"},
                                   {"交叉注意力", "cross-attention"},
                                   {"前馈层", "feed-forward"},
                                   {"词向量", "embeddings"},
                                   {"输出层", "output projection"}};

/// "c a b", or Chinese without spaces; a special symbol as "·".
std::string text_of(const training::Task& task, const std::vector<int>& tokens, bool source);

core::Result<Experiment> run_experiment(const Settings& settings, const Run* previous);

}  // namespace attn::lessons::train_it
