// From any lesson to any other, and back and forth in time, at every size: by pointer, by touch, by keyboard.
#include <algorithm>

#include "lessons/registry.h"
#include "support/catch.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::IntentKind;
using ui::Key;

namespace {

struct CanvasSize {
  float width, height;
  bool touch;
};
constexpr CanvasSize kSizes[] = {{1280, 800, false}, {1280, 800, true}, {900, 620, false},
                                 {900, 620, true},   {390, 844, true},  {360, 640, true}};

Screen screen_of(const char* lesson, int step, const CanvasSize& size) {
  Screen screen = test::screen({}, 0, size.width, size.height);
  screen.session = test::open_lesson(lesson, step);
  screen.touch = size.touch;
  screen.build();
  return screen;
}

std::vector<std::string> slugs() {
  std::vector<std::string> all;
  for (const lessons::Lesson* lesson : lessons::all_lessons()) all.emplace_back(lesson->slug);
  return all;
}

const ui::Region& one(const Screen& screen, IntentKind kind) {
  for (const ui::Region& region : screen.scene.regions)
    if (region.intent.kind == kind && region.layer == screen.scene.top_layer()) return region;
  FAIL("nothing does that here");
  return screen.scene.regions.front();
}

bool has(const Screen& screen, IntentKind kind) {
  return std::any_of(screen.scene.regions.begin(), screen.scene.regions.end(), [&](const ui::Region& region) {
    return region.intent.kind == kind && region.layer == screen.scene.top_layer();
  });
}

void open_settings(Screen& screen) {
  if (!has(screen, IntentKind::undo)) screen.click(one(screen, IntentKind::toggle_settings).rect.centre());
}

/// Lessons and steps from the first to where `forward` leads nowhere any more.
template <class Forward>
std::vector<std::string> walk(Screen& screen, const Forward& forward) {
  std::vector<std::string> visited{screen.session.lesson().slug};
  for (int presses = 0; presses < 200; ++presses) {
    const std::uint32_t before = screen.session.revision();
    forward();
    if (screen.session.revision() == before) return visited;
    if (visited.back() != screen.session.lesson().slug) {
      CHECK(screen.session.step_index() == 0);
      visited.emplace_back(screen.session.lesson().slug);
    }
  }
  return visited;
}

}  // namespace

TEST_CASE("one button leads from the first step of the first lesson to the last of the last") {
  for (const CanvasSize& size : kSizes) {
    INFO(size.width << " touch " << size.touch);
    Screen screen = screen_of(slugs().front().c_str(), 0, size);
    const auto visited = walk(screen, [&] {
      const ui::Region* forward = screen.scene.find(ui::forward_id());
      REQUIRE(forward != nullptr);
      screen.click({forward->rect.x + 20.0f, forward->rect.centre().y});
    });
    CHECK(visited == slugs());
    CHECK(screen.session.step_index() + 1 == screen.session.step_count());
    CHECK_FALSE(screen.scene.find(ui::forward_id())->enabled);
  }
}

TEST_CASE("the right arrow and Space lead there too") {
  for (const Key key : {Key::right, Key::space})
    for (const CanvasSize& size : kSizes) {
      Screen screen = screen_of(slugs().front().c_str(), 0, size);
      CHECK(walk(screen, [&] { screen.press(key); }) == slugs());
    }
}

TEST_CASE("a key held down stops at the end of the lesson") {
  Screen screen = screen_of("positions", 0, kSizes[0]);
  for (int i = 0; i < 40; ++i) {
    ui::Input input{.keyboard_focus = true};
    input.keys.push_back({.key = Key::right, .repeated = true});
    screen.send(input);
  }
  CHECK(screen.session.lesson().slug == std::string("positions"));
  CHECK(screen.session.step_index() + 1 == screen.session.step_count());
}

TEST_CASE("the button of a last step names the lesson it opens") {
  const auto all = lessons::all_lessons();
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    for (const CanvasSize& size : kSizes)
      for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
        Screen screen = screen_of(all[i]->slug, 0, size);
        screen.preferences.language = language;
        REQUIRE(screen.session.go_to_step(screen.session.step_count() - 1).ok());
        screen.build();
        const ui::Region& forward = *screen.scene.find(ui::forward_id());
        INFO(all[i]->slug << " at " << size.width << ": " << forward.label);
        CHECK(forward.label.find(all[i + 1]->title.in(language)) != std::string::npos);
        // What stands on it is the whole name wherever nothing else needs the room.
        if (size.width > 400.0f) CHECK(test::has_text(screen.scene, all[i + 1]->short_title.in(language)));
      }
}

