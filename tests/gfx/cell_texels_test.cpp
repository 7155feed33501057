#include "gfx/cell_texels.h"

#include <limits>

#include "support/catch.h"

using namespace attn::gfx;

namespace {

HeatmapCells square(const std::vector<float>& values, int side, float cell) {
  HeatmapCells heatmap;
  heatmap.cells = {values.data(), side, nullptr};
  heatmap.rows = heatmap.columns = side;
  heatmap.cell_width = heatmap.cell_height = cell;
  heatmap.shape = cell_shape(cell, cell);
  return heatmap;
}

float state(CellState value) { return static_cast<float>(value); }

}  // namespace

TEST_CASE("each cell becomes one texel with its ramp position, row by row") {
  const std::vector<float> values = {-1.0f, 0.0f, 1.0f, 0.5f};
  std::vector<CellTexel> texels;
  const CellGrid grid = append_texels(square(values, 2, 40.0f), 1.0f, texels);
  CHECK(grid.rows == 2);
  CHECK(grid.columns == 2);
  REQUIRE(texels.size() == 4);
  CHECK(texels[0].position == 0.0f);
  CHECK(texels[1].position == 0.5f);
  CHECK(texels[2].position == 1.0f);
  CHECK(texels[3].position == 0.75f);
}

TEST_CASE("a row stride leaves out what lies between the rows") {
  const std::vector<float> values = {1.0f, 7.0f, -1.0f, 7.0f};
  HeatmapCells heatmap = square(values, 2, 40.0f);
  heatmap.columns = 1;
  heatmap.cells.row_stride = 2;
  std::vector<CellTexel> texels;
  append_texels(heatmap, 1.0f, texels);
  REQUIRE(texels.size() == 2);
  CHECK(texels[0].position == 1.0f);
  CHECK(texels[1].position == 0.0f);
}

TEST_CASE("a NaN that would be shown becomes the NaN sign, a hidden one does not") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {nan, nan, nan, 0.0f};
  const std::vector<CellState> states = {CellState::value, CellState::masked, CellState::leak,
                                         CellState::value};
  HeatmapCells heatmap = square(values, 2, 40.0f);
  heatmap.cells.states = states.data();
  std::vector<CellTexel> texels;
  append_texels(heatmap, 1.0f, texels);
  CHECK(texels[0].state == state(CellState::nan));
  CHECK(texels[1].state == state(CellState::masked));
  CHECK(texels[2].state == state(CellState::nan));
  CHECK(texels[3].state == state(CellState::value));
}

TEST_CASE("cells below a device pixel are merged to the largest magnitude") {
  std::vector<float> values(16, 0.1f);
  values[0] = 0.2f;
  values[5] = -0.9f;  // row 1, column 1: in the first merged cell
  values[15] = std::numeric_limits<float>::quiet_NaN();
  std::vector<CellTexel> texels;
  const CellGrid grid = append_texels(square(values, 4, 0.5f), 1.0f, texels);
  REQUIRE(grid.rows == 2);
  REQUIRE(grid.columns == 2);
  CHECK(grid.cell_width == 1.0f);
  CHECK(texels[0].position == Approx(0.05f));
  CHECK(texels[1].position == Approx(0.55f));
  CHECK(texels[3].state == state(CellState::nan));
}

TEST_CASE("at a higher pixel ratio the same cells are not merged") {
  const std::vector<float> values(16, 0.1f);
  std::vector<CellTexel> texels;
  CHECK(append_texels(square(values, 4, 0.5f), 2.0f, texels).rows == 4);
}

TEST_CASE("cells below three device pixels have no gap and no corners") {
  const std::vector<float> values(4, 0.1f);
  HeatmapCells heatmap = square(values, 2, 2.5f);
  heatmap.shape = {1.0f, 1.0f};
  std::vector<CellTexel> texels;
  CHECK(append_texels(heatmap, 1.0f, texels).shape.gap == 0.0f);
  CHECK(append_texels(heatmap, 2.0f, texels).shape.gap == 1.0f);
}

TEST_CASE("without earlier cells a texel goes from itself to itself, with them from theirs") {
  const std::vector<float> before(4, -1.0f);
  const std::vector<float> now(4, 1.0f);
  HeatmapCells heatmap = square(now, 2, 40.0f);
  std::vector<CellTexel> texels;
  append_texels(heatmap, 1.0f, texels);
  CHECK(texels[0].position_before == 1.0f);
  heatmap.from = {before.data(), 2, nullptr};
  append_texels(heatmap, 1.0f, texels);
  CHECK(texels[4].position_before == 0.0f);
  CHECK(texels[4].position == 1.0f);
}

TEST_CASE("nothing to draw gives an empty grid and no texel") {
  std::vector<CellTexel> texels;
  CHECK(append_texels(HeatmapCells{}, 1.0f, texels).rows == 0);
  const std::vector<float> values(4, 0.1f);
  CHECK(append_texels(square(values, 2, 0.0f), 1.0f, texels).rows == 0);
  CHECK(append_texels(square(values, 2, 40.0f), 0.0f, texels).rows == 0);
  CHECK(texels.empty());
}

TEST_CASE("512 x 512 cells in 256 pixels become 256 x 256 texels") {
  const std::vector<float> values(512 * 512, 0.1f);
  std::vector<CellTexel> texels;
  const CellGrid grid = append_texels(square(values, 512, 0.5f), 1.0f, texels);
  CHECK(grid.rows == 256);
  CHECK(texels.size() == 256 * 256);
}

TEST_CASE("gaps and corners follow the design tokens") {
  CHECK(cell_shape(46.0f, 46.0f).gap == 2.0f);
  CHECK(cell_shape(46.0f, 46.0f).corner_radius == 4.0f);
  CHECK(cell_shape(24.0f, 24.0f).gap == 1.0f);
  CHECK(cell_shape(24.0f, 24.0f).corner_radius == 3.0f);
  CHECK(cell_shape(14.0f, 14.0f).corner_radius == 1.5f);
  CHECK(cell_shape(11.0f, 11.0f).gap == 0.0f);
  CHECK(cell_shape(11.0f, 11.0f).corner_radius == 0.0f);
}
