#include "ui/interaction.h"

#include <set>

#include "support/catch.h"
#include "ui/keyboard.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::IntentKind;
using ui::Key;

namespace {

ui::Point centre_of(const ui::Region* region) {
  REQUIRE(region != nullptr);
  return region->rect.centre();
}

/// Tab from outside until it leaves, and inside each stop every arrow: the regions that had the focus.
std::set<ui::RegionId> reached_by_keyboard(Screen& screen) {
  std::set<ui::RegionId> reached;
  screen.view.keyboard = {};
  for (int presses = 0; presses < 400; ++presses) {
    const bool used = screen.press(Key::tab).key_used;
    if (!used) return reached;
    std::vector<ui::Spot> open{screen.view.keyboard};
    while (!open.empty()) {
      const ui::Spot spot = open.back();
      open.pop_back();
      if (!reached.insert(spot.region).second) continue;
      const ui::Region* region = screen.scene.find(spot.region);
      if (region == nullptr || region->role != ui::RegionRole::option) continue;
      for (const Key key : {Key::left, Key::right, Key::up, Key::down}) {
        screen.view.keyboard = spot;
        screen.press(key);
        open.push_back(screen.view.keyboard);
      }
      screen.view.keyboard = spot;
    }
  }
  FAIL("Tab never leaves the canvas");
  return reached;
}

}  // namespace

TEST_CASE("the keyboard reaches every region and Tab leaves at both ends") {
  struct Case {
    float width, height;
  };
  for (const Case& size : {Case{1280, 800}, Case{900, 620}, Case{390, 900}}) {
    Screen screen = test::screen({{"training_mask", 0}}, 4, size.width, size.height);
    screen.view.edit = {};
    const std::set<ui::RegionId> reached = reached_by_keyboard(screen);
    for (const ui::Region& region : screen.scene.regions) {
      if (!region.enabled || region.pointer_only) continue;
      INFO(region.label << " at width " << size.width);
      CHECK(reached.count(region.id) == 1);
    }
    screen.view.keyboard = {};
    CHECK(screen.press(Key::tab, true).key_used);
    const ui::RegionId last = screen.view.keyboard.region;
    CHECK_FALSE(screen.press(Key::tab).key_used);
    CHECK(screen.view.keyboard.region == 0);
    CHECK(last != 0);
  }
}

TEST_CASE("focus that comes in from outside lands on the first or the last stop") {
  Screen screen = test::screen();
  screen.send({.keyboard_focus = true, .entry = ui::Entry::forward});
  const auto stops = ui::keyboard_stops(screen.scene);
  // Of options the chosen one: the rail's is the lesson that is open.
  const ui::Region* first = screen.scene.find(screen.view.keyboard.region);
  REQUIRE(first != nullptr);
  CHECK(first->group == screen.scene.regions[stops.front()].group);
  CHECK(first->selected);
  screen.send({.keyboard_focus = true, .entry = ui::Entry::backward});
  CHECK(screen.view.keyboard.region == screen.scene.regions[stops.back()].id);
  CHECK(screen.view.show_keyboard);
}

TEST_CASE("a click on a cell selects it, and the arrows move on from there") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  screen.focus("decoder.0.self_attention.weights");
  const ui::PaneLayout& pane = screen.layout.training;
  screen.click(
      {pane.origin.x + 1.5f * screen.layout.cell_width, pane.origin.y + 2.5f * screen.layout.cell_height});
  CHECK(screen.session.focus().row == 2);
  CHECK(screen.session.focus().column == 1);
  CHECK(screen.press(Key::up).key_used);
  CHECK(screen.press(Key::left).key_used);
  CHECK(screen.press(Key::left).key_used);  // stays at the edge
  CHECK(screen.session.focus().row == 1);
  CHECK(screen.session.focus().column == 0);
  CHECK(screen.press(Key::escape).key_used);
  CHECK_FALSE(screen.session.focus().has_cell());
  CHECK_FALSE(screen.press(Key::escape).key_used);
}

TEST_CASE("a release somewhere else than the press does nothing") {
  Screen screen = test::screen();
  const ui::Point forward = centre_of(screen.region_for(IntentKind::step_by, 1));
  screen.send({.pointer = forward, .pressed = true, .held = true});
  screen.send({.pointer = {1.0f, 1.0f}, .released = true});
  CHECK(screen.session.step_index() == 0);
  screen.click(forward);
  CHECK(screen.session.step_index() == 1);
}

