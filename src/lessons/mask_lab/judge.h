// What the tables of `mask-lab` do with the mask, read off the tape.
#pragma once

#include "lessons/mask_lab/experiment.h"

namespace attn::lessons::mask_lab {

Facts judge(const tape::Tape& tape, const Settings& settings);

/// Under a table: where it goes wrong, or how many ULP lie between it and the reference.
Verdict verdict_of(const Facts& facts, int table);

/// "23" of 0.23, one decimal where it is small; "0" of 0.
std::string percent(float share);

/// The smallest row sum, "0.37"; four decimals where it is nearly 1.
std::string sum_text(const Judgement& found);

/// How far left padding moves the words' weights, "0.10".
std::string shift_text(const Facts& facts);

}  // namespace attn::lessons::mask_lab
