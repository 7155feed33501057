// Scores, their mask and the weights in one place; and a block that opens.
#include <algorithm>

#include "core/bits.h"
#include "support/catch.h"
#include "tape/explain.h"
#include "ui/board_places.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::IntentKind;
using ui::Key;
using ui::Mark;

namespace {

constexpr const char* kScores = "encoder.0.self_attention.scores";
constexpr const char* kWeights = "encoder.0.self_attention.weights";
constexpr int kScoreStep = 3;

Screen board(const char* slug, int step, float width = 1280.0f, float height = 800.0f) {
  Screen screen = test::screen({}, 0, width, height);
  screen.session = test::open_lesson(slug, step);
  screen.build();
  return screen;
}

std::string shown(const Screen& screen) { return tape::to_string(screen.session.focus().tensor); }

std::vector<const ui::Region*> turns(const Screen& screen) {
  std::vector<const ui::Region*> found;
  for (const ui::Region& region : screen.scene.regions)
    if (region.group >= ui::group_of(ui::Group::turns) && region.group < ui::group_of(ui::Group::openers))
      found.push_back(&region);
  return found;
}

const ui::Region* opener(const Screen& screen, const std::string& tensor) {
  for (const ui::Region& region : screen.scene.regions)
    if (region.intent.kind == IntentKind::open_block && tape::to_string(region.intent.label) == tensor)
      return &region;
  return nullptr;
}

const ui::HeatmapItem* map_of(const Screen& screen, const std::string& tensor) {
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(screen.scene))
    if (tape::to_string(map->label) == tensor) return map;
  return nullptr;
}

std::size_t hidden_cells(const ui::HeatmapItem& map) {
  return static_cast<std::size_t>(std::count(map.states.begin(), map.states.end(), gfx::CellState::masked));
}

/// Numbers that lie on a heat map.
std::size_t numbers_on(const Screen& screen, const ui::HeatmapItem& map) {
  const ui::Rect rect{map.cells.x, map.cells.y, map.cells.cell_width * static_cast<float>(map.cells.columns),
                      map.cells.cell_height * static_cast<float>(map.cells.rows)};
  std::size_t count = 0;
  for (const ui::TextItem* number : test::texts_with(screen.scene, Mark::cell_number))
    count += rect.contains(number->box().centre()) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a switch over the cells leads through scores, mask and weights in one place") {
  for (const char* slug : {"self-attention", "mask-lab"})
    for (const bool touch : {false, true}) {
      Screen screen = board(slug, slug[0] == 's' ? kScoreStep : 0);
      screen.touch = touch;
      if (slug[0] == 's') REQUIRE(screen.session.set_parameter("causal_mask", 1).ok());
      screen.build();
      REQUIRE(turns(screen).size() == 3);
      const auto choose = [&](std::size_t which) -> const ui::HeatmapItem& {
        screen.click(turns(screen)[which]->visual.centre());
        CHECK(turns(screen)[which]->selected);
        const ui::HeatmapItem* map = map_of(screen, shown(screen));
        REQUIRE(map != nullptr);
        return *map;
      };
      const ui::HeatmapItem scores = choose(0);
      CHECK(hidden_cells(scores) == 0);
      CHECK(numbers_on(screen, scores) == scores.values.size());
      const ui::HeatmapItem masked = choose(1);
      CHECK(masked.values == scores.values);  // a mask doesn't change a score: it hides it
      CHECK(hidden_cells(masked) == 6);
      CHECK(numbers_on(screen, masked) == masked.values.size() - 6);
      const ui::HeatmapItem weights = choose(2);
      CHECK(hidden_cells(weights) == 6);
      CHECK(weights.states == masked.states);
      CHECK(weights.cells.ramp == gfx::Ramp::weights);
      for (const ui::HeatmapItem* map : {&masked, &weights}) {
        CHECK(map->cells.x == scores.cells.x);
        CHECK(map->cells.y == scores.cells.y);
        CHECK(map->cells.cell_width == scores.cells.cell_width);
      }
    }
}