TEST_CASE("arrows, Home, End and Space step the narration when nothing has the keyboard") {
  Screen screen = test::screen();
  CHECK(screen.press(Key::right).key_used);
  CHECK(screen.press(Key::space).key_used);
  CHECK(screen.session.step_index() == 2);
  CHECK(screen.press(Key::left).key_used);
  CHECK(screen.session.step_index() == 1);
  screen.press(Key::end);
  CHECK(screen.session.step_index() == screen.session.step_count() - 1);
  screen.press(Key::home);
  CHECK(screen.session.step_index() == 0);
  CHECK_FALSE(screen.press(Key::enter).key_used);
  CHECK_FALSE(screen.press(Key::up).key_used);
  CHECK_FALSE(screen.press(Key::backspace).key_used);
  CHECK_FALSE(screen.press(Key::z).key_used);
}

TEST_CASE("left and right step from every stop that has no use for them itself") {
  Screen screen = test::screen();
  screen.send({.keyboard_focus = true, .entry = ui::Entry::forward});
  int stepping = 0;
  for (std::size_t stop = 0; stop < ui::keyboard_stops(screen.scene).size(); ++stop) {
    const ui::Region* focused = screen.scene.find(screen.view.keyboard.region);
    REQUIRE(focused != nullptr);
    bool used = focused->role == ui::RegionRole::grid || focused->role == ui::RegionRole::number;
    for (const ui::Region& other : screen.scene.regions)
      if (focused->role == ui::RegionRole::option && other.group == focused->group &&
          other.visual.centre().x != focused->visual.centre().x)
        used = true;
    INFO(focused->label);
    const ui::Spot spot = screen.view.keyboard;
    CHECK(screen.press(Key::right).key_used);
    CHECK(screen.session.step_index() == (used ? 0 : 1));
    stepping += used ? 0 : 1;
    screen.press(Key::home);
    screen.view.keyboard = spot;
    screen.press(Key::tab);
  }
  CHECK(stepping >= 5);
}

TEST_CASE("a rail of several lessons goes up and down, and left and right step there too") {
  Screen screen = test::screen();
  screen.lessons = 3;
  screen.build();
  screen.send({.keyboard_focus = true, .entry = ui::Entry::forward});
  const ui::RegionId first = screen.view.keyboard.region;
  screen.press(Key::down);
  CHECK(screen.view.keyboard.region != first);
  CHECK(screen.session.step_index() == 0);
  screen.press(Key::right);
  CHECK(screen.session.step_index() == 1);
}

TEST_CASE("keys do nothing without the keyboard's focus") {
  Screen screen = test::screen();
  ui::Input input;
  input.keys.push_back({Key::right, false, false, 0});
  CHECK_FALSE(screen.send(input).key_used);
  CHECK(screen.session.step_index() == 0);
}

TEST_CASE("Ctrl+Z takes a change back and Ctrl+Shift+Z brings it again") {
  Screen screen = test::screen();
  const int switched = 1 - screen.session.value_of("training_mask");
  screen.click(centre_of(screen.scene.find(ui::region_id(ui::group_of(ui::Group::training_switch)))));
  CHECK(screen.session.value_of("training_mask") == switched);
  screen.press(Key::z, false, true);
  CHECK(screen.session.value_of("training_mask") == 1 - switched);
  screen.press(Key::z, true, true);
  CHECK(screen.session.value_of("training_mask") == switched);
}

TEST_CASE("a number takes typed digits, is limited, and Esc leaves it as it was") {
  Screen screen = test::screen();
  const int index = lessons::find_parameter(screen.session.lesson(), "seed");
  const ui::RegionId field = ui::region_id(ui::group_of(ui::Group::settings, index));
  screen.click(centre_of(screen.scene.find(field)));
  for (const int digit : {4, 2}) screen.type(digit);
  CHECK(test::has_text(screen.scene, "42"));
  CHECK(screen.session.value_of("seed") == 0);
  CHECK(screen.press(Key::enter).key_used);
  CHECK(screen.session.value_of("seed") == 42);
  screen.type(7);
  screen.press(Key::escape);
  CHECK(screen.session.value_of("seed") == 42);
  for (int i = 0; i < 12; ++i) screen.type(9);
  screen.press(Key::enter);
  CHECK(screen.session.value_of("seed") == 9999);
  screen.press(Key::down);
  CHECK(screen.session.value_of("seed") == 9998);
}

