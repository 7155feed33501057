// What a board paints is what its tape holds: numbers, the cells that are lit, operands on a phone, edits.
#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/plane.h"
#include "lessons/registry.h"
#include "support/catch.h"
#include "support/shipped_translator.h"
#include "tape/explain.h"
#include "ui/board_places.h"
#include "ui/cell_grid.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;

namespace {

Screen board_screen(int step, float width = 1280.0f, float height = 800.0f) {
  Screen screen = test::screen({}, 0, width, height);
  screen.session = test::open_lesson("self-attention", step);
  screen.build();
  return screen;
}

ui::BoardModel model_of(const Screen& screen) {
  return ui::board_model(screen.session.lesson(), screen.session.run(), screen.session.step_index(),
                         screen.session.focus());
}

const ui::BlockModel& block_of(const ui::BoardModel& board, const std::string& tensor) {
  for (const ui::BlockModel& block : board.blocks)
    if (block.is_matrix() && tape::to_string(block.block->tensor) == tensor) return block;
  FAIL("no block of " << tensor);
  return board.blocks.front();
}

/// The heat map a text lies on, and which cell of it.
const ui::HeatmapItem* map_under(const Screen& screen, ui::Point point, int& row, int& column) {
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(screen.scene)) {
    column = static_cast<int>(std::floor((point.x - map->cells.x) / map->cells.cell_width));
    row = static_cast<int>(std::floor((point.y - map->cells.y) / map->cells.cell_height));
    if (row >= 0 && column >= 0 && row < map->cells.rows && column < map->cells.columns) return map;
  }
  return nullptr;
}

constexpr const char* kScores = "encoder.0.self_attention.scores";

}  // namespace

TEST_CASE("every number on a board is that of the cell under it, and at 1280 x 800 all of them show") {
  for (const int step : {3, 6}) {
    const Screen screen = board_screen(step);
    const auto numbers = test::texts_with(screen.scene, Mark::cell_number);
    CHECK(numbers.size() == 4 * (3 + 5 + 5 + 4 + 4 + 4));  // X, Q, K, V, scores or weights, output
    for (const ui::TextItem* number : numbers) {
      int row = 0;
      int column = 0;
      const ui::HeatmapItem* map = map_under(screen, number->box().centre(), row, column);
      REQUIRE(map != nullptr);
      const float value = map->values[static_cast<std::size_t>(row * map->cells.columns + column)];
      const std::string wordings[] = {lessons::cell_number(value, map->cells.cell_width),
                                      lessons::fixed(value, 1), ui::compact_number(value, false)};
      CHECK(std::count(std::begin(wordings), std::end(wordings), number->text) > 0);
      CHECK(number->width <= map->cells.cell_width);
    }
  }
}

TEST_CASE("lit are exactly the operands that the tape names") {
  Screen screen = board_screen(3);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      screen.focus(kScores, 0, row, column);
      const ui::BoardModel board = model_of(screen);
      const tape::Tape& tape = screen.session.run().tape();
      const auto explained =
          tape::explain(tape, tape.find(screen.session.focus().tensor), {0, row, column, 0});
      REQUIRE(explained.terms.size() == 5);
      for (const char* name : {"encoder.0.self_attention.query", "encoder.0.self_attention.key"}) {
        const ui::BlockModel& block = block_of(board, name);
        int named = 0;
        for (const tape::Term& term : explained.terms)
          for (const tape::Element& element : {term.a, term.b}) {
            if (tape::to_string(element.label) != name) continue;
            const lessons::Cell cell = lessons::cell_of(element.label, element.rank, element.index);
            CHECK(cell.row >= block.lit.first_row);
            CHECK(cell.row <= block.lit.last_row);
            CHECK(cell.column >= block.lit.first_column);
            CHECK(cell.column <= block.lit.last_column);
            ++named;
          }
        CHECK(block.lit.step == 1);
        CHECK(named == (block.lit.last_row - block.lit.first_row + 1) *
                           (block.lit.last_column - block.lit.first_column + 1));
      }
      CHECK_FALSE(block_of(board, "encoder.0.self_attention.value").lit.any());
    }
}

TEST_CASE("of a tensor that meets itself two rows are lit, not those between them") {
  Screen screen = test::screen();
  screen.session = test::open_lesson("why-attention", 3);  // the chosen score is made of rows 3 and 1
  screen.build();
  const ui::BoardModel board = model_of(screen);
  const ui::Lit& lit = board.blocks.front().lit;
  for (const int row : {0, 1, 2, 3}) CHECK(lit.has_row(row) == (row == 1 || row == 3));
  const auto boxes = test::boxes_with(screen.scene, Mark::lit_cells);
  REQUIRE(boxes.size() == 2);
  CHECK(boxes[0]->rect.bottom() < boxes[1]->rect.y);
}