TEST_CASE("the list of lessons opens from the bar and leads to each of them") {
  const auto all = lessons::all_lessons();
  for (const CanvasSize& size : kSizes) {
    if (size.width >= 1100.0f) continue;  // the rail is the list
    for (std::size_t i = 0; i < all.size(); ++i) {
      Screen screen = screen_of("why-attention", 1, size);
      screen.click(one(screen, IntentKind::toggle_lessons).visual.centre());
      REQUIRE(screen.view.card == ui::Card::lessons);
      const auto item = std::find_if(
          screen.scene.regions.begin(), screen.scene.regions.end(), [&](const ui::Region& region) {
            return region.layer == 1 && region.intent.kind == IntentKind::open_lesson &&
                   region.intent.value == static_cast<int>(i);
          });
      REQUIRE(item != screen.scene.regions.end());
      INFO(size.width << " " << all[i]->slug);
      CHECK(item->rect.height >= (size.touch ? 40.0f : 28.0f));
      screen.click(item->rect.centre());
      CHECK(screen.view.card == ui::Card::none);
      CHECK(screen.session.lesson().slug == std::string(all[i]->slug));
      CHECK(screen.session.step_index() == (i == 0 ? 1 : 0));  // the open one stays where it is
    }
  }
}

TEST_CASE("the list is opened, gone through and left by keyboard") {
  for (const CanvasSize& size : {kSizes[2], kSizes[4]}) {
    Screen screen = screen_of("why-attention", 0, size);
    for (int i = 0; i < 60 && screen.view.card == ui::Card::none; ++i) {
      screen.press(Key::tab);
      const ui::Region* at = screen.scene.find(screen.view.keyboard.region);
      if (at != nullptr && at->intent.kind == IntentKind::toggle_lessons) screen.press(Key::enter);
    }
    REQUIRE(screen.view.card == ui::Card::lessons);
    for (int i = 0; i < 4; ++i) {
      screen.press(Key::tab);
      if (screen.scene.find(screen.view.keyboard.region)->intent.kind == IntentKind::open_lesson) break;
    }
    screen.press(Key::down);
    screen.press(Key::down);
    screen.press(Key::enter);
    CHECK(screen.session.lesson().slug == slugs()[2]);
    CHECK(screen.view.card == ui::Card::none);
  }
}

TEST_CASE("undo, redo and start over are there at every size, and grey where there is nothing to do") {
  for (const CanvasSize& size : kSizes)
    for (const lessons::Lesson* lesson : lessons::all_lessons()) {
      INFO(lesson->slug << " at " << size.width << " touch " << size.touch);
      Screen screen = screen_of(lesson->slug, 0, size);
      const auto enabled = [&](IntentKind kind) { return one(screen, kind).enabled; };
      const auto click = [&](IntentKind kind) { screen.click(one(screen, kind).visual.centre()); };
      open_settings(screen);
      for (const IntentKind kind : {IntentKind::undo, IntentKind::redo, IntentKind::reset})
        CHECK_FALSE(enabled(kind));
      REQUIRE(screen.session.go_to_step(1).ok());
      screen.build();
      CHECK(enabled(IntentKind::undo));
      CHECK(enabled(IntentKind::reset));
      click(IntentKind::undo);
      CHECK(screen.session.step_index() == 0);
      CHECK_FALSE(enabled(IntentKind::undo));
      CHECK_FALSE(enabled(IntentKind::reset));
      REQUIRE(enabled(IntentKind::redo));
      click(IntentKind::redo);
      CHECK(screen.session.step_index() == 1);
      click(IntentKind::reset);
      CHECK(screen.session.step_index() == 0);
      CHECK_FALSE(screen.session.can_reset());
      click(IntentKind::undo);
      CHECK(screen.session.step_index() == 1);
    }
}

TEST_CASE("R starts over, but not while a number is typed") {
  Screen screen = screen_of("why-attention", 2, kSizes[0]);
  screen.view.edit = {ui::NumberEdit::kCell, "4"};
  screen.press(Key::r);
  CHECK(screen.session.step_index() == 2);
  screen.view.edit = {};
  CHECK(screen.press(Key::r).key_used);
  CHECK(screen.session.step_index() == 0);
  CHECK(screen.session.can_undo());
}

TEST_CASE("the keys are explained from a button of the rail and of the card") {
  for (const CanvasSize& size : {kSizes[0], kSizes[2]}) {
    Screen screen = screen_of("positions", 0, size);
    open_settings(screen);
    screen.click(one(screen, IntentKind::toggle_help).visual.centre());
    CHECK(screen.view.card == ui::Card::help);
  }
}
