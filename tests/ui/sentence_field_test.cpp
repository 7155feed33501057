// The window's own field for the reader's sentence: where it stands, what it shows, what keys and pointer do
// to it.
#include "ui/sentence_field.h"

#include "support/catch.h"
#include "ui/scene_support.h"

using namespace attn;
using ui::IntentKind;
using ui::Key;
using Words = std::vector<std::string>;

namespace {

test::Screen window(const char* slug = "self-attention", float width = 1280.0f, float height = 800.0f) {
  test::Screen screen{
      .session = test::open_lesson(slug, 0), .preferences = {}, .view = {}, .layout = {}, .scene = {}};
  screen.preferences.language = lessons::Language::en;
  screen.view.sentence_field = &ui::kSentenceField;
  screen.width = width;
  screen.height = height;
  ui::follow_session(screen.session, screen.view, 0.0, true);
  screen.build();
  return screen;
}

const ui::Region* box_of(const test::Screen& screen) { return screen.region_for(IntentKind::edit_sentence); }

/// As Dear ImGui's editor hands it over.
void write(test::Screen& screen, const char* text) {
  REQUIRE(screen.view.sentence.typing);
  screen.view.sentence.text = text;
  screen.view.sentence.refusal = {};
  screen.build();
}

/// What is said of the refusal, its lines put together.
std::string reason(const test::Screen& screen) {
  std::string text;
  for (const ui::TextItem* item : test::items_of<ui::TextItem>(screen.scene))
    if (item->colour == ui::Colour::different) {
      const bool latin = !text.empty() && static_cast<unsigned char>(text.back()) < 0x80;  // a new line
      text += (latin && text.back() != ' ' ? " " : "") + item->text;
    }
  return text;
}

std::string shown(const test::Screen& screen) {
  const auto texts = test::texts_with(screen.scene, ui::Mark::sentence);
  return texts.empty() ? "" : texts[0]->text;
}

}  // namespace

TEST_CASE("the window has a field for the sentence under the text, where the lesson has one to write") {
  for (const float width : {1280.0f, 1100.0f}) {
    const test::Screen screen = window("self-attention", width);
    const ui::Region* box = box_of(screen);
    REQUIRE(box != nullptr);
    const ui::Rect& panel = screen.layout.narration;
    CHECK(box->visual.x >= panel.x);
    CHECK(box->visual.right() <= panel.right());
    CHECK(box->visual.bottom() <= panel.bottom());
    CHECK(shown(screen) == "I saw a saw");
    CHECK(test::has_text(screen.scene, "Your sentence"));
    for (const ui::TextItem* text : test::items_of<ui::TextItem>(screen.scene)) {
      if (text->tag.mark == ui::Mark::sentence) continue;
      CAPTURE(text->text);
      CHECK_FALSE(ui::overlap(text->box(), box->visual, 1.0f));
    }
    CHECK(box->id == screen.scene.regions[ui::keyboard_stops(screen.scene).back()].id);
  }
  CHECK(box_of(window("mask-lab")) == nullptr);
  CHECK(box_of(window("multi-head")) != nullptr);
}

TEST_CASE("a page has a field of its own: the canvas draws none") {
  test::Screen screen = window();
  screen.view.sentence_field = nullptr;
  screen.build();
  CHECK(box_of(screen) == nullptr);
  CHECK(shown(screen).empty());
}

TEST_CASE("a strip has the field at its end, beside the sentence it says or the reason of a refusal") {
  test::Screen screen = window("self-attention", 900.0f, 620.0f);
  REQUIRE(screen.layout.narration_layout == ui::NarrationLayout::strip);
  const ui::Region* box = box_of(screen);
  REQUIRE(box != nullptr);
  CHECK(box->visual.y >= screen.layout.narration.y);
  CHECK(box->visual.bottom() <= screen.layout.narration.bottom());
  for (const ui::TextItem* text : test::items_of<ui::TextItem>(screen.scene))
    if (text->tag.mark != ui::Mark::sentence) CHECK_FALSE(ui::overlap(text->box(), box->visual, 1.0f));
  screen.click(box->visual.centre());
  write(screen, "a {b");
  screen.press(Key::enter);
  CHECK(reason(screen).find("{ can't stand in a word") != std::string::npos);
}

TEST_CASE("a click begins typing, Enter applies, and the field goes on being typed into") {
  test::Screen screen = window();
  screen.click(box_of(screen)->visual.centre());
  CHECK(screen.view.sentence.typing);
  CHECK(shown(screen).empty());  // the editor shows it
  CHECK(test::has_text(screen.scene, "2–8 words"));
  write(screen, "we like cats");
  CHECK(screen.session.words().size() == 4);
  screen.press(Key::enter);
  CHECK(screen.session.words() == Words{"we", "like", "cats"});
  CHECK(screen.view.sentence.typing);
  CHECK_FALSE(screen.view.sentence.text.has_value());
  screen.session.undo();
  ui::follow_session(screen.session, screen.view, 0.0, true);
  screen.press(Key::escape);
  CHECK(shown(screen) == "I saw a saw");
}

