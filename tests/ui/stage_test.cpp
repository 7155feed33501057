// What is painted is what the engine computed: numbers, masks, marks and verdicts against the tapes.
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/plane.h"
#include "lessons/registry.h"
#include "support/catch.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;
using ui::Pane;

namespace {

float value_at(const tape::Tape& tape, const lessons::Focus& focus, int row, int column) {
  const core::TensorView tensor = tape.tensor(focus.tensor);
  return tensor.values[lessons::plane_of(focus.tensor, tensor.shape).offset(focus.head, row, column)];
}

const tape::Tape& tape_of(const Screen& screen, Pane pane) {
  const lessons::Run& run = screen.session.run();
  return pane == Pane::training ? run.twin->training.tape : run.twin->inference.tape;
}

gfx::CellState state_at(const ui::HeatmapItem& map, int row, int column) {
  return map.states[static_cast<std::size_t>(row * map.cells.columns + column)];
}

}  // namespace

TEST_CASE("every painted number is the tensor's value") {
  Screen screen = test::screen({{"heads", 2}, {"prefix", 3}}, 4);
  for (const char* tensor : {"decoder.0.self_attention.scores", "decoder.3.self_attention.weights",
                             "decoder.5.cross_attention.query", "encoder.1.self_attention.context"}) {
    screen.focus(tensor, 1, 1, 0);
    const auto numbers = test::texts_with(screen.scene, Mark::cell_number);
    REQUIRE(numbers.size() > 8);
    for (const ui::TextItem* number : numbers) {
      const float value = value_at(tape_of(screen, number->tag.pane), screen.session.focus(), number->tag.row,
                                   number->tag.column);
      CHECK(number->text == lessons::cell_number(value, screen.layout.cell_width));
    }
  }
}

TEST_CASE("every cell of a heat map has the bits of the tensor") {
  Screen screen = test::screen({{"heads", 4}, {"length", 9}, {"prefix", 4}}, 4);
  for (const tape::TensorDifference& difference : screen.session.run().twin->differences) {
    if (difference.label.layer > 1) continue;
    screen.focus(tape::to_string(difference.label).c_str(), 0, 0, 0);
    for (const Pane pane : {Pane::training, Pane::inference}) {
      const ui::HeatmapItem& map = test::cells_of(screen.scene, pane);
      const tape::Tape& tape = tape_of(screen, pane);
      const auto plane = lessons::plane_of(difference.label, tape.tensor(difference.label).shape);
      int wrong = 0;
      for (int row = 0; row < plane.rows; ++row)
        for (int column = 0; column < plane.columns; ++column)
          wrong += core::bits_of(map.values[static_cast<std::size_t>(row * map.cells.columns + column)]) !=
                   core::bits_of(value_at(tape, screen.session.focus(), row, column));
      INFO(tape::to_string(difference.label));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("hatched are exactly the cells of the mask that was used") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  for (const char* tensor : {"decoder.2.self_attention.scores", "decoder.2.self_attention.weights"}) {
    screen.focus(tensor);
    for (const Pane pane : {Pane::training, Pane::inference}) {
      const ui::HeatmapItem& map = test::cells_of(screen.scene, pane);
      const tape::Tape& tape = tape_of(screen, pane);
      const core::ConstMatrix mask = core::as_matrix(
          tape.tensor({tape::Stack::decoder, 2, tape::Block::self_attention, tape::Site::mask}));
      for (int row = 0; row < mask.rows; ++row)
        for (int column = 0; column < mask.columns; ++column)
          CHECK((state_at(map, row, column) == gfx::CellState::masked) == (mask.row(row)[column] == 0.0f));
    }
  }
}

TEST_CASE("cells that inference hasn't reached are dashed, and no number is painted there") {
  Screen screen = test::screen({{"prefix", 3}, {"heads", 2}}, 4);
  screen.focus("decoder.0.self_attention.weights");
  const ui::HeatmapItem& map = test::cells_of(screen.scene, Pane::inference);
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 5; ++column)
      CHECK((state_at(map, row, column) == gfx::CellState::not_yet) == (row >= 3 || column >= 3));
  for (const ui::TextItem* number : test::texts_with(screen.scene, Mark::cell_number))
    if (number->tag.pane == Pane::inference) CHECK(number->tag.row < 3);
}

TEST_CASE("without the training mask the future cells of compared rows are leaks, all others are not") {
  Screen screen = test::screen({{"training_mask", 0}, {"prefix", 3}}, 4);
  screen.focus("decoder.0.self_attention.weights");
  const ui::HeatmapItem& map = test::cells_of(screen.scene, Pane::training);
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 5; ++column) {
      const bool leak = row < 3 && column > row;
      CHECK((state_at(map, row, column) == gfx::CellState::leak) == leak);
    }
  const ui::HeatmapItem& other = test::cells_of(screen.scene, Pane::inference);
  CHECK(state_at(other, 0, 1) == gfx::CellState::masked);
}

