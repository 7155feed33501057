// The native window says everything a page says: each line of each step is on the screen or can be scrolled
// to, and a term of the glossary has its card.
#include <algorithm>
#include <map>

#include "lessons/glossary.h"
#include "lessons/registry.h"
#include "support/catch.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::IntentKind;
using ui::Key;

namespace {

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// The lines of text inside a rectangle of the top layer, each from left to right.
std::vector<std::string> lines_in(const Screen& screen, const ui::Rect& area) {
  const int top = screen.scene.top_layer();
  std::map<int, std::map<float, std::string>> rows;
  for (const ui::Item& item : screen.scene.items) {
    const auto* text = std::get_if<ui::TextItem>(&item.shape);
    if (text == nullptr || item.layer != top || !area.contains(text->origin)) continue;
    CHECK(text->box().right() <= area.right() + 1.0f);
    CHECK(text->box().bottom() <= area.bottom() + 1.0f);
    rows[static_cast<int>(text->origin.y)][text->origin.x] = text->text;
  }
  std::vector<std::string> lines;
  for (const auto& [y, row] : rows) {
    std::string line;
    for (const auto& [x, text] : row) line += text;
    lines.push_back(without_spaces(line));
  }
  return lines;
}

/// All lines, page by page; a page begins with the last line of the page before.
std::string whole_text(Screen& screen, const ui::Rect& area) {
  std::vector<std::string> all = lines_in(screen, area);
  for (int page = 0; page < 60; ++page) {
    const ui::Region* down = nullptr;
    for (const ui::Region& region : screen.scene.regions)
      if (region.intent.kind == IntentKind::scroll_text && region.intent.value > 0 && region.enabled)
        down = &region;
    if (down == nullptr) break;
    screen.click(down->visual.centre());
    const std::vector<std::string> next = lines_in(screen, area);
    std::size_t common = std::min(all.size(), next.size());
    while (common > 0 && !std::equal(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(common),
                                     all.end() - static_cast<std::ptrdiff_t>(common)))
      --common;
    all.insert(all.end(), next.begin() + static_cast<std::ptrdiff_t>(common), next.end());
  }
  std::string text;
  for (const std::string& line : all) text += line;
  return text;
}

std::string plain(const lessons::Paragraph& paragraph) {
  std::string text;
  for (const lessons::TextRun& run : paragraph) text += run.text;
  return without_spaces(text);
}

struct CanvasSize {
  float width, height;
};

}  // namespace

TEST_CASE("every line of every step can be read in the native window, and none leaves its place") {
  for (const CanvasSize& size :
       {CanvasSize{1280, 800}, CanvasSize{1100, 560}, CanvasSize{900, 620}, CanvasSize{390, 700}})
    for (const lessons::Lesson* lesson : lessons::all_lessons()) {
      Screen screen = test::screen({}, 0, size.width, size.height);
      screen.session = test::open_lesson(lesson->slug, 0);
      for (int step = 0; step < screen.session.step_count(); ++step)
        for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
          REQUIRE(screen.session.go_to_step(step).ok());
          screen.preferences.language = language;
          screen.view.card = ui::Card::none;
          screen.view.text_line = 0;
          screen.build();
          ui::Rect area = screen.layout.narration;
          if (screen.layout.narration_layout != ui::NarrationLayout::panel) {
            screen.view.card = ui::Card::narration;
            screen.build();
            area = {0.0f, 0.0f, size.width, size.height};
          }
          INFO(lesson->slug << " step " << step << " at " << size.width << "x" << size.height);
          const std::string text = whole_text(screen, area);
          const lessons::Step& now = screen.session.step();
          for (const std::string& markup : {now.narration.in(language), now.try_it.in(language)})
            for (const lessons::Paragraph& paragraph : lessons::parse_narration(markup)) {
              INFO(plain(paragraph) << "\n in " << text);
              CHECK(text.find(plain(paragraph)) != std::string::npos);
            }
          CHECK(text.find(without_spaces(now.formula.text)) != std::string::npos);
          CHECK(text.find(without_spaces(now.title.in(language))) != std::string::npos);
        }
    }
}

TEST_CASE("at the size of the window it opens with, the panel needs no scrolling") {
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    Screen screen = test::screen();
    screen.face = test::Face::narrow;
    screen.session = test::open_lesson(lesson->slug, 0);
    for (int step = 0; step < screen.session.step_count(); ++step)
      for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
        REQUIRE(screen.session.go_to_step(step).ok());
        screen.preferences.language = language;
        screen.build();
        INFO(lesson->slug << " step " << step);
        CHECK(screen.region_for(IntentKind::scroll_text, 0) == nullptr);
      }
  }
}

TEST_CASE("the sentence of a small screen opens the card with the whole text") {
  for (const float width : {900.0f, 390.0f}) {
    Screen screen = test::screen({}, 1, width, 700.0f);
    const ui::Region* more = screen.region_for(IntentKind::toggle_narration);
    REQUIRE(more != nullptr);
    screen.click(more->visual.centre());
    CHECK(screen.view.card == ui::Card::narration);
    screen.press(Key::escape);
    CHECK(screen.view.card == ui::Card::none);
  }
}

TEST_CASE("the wheel scrolls a text that doesn't fit, as far as it goes") {
  Screen screen = test::screen({}, 0, 1100.0f, 380.0f);
  const ui::Point inside = screen.layout.narration.centre();
  screen.send({.pointer = inside, .wheel = -1.0f});
  CHECK(screen.view.text_line == 3);
  for (int i = 0; i < 50; ++i) screen.send({.pointer = inside, .wheel = -1.0f});
  const int last = screen.view.text_line;
  screen.send({.pointer = inside, .wheel = 1.0f});
  CHECK(screen.view.text_line == std::max(last - 3, 0));
  screen.send({.pointer = {10.0f, 10.0f}, .wheel = 1.0f});  // elsewhere
  CHECK(screen.view.text_line == std::max(last - 3, 0));
}

TEST_CASE("a term of the native narration opens its card, by pointer and by keyboard") {
  for (const auto language : {lessons::Language::zh, lessons::Language::en})
    for (const bool keyboard : {false, true}) {
      Screen screen = test::screen();
      screen.session = test::open_lesson("self-attention", 1);
      screen.preferences.language = language;
      screen.build();
      const ui::Region* word = nullptr;
      for (const ui::Region& region : screen.scene.regions)
        if (word == nullptr && region.intent.kind == IntentKind::toggle_term) word = &region;
      REQUIRE(word != nullptr);
      const lessons::Term& term = lessons::glossary()[static_cast<std::size_t>(word->intent.value)];
      if (keyboard) {
        screen.view.keyboard = {word->id};
        screen.press(Key::enter);
      } else {
        screen.click(word->rect.centre());
      }
      CHECK(screen.view.card == ui::Card::term);
      CHECK(test::has_text(screen.scene, term.name.in(language)));
      const std::string text = whole_text(screen, {0.0f, 0.0f, screen.width, screen.height});
      CHECK(text.find(without_spaces(term.definition.in(language))) != std::string::npos);
      screen.press(Key::escape);
      CHECK(screen.view.card == ui::Card::none);
    }
}
