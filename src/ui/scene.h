// What one frame shows, as data: a plain list of things to draw and of places that react. Views fill it,
// ui/interaction reads its regions, ui/paint turns it into ImGui draw calls, and tests assert on it: every
// painted number and every highlighted cell is an item here.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gfx/heatmap.h"
#include "tape/label.h"
#include "ui/geometry.h"
#include "ui/intent.h"
#include "ui/text_measure.h"
#include "ui/theme.h"

namespace attn::ui {

enum class Pane : std::uint8_t { none, training, inference };

/// What an item means, for tests and for nobody else's guessing.
enum class Mark : std::uint8_t {
  none,
  cell_number,      // text in a cell
  selected_cell,    // outline of the cell that is selected
  hovered_cell,     // outline of the cell under the pointer
  changed_cell,     // corner of a cell that a poke changed
  focus_ring,       // keyboard focus
  map_tile,         // a tensor of the map; row is its index in Run::differences
  map_ring,         // ring around the tensor the stage shows
  map_row_name,     // of the tensors in a row of the map
  first_different,  // the first tensor that differs
  row_verdict,      // pill, tile or mark of a row
  big_verdict,
  equal_count,  // "150 / 150 equal"
  lens_number,  // text in a cell of the row lens
  token_chip,
  axis_label,
  block_title,
  lit_block,      // outline of a block a word under the pointer speaks of; row is its index (of a board's
                  // block, of a map's first tile in Run::differences), or none of a pane
  lit_word,       // line under a word that speaks of what is lit
  lit_cells,      // outline of what the chosen cell is made of
  link,           // a curve between blocks; row and column are their places on the sheet
  arc,            // a weight; row is the query, column the key
  falling_arc,    // likewise, from a word above to a character below
  candidate,      // a bar; row is its rank, column the token
  plot_point,     // a bar; row is the series, column the point
  table_cell,     // a number of a table block
  row_figure,     // number beside a row
  merge_note,     // what the pixels of a heat map show that have several cells
  block_verdict,  // what a block comes to
  sentence,       // the text in the field for the reader's own
  answer,         // how far the step's question is answered
  unused_row,     // a veil over a row that nothing uses
};

struct Tag {
  Mark mark = Mark::none;
  Pane pane = Pane::none;
  int row = -1;
  int column = -1;
};

struct BoxItem {
  Rect rect = {};
  float radius = 0.0f;
  Colour fill = Colour::none;
  Colour stroke = Colour::none;  // drawn inside the rectangle
  float stroke_width = 1.0f;
  float dash = 0.0f;  // 0: solid
  float dash_gap = 0.0f;
  float opacity = 1.0f;
  Tag tag = {};
};

struct LineItem {
  Point a = {};
  Point b = {};
  Colour colour = Colour::line;
  float width = 1.0f;
  float dash = 0.0f;
  float dash_gap = 0.0f;
  bool round = false;
  float opacity = 1.0f;
};

struct BezierItem {
  Point a = {}, b = {}, c = {}, d = {};
  Colour colour = Colour::ink;
  float width = 1.0f;
  Tag tag = {};
  Colour end = Colour::none;  // what `colour` turns into on the way from a to d
};

struct TriangleItem {
  Point a = {}, b = {}, c = {};
  Colour fill = Colour::ink;
  Tag tag = {};
};

struct CircleItem {
  Point centre = {};
  float radius = 0.0f;
  Colour fill = Colour::none;
  Colour stroke = Colour::none;
  float stroke_width = 1.0f;
  bool right_half = false;  // fill only the right half
};

struct HatchItem {
  Rect rect = {};
  float pitch = 6.0f;
};

struct TextItem {
  Point origin = {};  // left end of the baseline
  std::string text = {};
  Font font = Font::ui400;
  float size = 13.0f;
  Colour colour = Colour::ink;
  float width = 0.0f;
  float opacity = 1.0f;
  Tag tag = {};

  /// The box its glyphs stay in.
  Rect box() const { return {origin.x, origin.y - 0.86f * size, width, 1.12f * size}; }
};

/// A matrix; `cells.cells` points nowhere until it is painted: values and states are owned here.
struct HeatmapItem {
  gfx::HeatmapCells cells;
  std::vector<float> values;           // (rows, columns)
  std::vector<gfx::CellState> states;  // (rows, columns)
  std::vector<float> from_values;      // empty, or (rows, columns): colours come from here
  std::vector<gfx::CellState> from_states;
  tape::Label label;
  int head = 0;
  Pane pane = Pane::none;

  /// What is painted, while this item lives.
  gfx::HeatmapCells drawn() const;
};

using Shape =
    std::variant<BoxItem, LineItem, BezierItem, TriangleItem, CircleItem, HatchItem, TextItem, HeatmapItem>;

struct Item {
  int layer = 0;  // 0: stage, 1: a card over it
  Shape shape;
};

/// What a region is, for reading aloud and for the keyboard.
enum class RegionRole : std::uint8_t { button, toggle, option, grid, number, text, link, backdrop };

/// Cells inside a region: the pointer picks one, arrows move among them.
struct Grid {
  int rows = 0;
  int columns = 0;
  Point origin = {};
  float cell_width = 0.0f;
  float cell_height = 0.0f;
  int selected_row = -1;
  int selected_column = -1;
  gfx::Merge merge = {};  // cells drawn as one: the pointer picks the one that shows …
  int heatmap = -1;       // … of this item of the scene
};

/// A group is one stop of the Tab key; its regions are reached by arrows.
using GroupId = std::uint16_t;
using RegionId = std::uint32_t;

struct Region {
  RegionId id = 0;
  GroupId group = 0;
  RegionRole role = RegionRole::button;
  Rect rect = {};    // where it reacts
  Rect visual = {};  // what the focus ring surrounds
  float radius = 4.0f;
  std::string label = {};
  Intent intent = {};
  bool enabled = true;
  bool selected = false;      // option chosen, toggle on
  bool rows_only = false;     // a touch picks the row, not the cell
  bool drag = false;          // follows the pointer while it is held
  bool typing = false;        // digits typed here change the chosen cell
  bool pointer_only = false;  // a part of another control that the keyboard reaches
  bool hint = false;          // a picture without words: they come up under the mouse
  Grid grid = {};
  int layer = 0;
};

struct Scene {
  std::vector<Item> items;
  std::vector<Region> regions;  // in keyboard order; the last one that contains a point wins
  int layer = 0;                // what is added now belongs to this layer

  int top_layer() const;
  const Region* find(RegionId id) const;
};

}  // namespace attn::ui
