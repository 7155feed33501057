// For every step of every lesson: what is drawn is what the tape holds.
#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/registry.h"
#include "support/catch.h"
#include "support/shipped_translator.h"
#include "tape/explain.h"
#include "ui/board_places.h"
#include "ui/cell_grid.h"
#include "ui/pane_model.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;

namespace {

constexpr float kWidths[] = {1280.0f, 900.0f, 390.0f};

/// Calls `check(screen)` at every step and size; of boards opened too.
template <class Check>
void at_every_step(bool boards, const Check& check) {
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    Screen screen = test::screen();
    screen.session = attn::test::open_session(*lesson);
    if (screen.session.run().board.has_value() != boards) continue;
    for (int step = 0; step < screen.session.step_count(); ++step)
      for (const float width : kWidths)
        for (const bool open : {false, true}) {
          if (open && (!boards || width < 640.0f)) continue;
          REQUIRE(screen.session.go_to_step(step).ok());
          lessons::Focus focus = screen.session.focus();
          focus.open = open;
          REQUIRE(screen.session.focus_on(focus).ok());
          screen.width = width;
          screen.height = width < 640.0f ? 844.0f : 760.0f;
          screen.touch = width < 640.0f;
          screen.build();
          INFO(lesson->slug << " step " << step << " at " << width << (open ? " open" : ""));
          check(screen);
        }
  }
}

ui::BoardModel model_of(const Screen& screen) {
  return ui::board_model(screen.session.lesson(), screen.session.run(), screen.session.step_index(),
                         screen.session.focus());
}

const ui::HeatmapItem* map_under(const Screen& screen, ui::Point point, int& row, int& column) {
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(screen.scene)) {
    column = static_cast<int>(std::floor((point.x - map->cells.x) / map->cells.cell_width));
    row = static_cast<int>(std::floor((point.y - map->cells.y) / map->cells.cell_height));
    if (row >= 0 && column >= 0 && row < map->cells.rows && column < map->cells.columns) return map;
  }
  return nullptr;
}

/// Wordings a cell may have; "NaN" has a cross where it has no room.
bool says(const std::string& text, float value, float width) {
  for (const bool whole : {false, true})
    if (text == ui::compact_number(value, whole)) return true;
  return text == lessons::cell_number(value, width) || text == lessons::fixed(value, 1) ||
         text == lessons::fixed(value, 0) || (std::isnan(value) && text == "×");
}

void check_numbers(const Screen& screen) {
  for (const ui::TextItem* number : test::texts_with(screen.scene, Mark::cell_number)) {
    int row = 0;
    int column = 0;
    const ui::HeatmapItem* map = map_under(screen, number->box().centre(), row, column);
    REQUIRE(map != nullptr);
    const auto at = static_cast<std::size_t>(row * map->cells.columns + column);
    INFO("'" << number->text << "' in " << tape::to_string(map->label) << " " << row << "," << column);
    CHECK(says(number->text, map->values[at], map->cells.cell_width));
    CHECK(map->states[at] != gfx::CellState::masked);  // hatched: never a number, so never a zero
    CHECK(map->states[at] != gfx::CellState::none);
    CHECK(map->states[at] != gfx::CellState::not_yet);
  }
}

}  // namespace

TEST_CASE("every cell of every board has its tensor's bits, across where it stands turned") {
  at_every_step(true, [](const Screen& screen) {
    const ui::BoardModel board = model_of(screen);
    const std::vector<ui::BlockPlace> places = ui::board_places(board, screen.layout);
    const auto maps = test::items_of<ui::HeatmapItem>(screen.scene);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i].shown || !board.blocks[i].is_matrix()) continue;
      ++shown;
      const ui::BlockModel& block = board.blocks[i];
      const core::TensorView tensor = screen.session.run().tape().tensor(block.entry);
      const auto map = std::find_if(maps.begin(), maps.end(), [&](const ui::HeatmapItem* one) {
        return one->label == block.block->tensor && one->cells.x == places[i].origin.x &&
               one->cells.y == places[i].origin.y;
      });
      INFO(tape::to_string(block.block->tensor));
      REQUIRE(map != maps.end());
      CHECK((*map)->head == block.head);
      bool same = true;
      for (int row = 0; row < block.plane.rows; ++row)
        for (int column = 0; column < block.plane.columns; ++column) {
          const int r = places[i].transposed ? column : row;
          const int c = places[i].transposed ? row : column;
          const float painted = (*map)->values[static_cast<std::size_t>(r * (*map)->cells.columns + c)];
          same = same && core::bits_of(painted) ==
                             core::bits_of(tensor.values[block.plane.offset(block.head, row, column)]);
        }
      CHECK(same);
    }
    // A falling block has a strip of its own under each word of the keys.
    std::size_t strips = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i].shown && board.blocks[i].block->kind == lessons::BlockKind::falling)
        strips += static_cast<std::size_t>(board.blocks[i].plane.columns);
    CHECK(shown + strips == maps.size());
  });
}