TEST_CASE("the selected cell is outlined in both panes, and only where there is one") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  screen.focus("decoder.0.self_attention.weights", 0, 2, 1);
  auto outlines = test::boxes_with(screen.scene, Mark::selected_cell);
  REQUIRE(outlines.size() == 2);
  for (const ui::BoxItem* outline : outlines) {
    CHECK(outline->tag.row == 2);
    CHECK(outline->tag.column == 1);
    const ui::PaneLayout& pane =
        outline->tag.pane == Pane::training ? screen.layout.training : screen.layout.inference;
    CHECK(outline->rect.x == Approx(pane.origin.x + screen.layout.cell_width - 2.0f));
    CHECK(outline->rect.y == Approx(pane.origin.y + 2.0f * screen.layout.cell_height - 2.0f));
  }
  screen.focus("decoder.0.self_attention.weights", 0, 4, 1);
  outlines = test::boxes_with(screen.scene, Mark::selected_cell);
  REQUIRE(outlines.size() == 1);
  CHECK(outlines[0]->tag.pane == Pane::training);
}

TEST_CASE("corners mark exactly the cells whose bits a poke changed") {
  Screen screen = test::screen({{"prefix", 5}, {"poke", 3}, {"heads", 2}}, 4);
  screen.focus("decoder.0.self_attention.weights", 1, 0, 0);
  const lessons::Run& run = screen.session.run();
  REQUIRE(run.twin->training_before_poke.has_value());
  std::vector<std::pair<int, int>> marked;
  for (const ui::TriangleItem* corner : test::items_of<ui::TriangleItem>(screen.scene))
    if (corner->tag.mark == Mark::changed_cell && corner->tag.pane == Pane::training)
      marked.emplace_back(corner->tag.row, corner->tag.column);
  int changed = 0;
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column <= row; ++column) {
      const bool differs =
          core::bits_of(value_at(run.twin->training.tape, screen.session.focus(), row, column)) !=
          core::bits_of(value_at(*run.twin->training_before_poke, screen.session.focus(), row, column));
      changed += differs ? 1 : 0;
      const bool found = std::find(marked.begin(), marked.end(), std::pair{row, column}) != marked.end();
      CHECK(found == differs);
      if (row < 3) CHECK_FALSE(differs);
    }
  CHECK(changed == static_cast<int>(marked.size()));
  CHECK(changed > 0);
}

TEST_CASE("each row's verdict is the comparison of that row and head") {
  Screen screen = test::screen({{"training_mask", 0}, {"prefix", 3}, {"heads", 2}}, 4);
  screen.focus("decoder.0.self_attention.weights", 1, 0, 0);
  const lessons::Run& run = screen.session.run();
  float largest = 0.0f;
  std::uint32_t ulp = 0;
  for (int row = 0; row < 3; ++row) {
    const tape::TensorDifference expected = tape::compare_tensor(
        run.twin->training.tape, run.twin->inference.tape, screen.session.focus().tensor, row, 1);
    REQUIRE_FALSE(expected.equal());
    if (expected.largest_difference > largest) {
      largest = expected.largest_difference;
      ulp = expected.ulp_at_largest;
    }
    bool found = false;
    for (const ui::TextItem* text : test::texts_with(screen.scene, Mark::row_verdict))
      if (text->tag.row == row) found = text->text == lessons::exponent(expected.largest_difference);
    CHECK(found);
  }
  std::string big;
  for (const ui::TextItem* text : test::texts_with(screen.scene, Mark::big_verdict)) big += text->text + "|";
  INFO(big);
  CHECK(big.find(lessons::exponent(largest)) != std::string::npos);
  CHECK(big.find(lessons::thousands(ulp) + " ULP") != std::string::npos);
}

