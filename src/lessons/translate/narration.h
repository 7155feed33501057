// What the steps of `translate` say; every number in them is read off the run.
#pragma once

#include "lessons/translate/experiment.h"

namespace attn::lessons::translate {

inline constexpr int kSteps = 10;

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings);

// ---- The parts of it: what goes in and how one character comes out; how a sentence is written.

Step input_step(const Experiment& experiment);
Step memory_step(const Experiment& experiment);
Step first_step(const Experiment& experiment, const Settings& settings);
Step candidates_step(const Experiment& experiment);
Step attention_step(const Experiment& experiment, const Settings& settings);

Step loop_step(const Experiment& experiment, const Settings& settings);
Step choice_step(const Experiment& experiment);
Step sampling_step(const Experiment& experiment, const Settings& settings);
Step own_sentence_step(const Experiment& experiment);
Step question_step(const Experiment& experiment);

/// The position where the decoder was least sure of what it wrote.
int least_sure(const Experiment& experiment);

/// "机器学习…": at most twelve characters of it.
std::string shortened(const std::string& text);

/// The probability of what is written at a position.
float probability_of(const Experiment& experiment, int position, int token);

/// How many characters the decoder writes by itself, and how many of them the question wants kept.
int own_length(const Experiment& experiment);
int kept_length(const Experiment& experiment);

}  // namespace attn::lessons::translate
