// Heat maps: one draw call a matrix, crisp at every pixel ratio, from 1x1 to 512x512 cells.
//
// A frame goes like this (gfx knows no ImGui; the lines marked * are the UI's):
//
//     renderer.begin_frame(target);                             // app/main.cpp, before the UI draws
//   * const int map = renderer.add(cells);                      // copies the values: nothing has to outlive
//   the call
//   * const HeatmapCall call{&renderer, map};
//   * list->AddCallback(draw_heatmap, &call, sizeof call);      // ImGui copies `call`
//   * list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
//
//   * void draw_heatmap(const ImDrawList*, const ImDrawCmd* command) {
//   *   const auto* call = static_cast<const HeatmapCall*>(command->UserCallbackData);
//   *   call->renderer->draw(call->map, {command->ClipRect.x, command->ClipRect.y,
//   *                                    command->ClipRect.z, command->ClipRect.w});
//   * }
//
// Positions are in UI pixels (CSS pixels on the web), y downwards, the same numbers ImDrawList takes.
#pragma once

#include <cstdint>
#include <memory>

#include "core/check.h"
#include "core/result.h"
#include "gfx/colour_map.h"

namespace attn::gfx {

enum class CellState : std::uint8_t {
  value,    // the heat colour of its value
  masked,   // hatched: this query may not see this key
  not_yet,  // dashed outline, no fill: the token isn't generated yet
  nan,   // no fill, 1 px outline in `ne`; a slash in cells too small for a sign. Set by itself where a value
         // is NaN
  leak,  // heat colour with a 1.5 px inner outline in `ne`: masked, and weighted all the same
  none,  // nothing at all
};

/// Gap and corner radius for a cell side, as in the design tokens: 4 / 3 / 1.5 / 0 px corners and 2 / 1 / 0
/// px gaps.
struct CellShape {
  float gap = 0.0f;
  float corner_radius = 0.0f;
};
CellShape cell_shape(float width, float height);

/// The cells of a matrix at one moment.
struct CellValues {
  const float* values = nullptr;  // (rows, columns), `row_stride` floats between rows
  int row_stride = 0;
  const CellState* states = nullptr;  // (rows, columns) contiguous, or null: every cell is a value
};

/// A matrix to draw. `cell_width` and `cell_height` are the pitch (the "side" of the tokens): a cell's fill
/// is (cell_width - gap) wide, and cell (i, j) begins at (x + j * cell_width, y + i * cell_height).
struct HeatmapCells {
  CellValues cells;
  int rows = 0;
  int columns = 0;
  float x = 0.0f;
  float y = 0.0f;
  float cell_width = 0.0f;
  float cell_height = 0.0f;
  CellShape shape;
  float range = 1.0f;
  Ramp ramp = Ramp::signed_values;
  Theme theme = Theme::light;
  float opacity = 1.0f;  // in [0, 1]
  /// For a change of value (160 ms, fill only): colours go linearly from `from` (same rows and columns) at
  /// blend 0 to `cells` at blend 1. Without `from.values` the cells are drawn as they are.
  CellValues from;
  float blend = 1.0f;
};

/// How many cells are drawn as one: a cell narrower or lower than a device pixel is merged with its
/// neighbours until a merged cell covers at least one.
struct Merge {
  int rows = 1;
  int columns = 1;
  bool any() const { return rows > 1 || columns > 1; }
  bool operator==(const Merge&) const = default;
};
Merge merge_of(float cell_width, float cell_height, float pixel_ratio);

/// Of the cells merged with (row, column), the one that is drawn: the value of largest magnitude; any NaN
/// wins over a leak, a leak over a value, a value over masked, masked over not yet, not yet over none.
struct CellPlace {
  int row = 0;
  int column = 0;
  bool operator==(const CellPlace&) const = default;
};
CellPlace shown_cell(const HeatmapCells& heatmap, const Merge& merge, int row, int column);

/// Where a frame is drawn: the UI's size in UI pixels and device pixels per UI pixel.
struct FrameTarget {
  float width = 0.0f;
  float height = 0.0f;
  float pixel_ratio = 1.0f;
};

/// Clip rectangle in UI pixels.
struct ClipRect {
  float left = 0.0f, top = 0.0f, right = 0.0f, bottom = 0.0f;
};

/// Owns the GL objects; needs a current GL context (OpenGL 3.3 core, ES 3.0 or WebGL 2) for its whole life.
/// After a lost context, drop it and create another: it holds nothing that a frame doesn't bring along.
class Renderer {
 public:
  /// Fails with the driver's message when a shader does not compile or link.
  static core::Result<std::unique_ptr<Renderer>> create();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Forgets the maps of the last frame.
  void begin_frame(const FrameTarget& target);

  /// Device pixels a UI pixel in this frame.
  float pixel_ratio() const;

  /// Takes a copy of the cells and returns the number of the map in this frame. Cells that share a device
  /// pixel are merged.
  int add(const HeatmapCells& heatmap);

  /// Draws a map of this frame. Leaves program, vertex array, texture and scissor changed: reset the render
  /// state afterwards.
  void draw(int map, const ClipRect& clip);

 private:
  struct Implementation;
  explicit Renderer(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// What a draw callback needs to find its map.
struct HeatmapCall {
  Renderer* renderer = nullptr;
  int map = 0;
};

}  // namespace attn::gfx
