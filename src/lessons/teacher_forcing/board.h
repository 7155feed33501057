// The sheets of `teacher-forcing`.
#pragma once

#include "lessons/teacher_forcing/experiment.h"

namespace attn::lessons::teacher_forcing {

/// Gives the run its sheets, in the order of SheetIndex.
void arrange(Experiment& experiment);

/// How many rows of the one pass have the bits of the pass word by word.
int equal_rows(const Run& run);

/// "我 爱 你 <eos>"
std::string sentence_text(std::span<const int> tokens);

}  // namespace attn::lessons::teacher_forcing
