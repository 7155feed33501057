// The learning rate of each step: it rises in a straight line over the warm-up, then falls or stays.
#pragma once

#include <cstdint>

#include "core/result.h"

namespace attn::training {

enum class Decay : std::uint8_t {
  constant,             // stays
  inverse_square_root,  // peak · √(warm_up / t): with peak = 1/√(d_model · warm_up) Vaswani et al. 2017, eq.
                        // 3
  linear,  // straight down, to 0 in the step after the last
};

struct Schedule {
  double peak = 1e-3;  // in (0, 1], reached in step `warm_up`
  int warm_up = 0;     // steps; 0: none
  Decay decay = Decay::constant;
};

/// Names the first field that is out of range, and the range.
core::Status validate(const Schedule& schedule);

/// The learning rate of step t = 1, 2, …, `steps`. Sums, products and one square root in double: the same
/// bits on every platform.
double learning_rate(const Schedule& schedule, int t, int steps);

}  // namespace attn::training
