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
         runs(sheet_s, kSheetChange) || runs(open_s, kSheetChange) ||
         runs(mask_s, kMaskSwitch + kLayerDelay * (layers + 1));
}

void Motion::stop() {
  values_s = step_s = mask_s = select_s = sheet_s = open_s = -1.0;
  row_grown = -1;
}

void Motion::follow(Shown now, double now_s, bool reduced) {
  const bool first = shown.revision == 0;
  const bool same_tensor = now.focus.tensor == shown.focus.tensor && now.focus.head == shown.focus.head;
  if (reduced || first) {
    stop();
  } else {
    if (same_tensor && now.training.values.size() == shown.training.values.size() &&
        (now.training.values != shown.training.values || now.training.states != shown.training.states ||
         now.inference.values != shown.inference.values || now.inference.states != shown.inference.states)) {
      values_s = now_s;
      training = shown.training;
      inference = shown.inference;
    }
    if (now.prefix == shown.prefix + 1) {
      step_s = now_s;
      row_grown = now.prefix - 1;
    }
    if (now.training_mask != shown.training_mask || now.inference_mask != shown.inference_mask) {
      mask_s = now_s;
      equal_before = shown.equal;
    }
    const bool same_sheet = now.lesson == shown.lesson && now.sheet == shown.sheet;
    if (!same_sheet) sheet_s = now_s;
    if (!same_sheet) blocks = nullptr;
    if (same_sheet && now.focus.open != shown.focus.open) open_s = now_s;
    if (same_sheet && now.blocks != shown.blocks) {
      values_s = now_s;
      blocks = shown.blocks;
    }
    if (!(now.focus == shown.focus)) {
      select_s = now_s;
      select_from = shown.focus;
    }
  }
  shown = std::move(now);
}

}  // namespace attn::ui
