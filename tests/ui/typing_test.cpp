// Numbers that may be changed: by dragging up and down, with mouse and finger, and in the field that a page
// puts over them for a finger's keyboard.
#include <cmath>

#include "support/catch.h"
#include "ui/cell_edits.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::IntentKind;

namespace {

constexpr const char* kLesson = "self-attention";

Screen screen_at(float width, float height, bool touch) {
  Screen screen = test::screen({}, 0, width, height);
  screen.session = test::open_lesson(kLesson, 0);
  screen.touch = touch;
  screen.build();
  return screen;
}

const ui::Region& given(const Screen& screen) {
  for (const ui::Region& region : screen.scene.regions)
    if (region.typing && region.intent.label.site == tape::Site::embedding) return region;
  FAIL("nothing on this board may be changed");
  return screen.scene.regions.front();
}

ui::Point cell(const ui::Region& region, int row, int column) {
  return {region.grid.origin.x + (static_cast<float>(column) + 0.5f) * region.grid.cell_width,
          region.grid.origin.y + (static_cast<float>(row) + 0.5f) * region.grid.cell_height};
}

float value_at(const Screen& screen, const tape::Label& tensor, int row, int column) {
  const auto value = ui::number_in(screen.session, {tensor, 0, row, column});
  REQUIRE(value.has_value());
  return *value;
}

float tenths(float value, int more) { return (std::round(value * 10.0f) + static_cast<float>(more)) / 10.0f; }

void drag(Screen& screen, ui::Point from, ui::Point to) {
  screen.send({.pointer = from, .pressed = true, .held = true, .touch = screen.touch});
  for (const float part : {0.3f, 0.6f, 1.0f})
    screen.send({.pointer = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)},
                 .held = true,
                 .touch = screen.touch});
  screen.send({.pointer = to, .released = true, .touch = screen.touch});
}

}  // namespace

TEST_CASE("a number follows the mouse up and down by tenths, and one undo takes the whole drag back") {
  Screen screen = screen_at(1280, 800, false);
  const tape::Label tensor = given(screen).intent.label;
  const float before = value_at(screen, tensor, 1, 1);
  const ui::Point at = cell(given(screen), 1, 1);
  drag(screen, at, {at.x + 3.0f, at.y - 60.0f});
  CHECK(value_at(screen, tensor, 1, 1) == tenths(before, 10));
  CHECK(screen.session.focus() == lessons::Focus{tensor, 0, 1, 1});
  drag(screen, at, {at.x, at.y + 30.0f});
  CHECK(value_at(screen, tensor, 1, 1) == tenths(tenths(before, 10), -5));
  screen.press(ui::Key::z, false, true);
  CHECK(value_at(screen, tensor, 1, 1) == tenths(before, 10));
  screen.press(ui::Key::z, false, true);
  CHECK(value_at(screen, tensor, 1, 1) == before);
  CHECK_FALSE(screen.session.can_undo());
}

TEST_CASE("a click that trembles, or moves sideways, only chooses") {
  Screen screen = screen_at(1280, 800, false);
  const ui::Point at = cell(given(screen), 2, 0);
  drag(screen, at, {at.x + 2.0f, at.y + 3.0f});
  CHECK(screen.session.edits().empty());
  CHECK(screen.session.focus().row == 2);
  CHECK(screen.session.focus().column == 0);
}

TEST_CASE("a finger changes the number it has chosen, and the page stays still there alone") {
  for (const float width : {900.0f, 390.0f}) {
    INFO(width);
    Screen screen = screen_at(width, 844, true);
    screen.click(cell(given(screen), 1, 1));
    REQUIRE(screen.session.focus().has_cell());
    const lessons::Focus chosen = screen.session.focus();
    const ui::Point here = cell(given(screen), chosen.row, chosen.column);
    int holding = 0;
    for (const ui::Rect& hold : ui::holds(screen.scene)) {
      holding += hold.contains(here) ? 1 : 0;
      CHECK(hold.height < 80.0f);
    }
    CHECK(holding == 1);
    const ui::Point other = cell(given(screen), 3, 0);
    drag(screen, other, {other.x, other.y - 50.0f});
    CHECK(screen.session.edits().empty());
    screen.focus(tape::to_string(chosen.tensor).c_str(), 0, chosen.row, chosen.column);
    const float before = value_at(screen, chosen.tensor, chosen.row, chosen.column);
    drag(screen, here, {here.x, here.y - 48.0f});
    CHECK(value_at(screen, chosen.tensor, chosen.row, chosen.column) == tenths(before, 8));
    CHECK(screen.session.edits().size() == 1);
    CHECK(screen.session.focus() == chosen);
    screen.press(ui::Key::z, false, true);
    CHECK(value_at(screen, chosen.tensor, chosen.row, chosen.column) == before);
  }
}

TEST_CASE(
    "a second tap on a number asks for a field over it; what is typed there counts, giving up doesn't") {
  for (const float width : {900.0f, 390.0f}) {
    Screen screen = screen_at(width, 844, true);
    const tape::Label tensor = given(screen).intent.label;
    const ui::Point at = cell(given(screen), 1, 1);
    screen.click(at);
    CHECK_FALSE(screen.view.edit.active());
    screen.click(cell(given(screen), screen.session.focus().row, screen.session.focus().column));
    REQUIRE(screen.view.edit.parameter == ui::NumberEdit::kCell);
    const lessons::Focus chosen = screen.session.focus();
    const ui::Rect place = ui::typing_place(screen.scene, screen.view.edit);
    CHECK(place.contains(cell(given(screen), chosen.row, chosen.column)));
    screen.send({.typed = ui::Typed::given_up});
    CHECK_FALSE(screen.view.edit.active());
    CHECK(screen.session.edits().empty());
    screen.click(cell(given(screen), chosen.row, chosen.column));
    screen.send({.typed = ui::Typed::number, .number = -2.25f});
    CHECK(value_at(screen, tensor, chosen.row, chosen.column) == -2.25f);
    CHECK(screen.session.can_undo());
    screen.send({.typed = ui::Typed::number, .number = 7.0f});  // nothing is being typed
    CHECK(value_at(screen, tensor, chosen.row, chosen.column) == -2.25f);
  }
}

TEST_CASE("a number of the settings is typed in a field over its own, and limited as ever") {
  Screen screen = test::screen({}, 0, 390.0f, 844.0f);
  screen.view.card = ui::Card::settings;
  screen.build();
  const ui::Region* field = screen.region_for(IntentKind::edit_parameter);
  REQUIRE(field != nullptr);
  const int parameter = field->intent.index;
  screen.click(field->visual.centre());
  REQUIRE(screen.view.edit.parameter == parameter);
  CHECK(ui::typing_place(screen.scene, screen.view.edit) ==
        screen.region_for(IntentKind::edit_parameter)->visual);
  screen.send({.typed = ui::Typed::number, .number = 1e9f});
  const lessons::Lesson& lesson = screen.session.lesson();
  CHECK(screen.session.values()[static_cast<std::size_t>(parameter)] ==
        lessons::maximum_now(lesson, screen.session.values(), parameter));
}