TEST_CASE("with both masks on, every verdict is 0 ULP and every tile is equal") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  const auto verdicts = test::texts_with(screen.scene, Mark::row_verdict);
  int equal = 0;
  for (const ui::TextItem* text : verdicts) equal += text->text == "0 ULP" ? 1 : 0;
  CHECK(equal == 3);
  const auto& differences = screen.session.run().twin->differences;
  const auto tiles = test::boxes_with(screen.scene, Mark::map_tile);
  CHECK(tiles.size() == differences.size());
  for (const ui::BoxItem* tile : tiles) CHECK(tile->fill == ui::Colour::equal_tile);
  const std::string count = std::to_string(differences.size());
  CHECK(test::has_text(screen.scene, count + " / " + count));
}

TEST_CASE("each tile of the map shows its own tensor's verdict, and the first that differs is flagged") {
  Screen screen = test::screen({{"training_mask", 0}, {"prefix", 3}}, 4);
  const lessons::Run& run = screen.session.run();
  const auto tiles = test::boxes_with(screen.scene, Mark::map_tile);
  REQUIRE(tiles.size() == run.twin->differences.size());
  for (const ui::BoxItem* tile : tiles) {
    const bool equal = run.twin->differences[static_cast<std::size_t>(tile->tag.row)].equal();
    CHECK(tile->fill == (equal ? ui::Colour::equal_tile : ui::Colour::different));
  }
  int flags = 0;
  for (const ui::TriangleItem* flag : test::items_of<ui::TriangleItem>(screen.scene))
    if (flag->tag.mark == Mark::first_different) {
      CHECK(flag->tag.row == run.twin->first_different);
      ++flags;
    }
  CHECK(flags == 1);
}

TEST_CASE("comparing the newest row alone judges that row and says so of the others") {
  Screen screen =
      test::screen({{"prefix", 3}, {"newest_row_only", 1}, {"inference_mask", 0}, {"layers", 1}}, 4);
  screen.focus("decoder.0.self_attention.weights", 0, 2, 0);
  const ui::StageModel stage = ui::stage_model(screen.session.run(), screen.session.focus());
  CHECK(stage.rows[0].state == ui::RowState::not_compared);
  CHECK(stage.rows[1].state == ui::RowState::not_compared);
  CHECK(stage.rows[2].state == ui::RowState::compared);
  CHECK(stage.rows[3].state == ui::RowState::not_generated);
  CHECK(stage.worst.equal());
}

TEST_CASE("the row lens of a phone shows the selected row of both passes") {
  Screen screen = test::screen({{"prefix", 3}}, 4, 390, 900);
  screen.focus("decoder.0.self_attention.weights", 0, 2, 1);
  REQUIRE(screen.layout.inspector_form == ui::InspectorForm::lens);
  const auto numbers = test::texts_with(screen.scene, Mark::lens_number);
  REQUIRE(numbers.size() >= 4);
  for (const ui::TextItem* number : numbers) {
    CHECK(number->tag.row == 2);
    const float value =
        value_at(tape_of(screen, number->tag.pane), screen.session.focus(), 2, number->tag.column);
    CHECK(number->text == lessons::fixed(value, 5));
  }
}

TEST_CASE("NaN is written as NaN where there is room, and as a cross in smaller cells") {
  const tape::Label label{tape::Stack::decoder, 0, tape::Block::self_attention, tape::Site::scores};
  for (const auto& [rows, text] : {std::pair{2, "NaN"}, std::pair{9, "×"}}) {
    lessons::Run run;
    run.twin.emplace();
    const auto count = static_cast<std::size_t>(rows * rows);
    std::vector<float> values(count, 0.25f);
    values[1] = std::nanf("");
    run.target_words.assign(static_cast<std::size_t>(rows), "1");
    run.twin->training.target_length = run.twin->inference.target_length = rows;
    for (tape::Tape* tape : {&run.twin->training.tape, &run.twin->inference.tape})
      tape->leaf({values.data(), core::Shape{1, rows, rows}}, label);
    const lessons::Lesson& lesson = *lessons::find_lesson("mask-equivalence");
    const lessons::ParameterValues parameters = lessons::initial_values(lesson);
    const ui::Subject subject{.lesson = lesson,
                              .run = run,
                              .values = parameters,
                              .focus = {.tensor = label, .row = 0, .column = 1}};
    const ui::Layout layout = ui::layout_of(ui::layout_request(
        subject, lessons::Language::zh, test::measure(test::Face::wide), 1280, 800, false));
    const ui::Scene scene = ui::build_scene(subject, {}, {}, gfx::Theme::light, false, 0.0, layout,
                                            test::measure(test::Face::wide));
    int found = 0;
    for (const ui::TextItem* item : test::texts_with(scene, Mark::cell_number))
      if (item->tag.row == 0 && item->tag.column == 1) {
        CHECK(item->text == text);
        CHECK(item->colour == ui::Colour::different);
        ++found;
      }
    CHECK(found == 2);
  }
}

