// The sheets of `loops-to-matrices`: what is drawn of a run.
#pragma once

#include "lessons/loops_to_matrices/experiment.h"
#include "lessons/loops_to_matrices/timing.h"

namespace attn::lessons::loops_to_matrices {

/// In the order of Board::sheets.
enum class Picture : std::uint8_t { loops, outputs, steps, growth, waiting, timed };

/// `run` has its tape and no sheets yet.
std::vector<Sheet> make_sheets(const Run& run, const Settings& settings, const Times& times);

}  // namespace attn::lessons::loops_to_matrices