TEST_CASE("rows of the mask stand level with rows of what it hides") {
  for (const bool touch : {false, true}) {
    Screen screen = board("mask-lab", 0);
    screen.touch = touch;
    screen.build();
    const auto maps = test::items_of<ui::HeatmapItem>(screen.scene);
    REQUIRE(maps.size() == 2);
    CHECK(maps[0]->cells.y == maps[1]->cells.y);
    CHECK(maps[0]->cells.cell_height == maps[1]->cells.cell_height);
  }
}

TEST_CASE("keys go through it as through any options, and the chosen cell stays") {
  Screen screen = board("self-attention", kScoreStep);
  const lessons::Focus before = screen.session.focus();
  for (int tab = 0; tab < 60 && (screen.view.keyboard.region >> 16) < ui::group_of(ui::Group::turns); ++tab)
    screen.press(Key::tab);
  REQUIRE((screen.view.keyboard.region >> 16) >= ui::group_of(ui::Group::turns));
  screen.press(Key::right);
  screen.press(Key::space);
  CHECK(shown(screen) == kScores);
  CHECK_FALSE(screen.session.focus().unmasked);
  screen.press(Key::right);
  screen.press(Key::enter);
  CHECK(shown(screen) == kWeights);
  CHECK(screen.session.focus().row == before.row);
  CHECK(screen.session.focus().column == before.column);
}

TEST_CASE("the place shows scores while what is looked at goes into them, and weights after that") {
  Screen screen = board("self-attention", 0);
  CHECK(map_of(screen, kScores) != nullptr);
  for (const char* later : {"encoder.0.self_attention.context", "encoder.0.self_attention.value"}) {
    screen.focus(later, 0, 0, 0);
    CHECK(map_of(screen, kWeights) != nullptr);
    CHECK(map_of(screen, kScores) == nullptr);
  }
  screen.focus("encoder.0.self_attention.key", 0, 0, 0);
  CHECK(map_of(screen, kScores) != nullptr);
}

TEST_CASE("what a weight is made of is lit through the scores that take turns with it") {
  Screen screen = board("self-attention", kScoreStep);
  screen.focus(kWeights, 0, 2, 1);
  const ui::BoardModel model =
      ui::board_model(screen.session.lesson(), screen.session.run(), kScoreStep, screen.session.focus());
  for (const ui::BlockModel& block : model.blocks) {
    const std::string name = tape::to_string(block.block->tensor);
    if (name.ends_with(".query")) {
      CHECK(block.lit.first_row == 2);
      CHECK(block.lit.last_row == 2);
    }
    if (name.ends_with(".key")) {
      CHECK(block.lit.first_row == 0);
      CHECK(block.lit.last_row == 3);
      CHECK_FALSE(block.lit.gap);
    }
    if (name.ends_with(".value")) CHECK_FALSE(block.lit.any());
  }
}

TEST_CASE("on a phone the chips are the switch") {
  Screen phone = board("self-attention", kScoreStep, 390, 844);
  const auto options = ui::block_options(
      ui::subject_of(phone.session),
      ui::board_model(phone.session.lesson(), phone.session.run(), kScoreStep, phone.session.focus()),
      lessons::Language::en);
  const auto chip = [&](const char* name) {
    return std::count_if(options.begin(), options.end(),
                         [&](const ui::Option& option) { return option.text == name; });
  };
  for (const char* name : {"Scores", "Masked", "Weights"}) CHECK(chip(name) == 1);
  CHECK(std::count_if(options.begin(), options.end(), [](const ui::Option& one) { return one.selected; }) ==
        1);
}