TEST_CASE("a number keeps its margin in the smallest cells that show one") {
  const tape::Label label{tape::Stack::decoder, 0, tape::Block::self_attention, tape::Site::scores};
  for (const auto& [value, columns] :
       {std::pair{-0.08f, 12}, std::pair{-1.36f, 12}, std::pair{-12.34f, 12}}) {
    lessons::Run run;
    run.twin.emplace();
    const auto count = static_cast<std::size_t>(columns * columns);
    const std::vector<float> values(count, value);
    run.target_words.assign(static_cast<std::size_t>(columns), "1");
    run.twin->training.target_length = run.twin->inference.target_length = columns;
    for (tape::Tape* tape : {&run.twin->training.tape, &run.twin->inference.tape})
      tape->leaf({values.data(), core::Shape{1, columns, columns}}, label);
    const lessons::Lesson& lesson = *lessons::find_lesson("mask-equivalence");
    const lessons::ParameterValues parameters = lessons::initial_values(lesson);
    const ui::Subject subject{.lesson = lesson,
                              .run = run,
                              .values = parameters,
                              .focus = {.tensor = label, .row = 0, .column = 1}};
    ui::Layout layout = ui::layout_of(ui::layout_request(subject, lessons::Language::zh,
                                                         test::measure(test::Face::wide), 1280, 800, false));
    layout.cell_width = layout.cell_height = 36.0f;
    const ui::Scene scene = ui::build_scene(subject, {}, {}, gfx::Theme::light, false, 0.0, layout,
                                            test::measure(test::Face::wide));
    const auto numbers = test::texts_with(scene, Mark::cell_number);
    REQUIRE(numbers.size() == 2 * count);
    for (const ui::TextItem* number : numbers) {
      INFO(number->text << " at " << number->size);
      CHECK(number->width <= layout.cell_width - 4.0f);
      CHECK(number->size >= 9.5f);
    }
  }
}

TEST_CASE("every tile from 8 pixels on carries a mark, so colour isn't alone") {
  for (const auto& [width, height] : {std::pair{900.0f, 620.0f}, std::pair{1280.0f, 800.0f}}) {
    const Screen screen = test::screen({{"training_mask", 0}}, 4, width, height);
    int different = 0;
    for (const ui::BoxItem* tile : test::boxes_with(screen.scene, Mark::map_tile)) {
      if (tile->fill != ui::Colour::different) continue;
      ++different;
      int lines = 0;
      for (const ui::LineItem* line : test::items_of<ui::LineItem>(screen.scene))
        lines += line->colour == ui::Colour::on_different && tile->rect.contains(line->a) &&
                         tile->rect.contains(line->b)
                     ? 1
                     : 0;
      INFO("tensor " << tile->tag.row << " at width " << width);
      CHECK(lines == 3);  // two bars and what strikes them
    }
    CHECK(different > 0);
    const auto names = test::texts_with(screen.scene, Mark::map_row_name);
    CHECK_FALSE(names.empty());
    for (const ui::TextItem* name : names) {
      CHECK(name->size >= 10.5f);
      CHECK(name->origin.x == std::round(name->origin.x));
      CHECK(name->origin.y == std::round(name->origin.y));
    }
  }
}

TEST_CASE("a tile under the pointer is named with what its comparison found") {
  Screen screen = test::screen({{"training_mask", 0}}, 4, 1440);
  const auto& differences = screen.session.run().twin->differences;
  const int first = screen.session.run().twin->first_different;
  for (const int index : {0, first}) {
    const ui::Region* tile = screen.scene.find(ui::region_id(ui::group_of(ui::Group::map), index));
    REQUIRE(tile != nullptr);
    screen.send({.pointer = tile->rect.centre()});
    const auto& difference = differences[static_cast<std::size_t>(index)];
    CHECK(test::has_text(screen.scene, lessons::thousands(difference.ulp_at_largest) + " ULP"));
  }
}
