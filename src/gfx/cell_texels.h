// From matrices to the texels of the heat-map shader. No GL in here, so tests read what will be drawn.
#pragma once

#include <vector>

#include "gfx/heatmap.h"

namespace attn::gfx {

/// One cell as the shader reads it: positions on the ramp in [0, 1] and states, now and before.
struct CellTexel {
  float position = 0.0f;
  float state = 0.0f;
  float position_before = 0.0f;
  float state_before = 0.0f;
};

/// What a draw call needs besides the texels. Sizes in UI pixels.
struct CellGrid {
  int rows = 0;
  int columns = 0;
  float cell_width = 0.0f;
  float cell_height = 0.0f;
  CellShape shape;
};

/// Appends the texels of `heatmap`, row-major, and returns the grid they form. Cells that share a device
/// pixel are merged (`merge_of`) and take the look of `shown_cell`. Below 3 device pixels cells have neither
/// gap nor corners.
CellGrid append_texels(const HeatmapCells& heatmap, float pixel_ratio, std::vector<CellTexel>& texels);

}  // namespace attn::gfx