TEST_CASE("keys typed into the field are keys of nothing else") {
  test::Screen screen = window();
  screen.click(box_of(screen)->visual.centre());
  write(screen, "we p");
  const std::uint32_t revision = screen.session.revision();
  for (const Key key : {Key::p, Key::space, Key::left, Key::end, Key::question, Key::z, Key::backspace}) {
    const ui::Response response = screen.press(key, false, key == Key::z);
    CHECK(response.intents.empty());
  }
  CHECK(screen.type(3).intents.empty());
  CHECK(screen.session.revision() == revision);
  CHECK(screen.view.card == ui::Card::none);
}

TEST_CASE("Escape gives up what is typed, then leaves the field") {
  test::Screen screen = window();
  screen.click(box_of(screen)->visual.centre());
  write(screen, "half a sent");
  screen.press(Key::escape);
  CHECK(screen.view.sentence.typing);
  CHECK_FALSE(screen.view.sentence.text.has_value());
  screen.press(Key::escape);
  CHECK_FALSE(screen.view.sentence.typing);
  CHECK(shown(screen) == "I saw a saw");
}

TEST_CASE("leaving the field applies what is typed, by Tab and by the pointer") {
  test::Screen screen = window();
  screen.press(Key::tab, true);  // the last stop
  REQUIRE(screen.view.sentence.typing);
  write(screen, "cats see");
  screen.press(Key::tab, true);
  CHECK(screen.session.words() == Words{"cats", "see"});
  CHECK_FALSE(screen.view.sentence.typing);
  screen.click(box_of(screen)->visual.centre());
  write(screen, "");
  screen.click({screen.layout.narration.x + 5.0f, 5.0f});
  CHECK(screen.session.words().size() == 4);
  CHECK(shown(screen) == "I saw a saw");
}

TEST_CASE(
    "a refused sentence stays with the reason in the reader's language until it is put right or overtaken") {
  test::Screen screen = window();
  screen.click(box_of(screen)->visual.centre());
  write(screen, "alone");
  screen.press(Key::enter);
  CHECK(reason(screen).find("this lesson takes 2 to 8 words, not 1") != std::string::npos);
  screen.click({screen.layout.narration.x + 5.0f, 5.0f});
  CHECK(shown(screen) == "alone");
  screen.preferences.language = lessons::Language::zh;
  screen.build();
  CHECK(reason(screen).find("这里有 1 个") != std::string::npos);
  const ui::Region* box = box_of(screen);
  const float bottom = screen.layout.narration.bottom();
  for (const ui::TextItem* text : test::items_of<ui::TextItem>(screen.scene))
    if (text->colour == ui::Colour::different) {
      CHECK(text->box().y >= box->visual.bottom());
      CHECK(text->box().bottom() <= bottom);
    }
  REQUIRE(screen.session.set_sentence("one two").ok());
  ui::follow_session(screen.session, screen.view, 0.0, true);
  screen.build();
  CHECK(shown(screen) == "one two");
  CHECK(reason(screen).empty());
}

TEST_CASE("what could be written instead is a click away") {
  test::Screen screen = window();
  screen.click(box_of(screen)->visual.centre());
  write(screen, "a b c d e f g h i");
  screen.press(Key::enter);
  const ui::Region* offer = screen.region_for(IntentKind::take_suggestion, 0);
  REQUIRE(offer != nullptr);
  CHECK(offer->visual.bottom() <= screen.layout.narration.bottom());
  screen.click(offer->visual.centre());
  CHECK(screen.session.words().size() == 8);
  CHECK(screen.region_for(IntentKind::take_suggestion, 0) == nullptr);
}

TEST_CASE("another lesson has a field of its own") {
  test::Screen screen = window();
  screen.click(box_of(screen)->visual.centre());
  write(screen, "half");
  ui::open_lesson(screen.session, screen.view, "multi-head");
  ui::follow_session(screen.session, screen.view, 0.0, true);
  screen.build();
  CHECK_FALSE(screen.view.sentence.typing);
  CHECK(shown(screen) == "Machine learning is fun");
}

TEST_CASE("what a session refuses is shown in the reader's language, and changes with it") {
  test::Screen screen = window();
  screen.focus("encoder.embedding", 0, 0, 0);
  ui::apply({.kind = IntentKind::set_cell, .number = 5000.0f}, screen.session, screen.preferences,
            screen.view, gfx::Theme::light, 0.0);
  screen.build();
  CHECK(test::has_text(screen.scene, "must lie in -1000..1000"));
  screen.preferences.language = lessons::Language::zh;
  screen.build();
  CHECK(test::has_text(screen.scene, "−1000 到 1000"));
}

TEST_CASE("what is refused is shown clear of the controls under it, at every size") {
  for (const auto& [width, height] :
       {std::pair{1280.0f, 800.0f}, {1280.0f, 640.0f}, {900.0f, 620.0f}, {390.0f, 844.0f}}) {
    test::Screen screen = window("self-attention", width, height);
    screen.touch = width < 640.0f;
    screen.view.error = {.message = "this can't be"};
    screen.build();
    CAPTURE(width, height);
    const ui::Region* again = screen.scene.find(ui::region_id(ui::group_of(ui::Group::inspector), 200));
    REQUIRE(again != nullptr);
    const ui::Layout& layout = screen.layout;
    CHECK(again->visual.bottom() <= (layout.tokens.empty() ? layout.transport : layout.tokens).y);
    for (const ui::TextItem* text : test::items_of<ui::TextItem>(screen.scene))
      if (text->text == "this can't be") CHECK_FALSE(ui::overlap(text->box(), again->visual));
  }
}