TEST_CASE("operands stand as rows or columns of what they make") {
  Screen screen = board_screen(3);
  const auto operand = [&](const char* from, const char* to) {
    const ui::BoardModel board = model_of(screen);
    const std::string prefix = "encoder.0.self_attention.";
    for (const ui::BoardLink& link : board.links)
      if (&board.blocks[static_cast<std::size_t>(link.from)] == &block_of(board, prefix + from) &&
          &board.blocks[static_cast<std::size_t>(link.to)] == &block_of(board, prefix + to))
        return link.operand;
    FAIL("no link from " << from << " to " << to);
    return ui::Operand::row;
  };
  CHECK(operand("query", "scores") == ui::Operand::row);
  CHECK(operand("key", "scores") == ui::Operand::transposed_column);
  screen.focus("encoder.0.self_attention.context", 0, 0, 0);
  CHECK(operand("query", "weights") == ui::Operand::apart);
  CHECK(operand("weights", "context") == ui::Operand::row);
  CHECK(operand("value", "context") == ui::Operand::column);
}

TEST_CASE("a click on a cell of any block chooses it, on a phone an operand becomes the block shown") {
  Screen screen = board_screen(3);
  const std::vector<ui::BlockPlace> places = ui::board_places(model_of(screen), screen.layout);
  const ui::BlockPlace& output = places.back();
  screen.click({output.origin.x + 1.5f * output.cell_width, output.origin.y + 0.5f * output.cell_height});
  CHECK(tape::to_string(screen.session.focus().tensor) == "encoder.0.self_attention.context");
  CHECK(screen.session.focus().row == 0);
  CHECK(screen.session.focus().column == 1);

  Screen phone = board_screen(3, 390, 844);
  for (const ui::Region& region : phone.scene.regions)
    if (region.label == "K" && region.role == ui::RegionRole::button) {
      phone.click(region.visual.centre());
      break;
    }
  CHECK(tape::to_string(phone.session.focus().tensor) == "encoder.0.self_attention.key");
}

TEST_CASE("a given cell is changed by tenths, a computed one has no buttons") {
  Screen screen = board_screen(0);
  const ui::Region* more = screen.region_for(ui::IntentKind::nudge_cell, 1);
  REQUIRE(more != nullptr);
  CHECK(screen.region_for(ui::IntentKind::clear_edits) == nullptr);
  screen.click(more->visual.centre());
  REQUIRE(screen.session.edits().size() == 1);
  CHECK(screen.session.edits()[0].value == 0.7f);  // 0.5684 before
  const ui::Region* own = screen.region_for(ui::IntentKind::clear_edits);
  REQUIRE(own != nullptr);
  screen.click(own->visual.centre());
  CHECK(screen.session.edits().empty());
  screen.focus(kScores, 0, 0, 0);
  CHECK(screen.region_for(ui::IntentKind::nudge_cell, 1) == nullptr);
}

TEST_CASE("a number typed into a given cell becomes its value, and one undo takes it back") {
  Screen screen = board_screen(0);
  const ui::Region* field = nullptr;
  for (const ui::Region& region : screen.scene.regions)
    if (region.intent.kind == ui::IntentKind::edit_cell) field = &region;
  REQUIRE(field != nullptr);
  screen.click(field->visual.centre());
  for (const ui::Key key : {ui::Key::minus, ui::Key::minus}) screen.press(key);  // one sign is enough
  screen.type(2);
  screen.press(ui::Key::point);
  screen.press(ui::Key::point);
  screen.type(5);
  screen.press(ui::Key::enter);
  REQUIRE(screen.session.edits().size() == 1);
  CHECK(screen.session.edits()[0].value == -2.5f);
  screen.press(ui::Key::z, false, true);
  CHECK(screen.session.edits().empty());
}

TEST_CASE("no link runs over the title, the words or the cells of another block") {
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    Screen screen = test::screen();
    screen.session = attn::test::open_session(*lesson);
    if (!screen.session.run().board) continue;
    for (int step = 0; step < screen.session.step_count(); ++step)
      for (const float width : {1280.0f, 900.0f}) {
        REQUIRE(screen.session.go_to_step(step).ok());
        screen.width = width;
        screen.build();
        const ui::BoardModel board = model_of(screen);
        const std::vector<ui::BlockPlace> places = ui::board_places(board, screen.layout);
        INFO(lesson->slug << " step " << step << " at " << width);
        for (const ui::BezierItem* curve : test::items_of<ui::BezierItem>(screen.scene)) {
          if (curve->tag.mark != Mark::link) continue;
          for (std::size_t i = 0; i < places.size(); ++i) {
            if (!places[i].shown || static_cast<int>(i) == curve->tag.row) continue;
            for (int part = 1; part < 8; ++part) {
              const float t = static_cast<float>(part) / 8.0f;
              const float u = 1.0f - t;
              const auto at = [&](float a, float b, float c, float d) {
                return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
              };
              CHECK_FALSE(places[i].body.contains({at(curve->a.x, curve->b.x, curve->c.x, curve->d.x),
                                                   at(curve->a.y, curve->b.y, curve->c.y, curve->d.y)}));
            }
          }
        }
      }
  }
}

