// Blocks that are no plain matrix: what they paint and how they react, on the sample board.
#include <algorithm>
#include <cmath>
#include <set>

#include "lessons/numbers.h"
#include "support/catch.h"
#include "support/sample_board.h"
#include "ui/board_places.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::IntentKind;
using ui::Mark;

namespace {

Screen sample_screen(int step, float width = 1280.0f, float height = 800.0f) {
  Screen screen = test::screen({}, 0, width, height);
  screen.session = std::move(lessons::Session::open(test::sample_board())).value();
  REQUIRE(screen.session.go_to_step(step).ok());
  screen.build();
  return screen;
}

core::TensorView tensor(const Screen& screen, const tape::Label& label) {
  const tape::Tape& tape = screen.session.run().tape();
  return tape.tensor(label);
}

const ui::Region* tip(const Screen& screen, int row) {
  for (const ui::Region& region : screen.scene.regions)
    if (region.intent.kind == IntentKind::move_vector && region.intent.index == row) return &region;
  return nullptr;
}

const ui::HeatmapItem& map_of(const Screen& screen, const tape::Label& label) {
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(screen.scene))
    if (map->label == label) return *map;
  FAIL("not shown: " << tape::to_string(label));
  return *test::items_of<ui::HeatmapItem>(screen.scene).front();
}

}  // namespace

TEST_CASE("a dragged vector follows the pointer by tenths, and one undo takes the whole drag back") {
  Screen screen = sample_screen(0);
  REQUIRE(tip(screen, 0) != nullptr);
  const ui::Point start = tip(screen, 0)->visual.centre();
  const float unit = tip(screen, 0)->grid.cell_width * 10.0f;
  screen.send({.pointer = start, .pressed = true, .held = true});
  for (const float part : {0.25f, 0.5f, 1.0f})
    screen.send({.pointer = {start.x - part * unit, start.y - part * unit}, .held = true});
  screen.send({.pointer = {start.x - unit, start.y - unit}, .released = true});
  const core::TensorView moved = tensor(screen, test::kSampleVectors);
  CHECK(moved.values[0] == 0.5f);
  CHECK(moved.values[1] == 1.0f);
  CHECK(moved.values[2] == 0.0f);
  screen.press(ui::Key::z, false, true);
  CHECK(tensor(screen, test::kSampleVectors).values[0] == 1.5f);
  CHECK(tensor(screen, test::kSampleVectors).values[1] == 0.0f);
  CHECK_FALSE(screen.session.can_undo());
}

TEST_CASE("vectors are named beside their tips") {
  const Screen screen = sample_screen(0);
  CHECK(test::has_text(screen.scene, "u"));
  CHECK(test::has_text(screen.scene, "w"));
}

TEST_CASE("the arrow keys move a vector's tip by a tenth") {
  Screen screen = sample_screen(0);
  screen.click(tip(screen, 1)->visual.centre());
  screen.press(ui::Key::right);
  screen.press(ui::Key::down);
  CHECK(tensor(screen, test::kSampleVectors).values[2] == 0.1f);
  CHECK(tensor(screen, test::kSampleVectors).values[3] == 0.9f);
}

TEST_CASE("a click or Space toggles a cell of 0 or 1, the arrows only look") {
  Screen screen = sample_screen(1);
  const ui::HeatmapItem& map = map_of(screen, test::kSampleMask);
  const ui::Point cell{map.cells.x + 2.5f * map.cells.cell_width, map.cells.y + 0.5f * map.cells.cell_height};
  CHECK(tensor(screen, test::kSampleMask).values[2] == 0.0f);
  screen.click(cell);
  CHECK(tensor(screen, test::kSampleMask).values[2] == 1.0f);
  screen.press(ui::Key::right);
  CHECK(screen.session.focus().column == 3);
  CHECK(tensor(screen, test::kSampleMask).values[3] == 0.0f);
  screen.press(ui::Key::space);
  CHECK(tensor(screen, test::kSampleMask).values[3] == 1.0f);
  CHECK_FALSE(screen.session.edit_cell({test::kSampleMask, 0, 0, 0}, 0.5f).ok());
}

TEST_CASE("masked cells are hatched by the mask a block names, leaks and NaN are shown as such") {
  const Screen screen = sample_screen(1);
  const core::TensorView mask = tensor(screen, test::kSampleMask);
  for (int version = 0; version < 4; ++version) {
    const ui::HeatmapItem& map = map_of(screen, test::sample_weights(version));
    for (std::size_t i = 0; i < map.states.size(); ++i) {
      const bool hidden = mask.values[i] == 0.0f;
      const gfx::CellState expected = version == 3             ? gfx::CellState::nan
                                      : hidden && version == 2 ? gfx::CellState::leak
                                      : hidden                 ? gfx::CellState::masked
                                                               : gfx::CellState::value;
      CHECK(map.states[i] == expected);
    }
  }
}