TEST_CASE("poking takes a token chip, then offers to take it back") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  const ui::RegionId poke = ui::region_id(ui::group_of(ui::Group::poke));
  const ui::Point chip = centre_of(screen.scene.find(ui::region_id(ui::group_of(ui::Group::tokens), 1)));
  screen.click(centre_of(screen.scene.find(poke)));
  CHECK(screen.view.poke_armed);
  screen.click(chip);
  CHECK(screen.session.run().twin->poked_position == 1);
  CHECK(screen.session.run().twin->inference.target_length == 3);
  screen.click(centre_of(screen.scene.find(poke)));
  CHECK(screen.session.run().twin->poked_position == -1);
  screen.click(chip);
  CHECK(screen.session.run().twin->inference.target_length == 2);
}

TEST_CASE("a long target is a track that can be dragged") {
  Screen screen = test::screen({{"length", 32}, {"prefix", 4}}, 4);
  const ui::Region* track = screen.scene.find(ui::region_id(ui::group_of(ui::Group::tokens)));
  REQUIRE(track != nullptr);
  const ui::Grid grid = track->grid;
  const float y = track->rect.centre().y;
  const auto at = [&](float token) { return ui::Point{grid.origin.x + (token + 0.5f) * grid.cell_width, y}; };
  screen.send({.pointer = at(9), .pressed = true, .held = true});
  CHECK(screen.session.run().twin->inference.target_length == 10);
  screen.send({.pointer = at(14), .held = true});
  screen.send({.pointer = {5000.0f, y}, .held = true});
  CHECK(screen.session.run().twin->inference.target_length == 32);
  screen.send({.pointer = at(2), .released = true});
  CHECK(screen.session.run().twin->inference.target_length == 32);
}

TEST_CASE("a finger on small cells picks the row and keeps the column") {
  Screen screen = test::screen({{"prefix", 3}, {"length", 16}}, 4, 390, 900);
  screen.focus("decoder.0.self_attention.weights", 0, 1, 1);
  const ui::PaneLayout& pane = screen.layout.training;
  screen.click(
      {pane.origin.x + 6.5f * screen.layout.cell_width, pane.origin.y + 9.5f * screen.layout.cell_height});
  CHECK(screen.session.focus().row == 9);
  CHECK(screen.session.focus().column == 1);
}

TEST_CASE("an open card keeps Tab inside and hides what lies under it") {
  Screen screen = test::screen({}, 0, 900, 620);
  screen.click(centre_of(screen.region_for(IntentKind::toggle_settings)));
  REQUIRE(screen.view.card == ui::Card::settings);
  for (int i = 0; i < 40; ++i) {
    CHECK(screen.press(Key::tab).key_used);
    CHECK(screen.scene.find(screen.view.keyboard.region)->layer == 1);
  }
  const int step = screen.session.step_index();
  screen.click({60.0f, 590.0f});  // on the veil, where the transport is
  CHECK(screen.view.card == ui::Card::none);
  CHECK(screen.session.step_index() == step);
}

TEST_CASE("a tile of the map brings its tensor onto the stage") {
  Screen screen = test::screen({}, 4);
  for (const tape::TensorDifference& difference : screen.session.run().twin->differences) {
    const ui::Region* tile = nullptr;
    for (const ui::Region& region : screen.scene.regions)
      if (region.intent.kind == IntentKind::focus_tensor && region.intent.label == difference.label)
        tile = &region;
    INFO(tape::to_string(difference.label));
    REQUIRE(tile != nullptr);
    screen.click(tile->rect.centre());
    CHECK(screen.session.focus().tensor == difference.label);
    CHECK(test::boxes_with(screen.scene, ui::Mark::map_ring).size() == 1);
  }
}