TEST_CASE("every number in a cell of every lesson is that of the cell under it") {
  at_every_step(true, check_numbers);
  at_every_step(false, check_numbers);
}

TEST_CASE("both panes of a twin have their tensors' bits where they have values") {
  at_every_step(false, [](const Screen& screen) {
    const lessons::Twin& twin = *screen.session.run().twin;
    const lessons::Focus& focus = screen.session.focus();
    for (const ui::Pane pane : {ui::Pane::training, ui::Pane::inference}) {
      const tape::Tape& tape = pane == ui::Pane::training ? twin.training.tape : twin.inference.tape;
      const core::TensorView tensor = tape.tensor(focus.tensor);
      const lessons::Plane plane = lessons::plane_of(focus.tensor, tensor.shape);
      const ui::HeatmapItem& map = test::cells_of(screen.scene, pane);
      CHECK(map.label == focus.tensor);
      for (int row = 0; row < plane.rows; ++row)
        for (int column = 0; column < plane.columns; ++column) {
          const auto at = static_cast<std::size_t>(row * map.cells.columns + column);
          if (map.states[at] != gfx::CellState::value) continue;
          CHECK(core::bits_of(map.values[at]) ==
                core::bits_of(tensor.values[plane.offset(focus.head, row, column)]));
        }
    }
  });
}

TEST_CASE("of every board's chosen cell, and its corners, lit are exactly the operands that the tape names") {
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    lessons::Session session = attn::test::open_session(*lesson);
    if (!session.run().board) continue;
    for (int step = 0; step < session.step_count(); ++step) {
      REQUIRE(session.go_to_step(step).ok());
      const tape::Tape& tape = session.run().tape();
      const ui::BoardModel sheet = ui::board_model(*lesson, session.run(), step, session.focus());
      for (const ui::BlockModel& block : sheet.blocks) {
        if (!block.is_matrix()) continue;
        const int last_row = block.plane.rows - 1;
        const int last_column = block.plane.columns - 1;
        for (const auto& [row, column] : {std::pair{0, 0}, {last_row, 0}, {last_row, last_column}}) {
          const tape::Label& tensor = block.block->tensor;
          const lessons::Focus focus{tensor, block.head, row, column, block.block->unmasked};
          const ui::BoardModel board = ui::board_model(*lesson, session.run(), step, focus);
          const auto explained = tape::explain(
              tape, block.entry,
              lessons::index_of(tensor, tape.tensor(block.entry).shape, {block.head, row, column}));
          INFO(lesson->slug << " step " << step << " " << tape::to_string(tensor) << " " << row << ","
                            << column);
          for (std::size_t i = 0; i < board.blocks.size(); ++i) {
            const ui::BlockModel& other = board.blocks[i];
            if (!other.is_matrix() || other.block->tensor == tensor) continue;
            std::vector<bool> named(other.values.size(), false);
            for (const tape::Term& term : explained.terms)
              for (const tape::Element& element : {term.a, term.b}) {
                if (element.rank < 0 || !(element.label == other.block->tensor)) continue;
                const lessons::Cell cell = lessons::cell_of(element.label, element.rank, element.index);
                named[other.at(cell.row, cell.column)] = true;
              }
            const bool any = std::find(named.begin(), named.end(), true) != named.end();
            if (!any) continue;  // it may be lit as an operand of an operand
            const auto first = std::find_if(board.blocks.begin(), board.blocks.end(), [&](const auto& one) {
              return one.is_matrix() && one.block->tensor == other.block->tensor;
            });
            if (&*first != &other) continue;  // one block shows a tensor's operands
            CHECK(other.lit.step == 1);
            for (int r = 0; r < other.plane.rows; ++r)
              for (int c = 0; c < other.plane.columns; ++c) {
                const bool lit =
                    other.lit.has_row(r) && other.lit.first_column <= c && c <= other.lit.last_column;
                if (lit != named[other.at(r, c)])
                  FAIL_CHECK(tape::to_string(other.block->tensor)
                             << " " << r << "," << c << (lit ? " is lit" : " isn't lit"));
              }
          }
        }
      }
    }
  }
}
