// Rows of a board: how high they are, how they stand beside each other, what their words and operands are.
#include "lessons/plane.h"
#include "support/catch.h"
#include "ui/board_places.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;

namespace {

ui::BoardModel model_of(const Screen& screen) {
  return ui::board_model(screen.session.lesson(), screen.session.run(), screen.session.step_index(),
                         screen.session.focus());
}

}  // namespace

TEST_CASE("rows beside a high table are as high as the room allows") {
  Screen screen = test::screen({}, 0, 900.0f, 620.0f);
  screen.session = test::open_lesson("positions", 1);
  screen.build();
  const ui::BoardModel board = model_of(screen);
  const std::vector<ui::BlockPlace> places = ui::board_places(board, screen.layout);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (board.blocks[i].is_matrix()) CHECK(places[i].cell_height >= 20.0f);
}

TEST_CASE("rows of one band stand level, whatever stands over and under them") {
  Screen screen = test::screen();
  screen.session = test::open_lesson("positions", 0);
  for (const float width : {1280.0f, 900.0f}) {
    screen.width = width;
    screen.height = width > 1000.0f ? 800.0f : 620.0f;
    screen.build();
    const ui::BoardModel board = model_of(screen);
    const std::vector<ui::BlockPlace> places = ui::board_places(board, screen.layout);
    for (std::size_t i = 1; i < places.size(); ++i) {
      INFO(width << " " << board.blocks[i].block->title.en);
      if (board.blocks[i].block->band == board.blocks[i - 1].block->band)
        CHECK(places[i].body.y == Approx(places[i - 1].body.y));
    }
  }
}

TEST_CASE("the words to choose from are those of the chosen matrix's rows") {
  for (const float width : {1280.0f, 390.0f}) {
    Screen screen = test::screen({}, 0, width, 844);
    screen.session = test::open_lesson("mask-lab", 6);  // <pad> on the left of one, no <pad> in the other
    const int step = screen.session.step_index();
    int seen = 0;
    for (const lessons::Block& block : screen.session.run().sheet_at(step).blocks) {
      if (block.kind != lessons::BlockKind::matrix) continue;
      const core::Shape& shape = screen.session.run().tape().tensor(block.tensor).shape;
      const lessons::Plane plane = lessons::plane_of(block.tensor, shape);
      screen.focus(tape::to_string(block.tensor).c_str(), 0, 1, 0);
      std::vector<std::string> labels;
      for (const ui::Region& region : screen.scene.regions)
        if (region.intent.kind == ui::IntentKind::choose_token && !region.rows_only)
          labels.push_back(region.label);
      INFO(width << " " << block.title.en);
      REQUIRE(labels.size() == static_cast<std::size_t>(plane.rows));
      for (int row = 0; row < plane.rows; ++row)
        CHECK(labels[static_cast<std::size_t>(row)].ends_with(
            ": " + screen.session.run().word_at(lessons::plane_axes(block.tensor).rows, row)));
      ++seen;
    }
    CHECK(seen == 2);
  }
}

TEST_CASE("what a function is taken of, where no block shows it, lights what that is made of") {
  Screen screen = test::screen();
  screen.session = test::open_lesson("why-attention", 1);
  screen.build();
  const ui::BoardModel board = model_of(screen);
  REQUIRE(board.blocks.size() == 3);
  CHECK(board.blocks[0].lit.step == 1);  // the word's row
  CHECK(board.blocks[1].lit.step == 1);  // a row of W
  for (const ui::BoardLink& link : board.links) CHECK((link.operand == ui::Operand::row) == (link.from == 0));
  CHECK_FALSE(test::has_text(screen.scene, "hidden["));
  CHECK(test::has_text(screen.scene, "W[0,0]"));
}

TEST_CASE("a mask belongs beside the rows it decides about") {
  Screen screen = test::screen();
  screen.session = test::open_lesson("mask-lab", 0);
  const ui::BoardModel board = model_of(screen);
  for (const ui::BoardLink& link : board.links) CHECK(link.operand == ui::Operand::row);
}