TEST_CASE("the title of a block opens it with its numbers and its operands, a second click puts it back") {
  for (const float width : {1280.0f, 900.0f}) {
    Screen screen = board("self-attention", kScoreStep, width, width > 1000.0f ? 800.0f : 700.0f);
    const float small = map_of(screen, kScores)->cells.cell_height;
    REQUIRE(opener(screen, kScores) != nullptr);
    screen.click(opener(screen, kScores)->visual.centre());
    REQUIRE(screen.session.focus().open);
    const ui::HeatmapItem& large = *map_of(screen, kScores);
    CHECK(large.cells.cell_height > small);
    CHECK(numbers_on(screen, large) == large.values.size());
    CHECK(map_of(screen, "encoder.0.self_attention.query") != nullptr);
    CHECK(map_of(screen, "encoder.0.self_attention.key") != nullptr);
    CHECK(map_of(screen, "encoder.0.self_attention.context") == nullptr);
    // Its neighbours stay reachable: by their names, and the operands themselves.
    for (const ui::Region& region : screen.scene.regions)
      if (region.label.find("Output") != std::string::npos || region.label.find("输出") != std::string::npos)
        if (region.intent.kind == IntentKind::focus_tensor) {
          screen.click(region.visual.centre());
          break;
        }
    CHECK(shown(screen) == "encoder.0.self_attention.context");
    CHECK(screen.session.focus().open);
    REQUIRE(opener(screen, shown(screen)) != nullptr);
    screen.click(opener(screen, shown(screen))->visual.centre());
    CHECK_FALSE(screen.session.focus().open);
    CHECK(map_of(screen, "encoder.0.self_attention.query")->cells.cell_height == small);
  }
}

TEST_CASE(
    "the chosen cell opens its block when it is chosen again, by click, by touch and by key; Esc closes") {
  for (const bool touch : {false, true}) {
    Screen screen = board("self-attention", kScoreStep);
    screen.touch = touch;
    screen.build();
    const auto boxes = test::boxes_with(screen.scene, Mark::selected_cell);
    REQUIRE(boxes.size() == 1);
    screen.click(boxes[0]->rect.centre());
    CHECK(screen.session.focus().open);
    screen.click(test::boxes_with(screen.scene, Mark::selected_cell)[0]->rect.centre());
    CHECK_FALSE(screen.session.focus().open);
  }
  Screen screen = board("self-attention", kScoreStep);
  screen.click(test::boxes_with(screen.scene, Mark::selected_cell)[0]->rect.centre());
  REQUIRE(screen.session.focus().open);
  for (int i = 0; i < 6; ++i) screen.press(Key::up);  // the edge stops, and opens nothing
  CHECK(screen.session.focus().open);
  CHECK(screen.session.focus().row == 0);
  CHECK(screen.press(Key::escape).key_used);
  CHECK_FALSE(screen.session.focus().open);
  CHECK(screen.session.focus().has_cell());
  screen.press(Key::enter);
  CHECK(screen.session.focus().open);
  screen.press(Key::enter);
  CHECK_FALSE(screen.session.focus().open);
  screen.press(Key::enter);
  screen.session.step_by(1);
  CHECK_FALSE(screen.session.focus().open);
}

TEST_CASE("a page stays as high as it is when a block opens") {
  for (const float width : {1280.0f, 900.0f}) {
    Screen screen = board("self-attention", kScoreStep, width);
    const float before = screen.layout.minimum_height;
    screen.click(opener(screen, kScores)->visual.centre());
    CHECK(screen.layout.minimum_height == before);
  }
}

TEST_CASE("of the names over an opened block one is chosen, and each leads to another matrix") {
  Screen screen = board("self-attention", 6);
  lessons::Focus focus = screen.session.focus();
  focus.open = true;
  REQUIRE(screen.session.focus_on(focus).ok());
  screen.build();
  const auto options = ui::block_options(
      ui::subject_of(screen.session),
      ui::board_model(screen.session.lesson(), screen.session.run(), 6, screen.session.focus()),
      lessons::Language::en);
  int chosen = 0;
  for (const ui::Option& option : options) {
    chosen += option.selected ? 1 : 0;
    for (const ui::Option& other : options) CHECK((&option == &other || !(option.intent == other.intent)));
  }
  CHECK(chosen == 1);
}
