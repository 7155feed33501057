#include "training/schedule.h"

#include <algorithm>
#include <cmath>

namespace attn::training {

core::Status validate(const Schedule& schedule) {
  if (!(schedule.peak > 0.0 && schedule.peak <= 1.0))
    return core::error_at("peak is %g; it must lie in (0, 1]", schedule.peak);
  if (schedule.warm_up < 0 || schedule.warm_up > 1'000'000)
    return core::error_at("warm_up is %d; it must lie in [0, 1000000]", schedule.warm_up);
  return core::ok_status();
}

double learning_rate(const Schedule& schedule, int t, int steps) {
  if (t < schedule.warm_up) return schedule.peak * t / schedule.warm_up;
  switch (schedule.decay) {
    case Decay::constant:
      break;
    case Decay::inverse_square_root:
      return schedule.peak * std::sqrt(std::max(1.0, static_cast<double>(schedule.warm_up)) / t);
    case Decay::linear:
      return schedule.peak * std::max(0, steps + 1 - t) /
             std::max(1.0, steps + 1.0 - std::max(1, schedule.warm_up));
  }
  return schedule.peak;
}

}  // namespace attn::training
