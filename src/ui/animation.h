// What moves, for how long and on which curve (design tokens, "Motion"). Nothing blinks and nothing loops;
// with reduced motion everything arrives at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gfx/heatmap.h"
#include "lessons/lesson.h"

namespace attn::ui {

inline constexpr double kValueChange = 0.160;  // linear in colour; digits swap at once
inline constexpr double kStepForward = 0.420;  // cubic in-out
inline constexpr double kMaskSwitch = 0.240;   // cubic out; then verdicts, kLayerDelay a layer
inline constexpr double kLayerDelay = 0.030;
inline constexpr double kSelect = 0.120;       // out
inline constexpr double kSheetChange = 0.180;  // out; the new blocks appear

enum class Curve : std::uint8_t { linear, out, in_out };

/// Progress in [0, 1] of something that began at `start_s`; 1 when it never began.
float progress(double start_s, double now_s, double duration_s, Curve curve);

/// The matrix a pane or a block showed before, to blend its colours from.
struct PaneBefore {
  int rows = 0;
  int columns = 0;
  std::vector<float> values;
  std::vector<gfx::CellState> states;
  gfx::Ramp ramp = gfx::Ramp::signed_values;
  float range = 1.0f;
  bool operator==(const PaneBefore&) const = default;
};

/// What the blocks of a board show; the same pointer while they show the same.
using BlocksShown = std::shared_ptr<const std::vector<PaneBefore>>;

/// What the last frame showed, to find out what has changed since.
struct Shown {
  std::uint32_t revision = 0;
  lessons::Focus focus = {};
  PaneBefore training = {};
  PaneBefore inference = {};
  std::vector<bool> equal = {};  // of Run::differences
  int prefix = 0;
  bool training_mask = true;
  bool inference_mask = true;
  const lessons::Lesson* lesson = nullptr;
  int sheet = 0;  // of a board
  BlocksShown blocks = {};
};

/// When the last change of each kind began (negative: never), and what was there before.
struct Motion {
  double values_s = -1.0;
  double step_s = -1.0;
  double mask_s = -1.0;
  double select_s = -1.0;
  double sheet_s = -1.0;
  double open_s = -1.0;  // a block of the board opens or goes back
  int row_grown = -1;    // the newest row, while it appears
  lessons::Focus select_from;
  PaneBefore training;
  PaneBefore inference;
  BlocksShown blocks;
  std::vector<bool> equal_before;  // of Run::differences
  int layers = 0;                  // how many take their turn after a mask switch
  Shown shown;

  /// Whether anything still moves.
  bool moving(double now_s) const;
  void stop();

  /// Compares with what was shown and starts what has to move; with reduced motion nothing does.
  void follow(Shown now, double now_s, bool reduced);
};

}  // namespace attn::ui