TEST_CASE("playing writes one token a hold and stops at the last") {
  Screen screen = test::screen({{"prefix", 2}}, 4);
  screen.press(Key::p);
  CHECK(screen.view.playing);
  double now = 0.0;
  for (int expected = 2; expected <= 5; ++expected) {
    CHECK(screen.session.run().twin->inference.target_length == expected);
    ui::advance_playing(screen.session, screen.view, now + 0.1);
    CHECK(screen.session.run().twin->inference.target_length == expected);
    now += ui::kTokenHold + 0.2;
    ui::advance_playing(screen.session, screen.view, now);
  }
  CHECK_FALSE(screen.view.playing);
  CHECK(screen.session.run().twin->inference.target_length == 5);
}

TEST_CASE("playing stops when the lesson goes to another step") {
  const int last = test::open_lesson().step_count() - 1;
  for (const Key key : {Key::left, Key::right, Key::home, Key::end}) {
    Screen screen = test::screen({{"prefix", 2}}, 4);
    screen.press(Key::p);
    REQUIRE(screen.view.playing);
    screen.press(key);
    CHECK_FALSE(screen.view.playing);
    const int prefix = screen.session.run().twin->inference.target_length;
    ui::advance_playing(screen.session, screen.view, 10.0 * ui::kTokenHold);
    CHECK(screen.session.run().twin->inference.target_length == prefix);
  }
  Screen screen = test::screen({{"prefix", 2}}, 4);
  screen.press(Key::p);
  REQUIRE(screen.session.go_to_step(last).ok());  // by the page, not through an intent
  ui::advance_playing(screen.session, screen.view, 10.0 * ui::kTokenHold);
  CHECK_FALSE(screen.view.playing);
}

TEST_CASE("a cell in the newest row goes on with the newest row, any other stays") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  const auto chip = [&](int token) {
    screen.click(centre_of(screen.scene.find(ui::region_id(ui::group_of(ui::Group::tokens), token))));
  };
  screen.focus("decoder.0.self_attention.weights", 0, 2, 2);
  chip(3);
  CHECK(screen.session.focus().row == 3);
  CHECK(screen.session.focus().column == 2);
  screen.press(Key::p);
  ui::advance_playing(screen.session, screen.view, 2.0 * ui::kTokenHold);
  CHECK(screen.session.focus().row == 4);
  chip(1);
  CHECK(screen.session.focus().row == 1);
  CHECK(screen.session.focus().column == 1);  // the mask hides later columns
  screen.focus("decoder.0.self_attention.weights", 0, 0, 0);
  chip(3);
  CHECK(screen.session.focus().row == 0);
  screen.focus("encoder.0.self_attention.weights", 0, 3, 1);  // its rows are source tokens
  chip(4);
  CHECK(screen.session.focus().row == 3);
}

TEST_CASE("play and pause from outside do what the button does, other verbs are left to others") {
  Screen screen = test::screen({{"prefix", 5}}, 4);
  CHECK(ui::view_command("play", screen.session, screen.view));
  CHECK(screen.view.playing);
  CHECK(screen.session.run().twin->inference.target_length == 1);  // from the start again
  CHECK(ui::view_command("play", screen.session, screen.view));
  CHECK(screen.view.playing);
  CHECK(ui::view_command("pause", screen.session, screen.view));
  CHECK_FALSE(screen.view.playing);
  CHECK_FALSE(ui::view_command("reset", screen.session, screen.view));
}

TEST_CASE("on a phone every compared tensor can be reached through the cards of the layers") {
  Screen screen = test::screen({}, 4, 390, 844);
  REQUIRE(screen.layout.map_form == ui::MapForm::layers);
  std::vector<ui::Point> buttons;
  for (const ui::Region& region : screen.scene.regions)
    if (region.intent.kind == IntentKind::toggle_tensors) buttons.push_back(region.rect.centre());
  CHECK(buttons.size() == 12);
  std::set<std::string> reached;
  for (const ui::Point button : buttons) {
    screen.click(button);
    REQUIRE(screen.view.card == ui::Card::tensors);
    for (const ui::Region& region : screen.scene.regions)
      if (region.layer == 1 && region.intent.kind == IntentKind::focus_tensor)
        reached.insert(tape::to_string(region.intent.label));
    screen.press(Key::escape);
  }
  for (const tape::TensorDifference& difference : screen.session.run().twin->differences) {
    INFO(tape::to_string(difference.label));
    CHECK(reached.count(tape::to_string(difference.label)) == 1);
  }
}
