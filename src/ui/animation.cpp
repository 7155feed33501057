#include "ui/animation.h"

#include <algorithm>

namespace attn::ui {

float progress(double start_s, double now_s, double duration_s, Curve curve) {
  if (start_s < 0.0 || duration_s <= 0.0) return 1.0f;
  const auto t = static_cast<float>(std::clamp((now_s - start_s) / duration_s, 0.0, 1.0));
  const float rest = 1.0f - t;
  switch (curve) {
    case Curve::linear:
      return t;
    case Curve::out:
      return 1.0f - rest * rest * rest;
    case Curve::in_out:
      return t < 0.5f ? 4.0f * t * t * t : 1.0f - 4.0f * rest * rest * rest;
  }
  return 1.0f;
}

bool Motion::moving(double now_s) const {
  const auto runs = [&](double start, double duration) { return start >= 0.0 && now_s < start + duration; };
  return runs(values_s, kValueChange) || runs(step_s, kStepForward) || runs(select_s, kSelect) ||
         runs(mask_s, kMaskSwitch + kLayerDelay * (layers + 1));
}

void Motion::stop() {
  values_s = step_s = mask_s = select_s = -1.0;
  row_grown = -1;
}

}  // namespace attn::ui