TEST_CASE("arcs say which side looks and which is looked at") {
  int seen = 0;
  for (const lessons::Lesson* lesson : lessons::all_lessons())
    for (const float width : {1280.0f, 900.0f, 390.0f}) {
      Screen screen = test::screen({}, 0, width, 844);
      screen.session = attn::test::open_session(*lesson);
      for (int step = 0; step < screen.session.step_count(); ++step) {
        REQUIRE(screen.session.go_to_step(step).ok());
        screen.build();
        const auto curves = test::items_of<ui::BezierItem>(screen.scene);
        if (std::none_of(curves.begin(), curves.end(),
                         [](const ui::BezierItem* curve) { return curve->tag.mark == Mark::arc; }))
          continue;
        ++seen;
        const auto side = [&](const char* text, ui::Colour colour) {
          for (const ui::TextItem* label : test::texts_with(screen.scene, Mark::axis_label))
            if (label->text == text && label->colour == colour) return label->origin.x;
          return -1.0f;
        };
        INFO(lesson->slug << " step " << step << " at " << width);
        CHECK(side("Key", ui::Colour::key) > 0.0f);
        CHECK(side("Query", ui::Colour::query) > side("Key", ui::Colour::key));
      }
    }
  CHECK(seen > 3);
}

TEST_CASE("arcs of all heads have a strand for every head, as thick as its weight") {
  Screen screen = test::screen();
  screen.session = test::open_lesson("multi-head", 0);
  REQUIRE(screen.session.set_parameter("heads", 4).ok());
  const auto has_all = [&](int step) {
    const auto& blocks = screen.session.run().sheet_at(step).blocks;
    return std::any_of(blocks.begin(), blocks.end(), [](const lessons::Block& one) { return one.all_heads; });
  };
  int step = 0;
  while (step + 1 < screen.session.step_count() && !has_all(step)) ++step;
  REQUIRE(screen.session.go_to_step(step).ok());
  screen.build();
  const ui::BoardModel board = model_of(screen);
  const auto block = std::find_if(board.blocks.begin(), board.blocks.end(),
                                  [](const ui::BlockModel& one) { return one.block->all_heads; });
  REQUIRE(block != board.blocks.end());
  const ui::BlockPlace place =
      ui::board_places(board, screen.layout)[static_cast<std::size_t>(block - board.blocks.begin())];
  const core::TensorView weights = screen.session.run().tape().tensor(block->entry);
  std::vector<float> widths;
  for (const ui::BezierItem* curve : test::items_of<ui::BezierItem>(screen.scene))
    if (curve->tag.mark == Mark::arc && curve->tag.row == 0 && curve->tag.column == 0 &&
        place.body.contains(curve->a))
      widths.push_back(curve->width);
  REQUIRE(widths.size() == 4);
  for (std::size_t head = 1; head < 4; ++head) {
    const float first = weights.values[block->plane.offset(0, 0, 0)];
    const float own = weights.values[block->plane.offset(static_cast<int>(head), 0, 0)];
    CHECK((widths[head] > widths[0]) == (own > first));
  }
}

TEST_CASE("matrices of the same rows, one longer than the other, begin at one height") {
  Screen screen = test::screen();
  screen.session = test::open_lesson("kv-cache", 0);
  for (const int tokens : {3, 8, 16}) {
    REQUIRE(screen.session.set_parameter("length", tokens).ok());
    screen.build();
    const std::vector<ui::BlockPlace> places = ui::board_places(model_of(screen), screen.layout);
    REQUIRE(places.size() == 3);  // X and keys of two steps
    CHECK(places[1].body.height < places[2].body.height);
    CHECK(places[1].body.y == places[2].body.y);
  }
}

TEST_CASE("on a phone the chips name what they lead to") {
  Screen screen = test::screen({}, 0, 390, 844);
  screen.session = test::open_lesson("multi-head", 3);
  screen.build();
  const ui::BoardModel board = model_of(screen);
  for (const ui::Option& option :
       ui::block_options(ui::subject_of(screen.session), board, lessons::Language::en)) {
    const ui::BlockModel& block = block_of(board, tape::to_string(option.intent.label));
    CHECK(option.text == block.block->name().en);
  }
}