TEST_CASE("row figures and verdicts are those of the run") {
  const Screen screen = sample_screen(1);
  const auto figures = test::texts_with(screen.scene, Mark::row_figure);
  REQUIRE(figures.size() == 4 * 5);
  for (int version = 0; version < 4; ++version)
    for (int row = 0; row < 5; ++row) {
      const ui::TextItem* figure = figures[static_cast<std::size_t>(version * 5 + row)];
      const float value = tensor(screen, test::sample_sums(version)).values[row];
      CHECK(figure->text == lessons::fixed(value, 2));
      CHECK(figure->tag.row == row);
      CHECK((figure->colour == ui::Colour::different) == (figure->text != "1.00"));
    }
  CHECK(test::texts_with(screen.scene, Mark::block_verdict).size() == 4);
}

TEST_CASE("bars are as high as their numbers, and stand side by side") {
  const Screen screen = sample_screen(2);
  const auto& series = screen.session.run().board->sheets[2].blocks[1].plot.series[0];
  const auto bars = test::boxes_with(screen.scene, Mark::plot_point);
  REQUIRE(bars.size() == series.y.size());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    CHECK(std::fabs(bars[i]->rect.height / bars[4]->rect.height - series.y[i] / series.y[4]) < 0.01f);
    if (i > 0) CHECK(std::fabs(bars[i]->rect.x - bars[i - 1]->rect.right()) < 2.0f);
  }
}

TEST_CASE("a table paints every one of its texts") {
  for (const float width : {1280.0f, 390.0f}) {
    const Screen screen = sample_screen(0, width, 844);
    const auto cells = test::texts_with(screen.scene, Mark::table_cell);
    REQUIRE(cells.size() == 2);
    CHECK(cells[0]->text == "0.00");
    CHECK(cells[1]->text == "90°");
  }
}

TEST_CASE("a switch over the board sets its parameter") {
  Screen screen = sample_screen(1);
  const ui::Region* control = nullptr;
  for (const ui::Region& region : screen.scene.regions)
    if (region.role == ui::RegionRole::toggle) control = &region;
  REQUIRE(control != nullptr);
  screen.click(control->visual.centre());
  CHECK(screen.session.value_of("causal") == 0);
}

TEST_CASE("numbers beside rows that are no sums of weights are never an error, whole ones have no decimals") {
  Screen screen = test::screen();
  for (const float width : {1280.0f, 900.0f, 390.0f}) {
    screen.session = test::open_lesson("kv-cache", 5);
    screen.width = width;
    screen.build();
    const auto figures = test::texts_with(screen.scene, Mark::row_figure);
    REQUIRE_FALSE(figures.empty());
    for (const ui::TextItem* figure : figures) {
      CHECK((figure->text == "8" || figure->text == "1"));
      CHECK(figure->colour == ui::Colour::ink2);
    }
    CHECK(test::has_text(screen.scene, "keys seen"));
  }
}

TEST_CASE("tensors of a kind on one sheet share the range of their colours") {
  const lessons::Session session = test::open_lesson("scale-by-sqrt-dk", 6);
  const ui::BoardModel board =
      ui::board_model(session.lesson(), session.run(), session.step_index(), session.focus());
  REQUIRE(board.blocks[0].is_matrix());
  REQUIRE(board.blocks[1].is_matrix());
  CHECK(board.blocks[0].range == board.blocks[1].range);
  const auto largest = [&](const ui::BlockModel& block) {
    float most = 0.0f;
    for (const float value : block.values) most = std::max(most, std::fabs(value));
    return most;
  };
  CHECK(board.blocks[0].range == std::max(largest(board.blocks[0]), largest(board.blocks[1])));
}

TEST_CASE("queries and keys keep ranges of their own") {
  const lessons::Session session = test::open_lesson("self-attention", 0);
  const ui::BoardModel board = ui::board_model(session.lesson(), session.run(), 0, session.focus());
  std::set<float> ranges;
  for (const ui::BlockModel& block : board.blocks)
    if (block.is_matrix() && block.ramp == gfx::Ramp::signed_values &&
        block.block->role != lessons::Role::plain)
      ranges.insert(block.range);
  CHECK(ranges.size() > 3);
}

TEST_CASE("the plane of vectors has numbers, and keeps its scale while a tip is held") {
  Screen screen = sample_screen(0);
  REQUIRE(tip(screen, 0) != nullptr);
  CHECK(test::has_text(screen.scene, "−1"));
  const ui::Point start = tip(screen, 0)->visual.centre();
  const int reach = tip(screen, 0)->intent.value;
  screen.send({.pointer = start, .pressed = true, .held = true});
  screen.send({.pointer = {start.x + 2000.0f, start.y}, .held = true});
  CHECK(tensor(screen, test::kSampleVectors).values[0] == static_cast<float>(reach) / 10.0f);
  CHECK(tip(screen, 0)->intent.value == reach);
  screen.send({.pointer = {start.x + 2000.0f, start.y}, .released = true});
  CHECK(tip(screen, 0)->intent.value > reach);
}

TEST_CASE("a phone shows vectors and their table side by side") {
  Screen screen = test::screen({}, 0, 390, 844);
  screen.session = test::open_lesson("why-attention", 7);
  screen.build();
  REQUIRE(tip(screen, 0) != nullptr);
  CHECK_FALSE(test::texts_with(screen.scene, Mark::table_cell).empty());
  CHECK(tip(screen, 0)->grid.cell_width * static_cast<float>(tip(screen, 0)->grid.columns) > 150.0f);
}
