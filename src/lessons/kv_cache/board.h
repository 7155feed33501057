// The sheets of `kv-cache`: what is drawn of a run.
#pragma once

#include "lessons/kv_cache/experiment.h"
#include "lessons/kv_cache/timing.h"

namespace attn::lessons::kv_cache {

/// In the order of Board::sheets.
enum class Picture : std::uint8_t { keys, weights, steps, growth, timed, masks, corner };

/// The run of `experiment` has its tape and no sheets yet.
std::vector<Sheet> make_sheets(const Experiment& experiment, const Settings& settings,
                               const std::optional<Times>& times);

}  // namespace attn::lessons::kv_cache
