// Nothing overlaps and nothing leaves its place, at every size, language, length and depth.
#include "ui/layout.h"

#include <algorithm>

#include "lessons/registry.h"
#include "support/catch.h"
#include "support/sample_board.h"
#include "support/shipped_translator.h"
#include "ui/interaction.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Face;
using test::Screen;

namespace {

struct CanvasSize {
  float width, height;
  bool touch = false;
};

constexpr CanvasSize kSizes[] = {{1280, 800},       {1100, 700},      {1920, 1080},     {900, 620},
                                 {640, 480},        {800, 700},       {390, 844, true}, {360, 640, true},
                                 {1024, 768, true}, {1280, 800, true}};

// Line boxes of neighbouring rows may touch: they hold room for accents that the names there do not have.
constexpr float kLineSlack = 2.5f;

std::string describe(const Screen& screen) {
  return std::to_string(static_cast<int>(screen.width)) + "x" +
         std::to_string(static_cast<int>(screen.height)) +
         (screen.preferences.language == lessons::Language::zh ? " zh " : " en ") +
         tape::to_string(screen.session.focus().tensor);
}

void check_texts(const Screen& screen) {
  INFO(describe(screen));
  std::vector<std::pair<int, const ui::TextItem*>> texts;
  for (const ui::Item& item : screen.scene.items)
    if (const auto* text = std::get_if<ui::TextItem>(&item.shape)) texts.emplace_back(item.layer, text);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& [layer, text] = texts[i];
    const ui::Rect box = text->box();
    INFO("text '" << text->text << "' at " << box.x << "," << box.y);
    if (text->tag.mark == ui::Mark::big_verdict) CHECK(text->text.find("…") == std::string::npos);
    CHECK(box.x >= -0.5f);
    CHECK(box.right() <= screen.width + 0.5f);
    CHECK(box.y >= -0.5f);
    CHECK(box.bottom() <= screen.height + 2.0f);
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      if (texts[j].first != layer || !ui::overlap(box, texts[j].second->box(), kLineSlack)) continue;
      FAIL_CHECK("overlaps '" << texts[j].second->text << "'");
    }
  }
}

/// A text that lies on a control stays inside it.
void check_texts_in_controls(const Screen& screen) {
  INFO(describe(screen));
  for (const ui::Item& item : screen.scene.items) {
    const auto* text = std::get_if<ui::TextItem>(&item.shape);
    if (text == nullptr) continue;
    for (const ui::Region& region : screen.scene.regions) {
      if (region.layer != item.layer || region.role == ui::RegionRole::backdrop) continue;
      if (region.role == ui::RegionRole::grid || !region.visual.contains(text->box().centre())) continue;
      INFO("text '" << text->text << "' in '" << region.label << "'");
      CHECK(text->box().x >= region.visual.x - 1.0f);
      CHECK(text->box().right() <= region.visual.right() + 1.0f);
    }
  }
}

bool is_fine_grained(const ui::Region& region) {
  return region.role == ui::RegionRole::grid || region.role == ui::RegionRole::link ||  // a word of a text
         region.intent.kind == ui::IntentKind::focus_tensor;
}

void check_regions(const Screen& screen) {
  INFO(describe(screen));
  const bool finger = screen.touch || screen.layout.size == ui::Size::phone;
  // Options stand in a row or a grid and share their width; what stands alone is as large as the tokens say.
  const float least = finger ? 44.0f : 28.0f;
  const float least_of_option = finger ? 36.0f : 22.0f;
  const auto& regions = screen.scene.regions;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const ui::Region& a = regions[i];
    if (a.role == ui::RegionRole::backdrop) continue;
    INFO("region '" << a.label << "' " << a.rect.x << "," << a.rect.y << " " << a.rect.width << "x"
                    << a.rect.height);
    CHECK_FALSE(a.label.empty());
    if (a.role == ui::RegionRole::option) {
      if (!is_fine_grained(a)) CHECK(a.rect.height >= least_of_option);
    } else if (!is_fine_grained(a)) {
      CHECK(a.rect.height >= least);
      CHECK(a.rect.width >= std::min(least, 40.0f));
    }
    for (std::size_t j = i + 1; j < regions.size(); ++j) {
      const ui::Region& b = regions[j];
      if (a.layer != b.layer || b.role == ui::RegionRole::backdrop) continue;
      if (a.intent.kind == ui::IntentKind::move_vector || b.intent.kind == ui::IntentKind::move_vector)
        continue;  // tips go where the reader puts them
      if (ui::overlap(a.visual, b.visual, 1.0f)) FAIL_CHECK("overlaps '" << b.label << "'");
    }
  }
}

void check_all(Screen& screen) {
  for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
    screen.preferences.language = language;
    for (const Face face : {Face::wide, Face::narrow}) {
      screen.face = face;
      screen.build();
      check_texts(screen);
      check_texts_in_controls(screen);
      check_regions(screen);
    }
  }
}

}  // namespace

TEST_CASE("texts, controls and regions keep apart at every size, length and depth") {
  for (const int length : {1, 5, 8, 16, 32})
    for (const int layers : {1, 6}) {
      Screen screen = test::screen({{"length", length}, {"layers", layers}}, 2);
      for (const CanvasSize& size : kSizes) {
        screen.width = size.width;
        screen.height = size.height;
        screen.touch = size.touch;
        check_all(screen);
      }
    }
}

TEST_CASE("the same holds for every kind of tensor and with the masks off") {
  for (const char* tensor :
       {"decoder.0.self_attention.scores", "decoder.0.self_attention.context",
        "encoder.0.feed_forward.hidden", "decoder.0.cross_attention.weights", "decoder.output"}) {
    Screen screen = test::screen({{"heads", 2}}, 5);
    screen.focus(tensor, 0, 1, 1);
    for (const CanvasSize& size : kSizes) {
      screen.width = size.width;
      screen.height = size.height;
      screen.touch = size.touch;
      check_all(screen);
    }
  }
}

TEST_CASE("the same holds on cards") {
  Screen screen = test::screen({}, 5);
  for (const CanvasSize& size : kSizes)
    for (const ui::Card card : {ui::Card::settings, ui::Card::help, ui::Card::tensors, ui::Card::lessons,
                                ui::Card::narration, ui::Card::term}) {
      screen.width = size.width;
      screen.height = size.height;
      screen.touch = size.touch;
      screen.view.card = card;
      screen.view.card_layer = card == ui::Card::tensors && screen.touch ? 1 : -1;
      screen.view.card_term = 3;
      check_all(screen);
    }
}

TEST_CASE("a layout's parts lie inside the canvas and don't overlap") {
  Screen screen = test::screen({{"heads", 8}}, 2);
  for (const CanvasSize& size : kSizes) {
    screen.width = size.width;
    screen.height = size.height;
    screen.touch = size.touch;
    screen.build();
    INFO(describe(screen));
    const ui::Layout& layout = screen.layout;
    const ui::Rect parts[] = {layout.rail,      layout.head,   layout.inspector, layout.map,
                              layout.narration, layout.tokens, layout.transport, layout.verdicts};
    for (const ui::Rect& a : parts) {
      if (a.empty()) continue;
      CHECK(a.x >= 0.0f);
      CHECK(a.y >= 0.0f);
      CHECK(a.right() <= size.width);
      CHECK(a.bottom() <= size.height);
      for (const ui::Rect& b : parts)
        if (&a != &b && !b.empty()) CHECK_FALSE(ui::overlap(a, b, 0.5f));
    }
    CHECK(layout.training.origin.y == layout.inference.origin.y);
  }
}

TEST_CASE("at its minimum height a layout gives nothing up") {
  Screen screen = test::screen({{"heads", 8}}, 2);
  for (const float width : {1280.0f, 900.0f, 390.0f}) {
    screen.width = width;
    screen.height = 2000.0f;
    screen.touch = width < 640.0f;
    screen.build();
    screen.height = screen.layout.minimum_height;
    screen.build();
    INFO(describe(screen));
    CHECK(screen.layout.inspector_form != ui::InspectorForm::line);
    CHECK(screen.layout.map_form != ui::MapForm::button);
    CHECK(screen.layout.narration_layout != ui::NarrationLayout::hidden);
  }
}

TEST_CASE("the three sizes begin where the tokens say") {
  const auto size_at = [](float width) {
    return ui::layout_of({.width = width, .height = 800, .rows = 5, .columns = 5}).size;
  };
  CHECK(size_at(1100) == ui::Size::desktop);
  CHECK(size_at(1099) == ui::Size::embed);
  CHECK(size_at(640) == ui::Size::embed);
  CHECK(size_at(639) == ui::Size::phone);
}

TEST_CASE("a page that sets the narration finds its place empty") {
  Screen screen = test::screen({}, 2);
  const ui::Subject subject = ui::subject_of(screen.session);
  const ui::Scene scene = ui::build_scene(subject, screen.view, screen.preferences, gfx::Theme::light, true,
                                          0.0, screen.layout, test::measure(Face::wide));
  REQUIRE_FALSE(screen.layout.narration.empty());
  for (const ui::TextItem* text : test::items_of<ui::TextItem>(scene))
    CHECK_FALSE(screen.layout.narration.contains(text->origin));
}

TEST_CASE("thirteen lessons fit the rail, and then the settings open from a button") {
  for (const CanvasSize& size : {CanvasSize{1280, 800}, CanvasSize{1100, 700}, CanvasSize{1100, 560}}) {
    Screen screen = test::screen({}, 2, size.width, size.height);
    screen.lessons = 13;
    check_all(screen);
    int items = 0;
    bool settings = false;
    for (const ui::Region& region : screen.scene.regions) {
      items += region.intent.kind == ui::IntentKind::open_lesson ? 1 : 0;
      settings = settings || region.intent.kind == ui::IntentKind::toggle_settings;
    }
    CHECK(items == 13);
    CHECK(settings);
  }
}

namespace {

void check_steps(Screen& screen, std::span<const CanvasSize> sizes) {
  for (int step = 0; step < screen.session.step_count(); ++step) {
    REQUIRE(screen.session.go_to_step(step).ok());
    for (const CanvasSize& size : sizes) {
      screen.width = size.width;
      screen.height = size.height;
      screen.touch = size.touch;
      INFO(screen.session.lesson().slug << " step " << step);
      check_all(screen);
    }
  }
}

std::vector<const lessons::Lesson*> boards() {
  std::vector<const lessons::Lesson*> found{&test::sample_board()};
  for (const lessons::Lesson* lesson : lessons::all_lessons())
    if (attn::test::open_session(*lesson).run().board) found.push_back(lesson);
  return found;
}

}  // namespace

TEST_CASE("the same holds for every step of every lesson at every size") {
  std::vector<const lessons::Lesson*> all = boards();
  for (const lessons::Lesson* lesson : lessons::all_lessons())
    if (std::find(all.begin(), all.end(), lesson) == all.end()) all.push_back(lesson);
  for (const lessons::Lesson* lesson : all) {
    Screen screen = test::screen();
    screen.session = attn::test::open_session(*lesson);
    check_steps(screen, kSizes);
  }
}

TEST_CASE("the same holds for every block of every board when it is opened") {
  constexpr CanvasSize kFew[] = {{1280, 800}, {900, 620}, {1024, 768, true}};
  for (const lessons::Lesson* lesson : boards()) {
    Screen screen = test::screen();
    screen.session = std::move(lessons::Session::open(*lesson)).value();
    for (int step = 0; step < screen.session.step_count(); ++step) {
      REQUIRE(screen.session.go_to_step(step).ok());
      for (const lessons::Block& block : screen.session.run().sheet_at(step).blocks) {
        if (block.kind != lessons::BlockKind::matrix) continue;
        REQUIRE(screen.session.focus_on({block.tensor, 0, 0, 0, block.unmasked, true}).ok());
        for (const CanvasSize& size : kFew) {
          screen.width = size.width;
          screen.height = size.height;
          screen.touch = size.touch;
          INFO(lesson->slug << " step " << step);
          check_all(screen);
        }
      }
    }
  }
}

TEST_CASE("the same holds for every board with each parameter at its ends") {
  constexpr CanvasSize kFew[] = {{1280, 800}, {800, 700}, {390, 844, true}};
  for (const lessons::Lesson* lesson : boards())
    for (const lessons::Parameter& parameter : lesson->parameters)
      for (const int value : {parameter.minimum, parameter.maximum}) {
        if (value == parameter.initial) continue;
        Screen screen = test::screen();
        screen.session = attn::test::open_session(*lesson);
        INFO(parameter.name << " " << value);
        REQUIRE(screen.session.set_parameter(parameter.name, value).ok());
        check_steps(screen, kFew);
      }
}

TEST_CASE("every control over a board can be reached at every size, but for those a step hides") {
  const auto reachable = [](const Screen& screen, int parameter) {
    return std::any_of(
        screen.scene.regions.begin(), screen.scene.regions.end(), [&](const ui::Region& region) {
          const ui::IntentKind kind = region.intent.kind;
          return (kind == ui::IntentKind::set_parameter || kind == ui::IntentKind::edit_parameter) &&
                 region.intent.index == parameter;
        });
  };
  for (const lessons::Lesson* lesson : boards()) {
    Screen screen = test::screen();
    screen.session = attn::test::open_session(*lesson);
    for (int step = 0; step < screen.session.step_count(); ++step) {
      REQUIRE(screen.session.go_to_step(step).ok());
      const std::vector<const char*>& hidden = lesson->plan[static_cast<std::size_t>(step)].hidden;
      for (const CanvasSize& size : kSizes)
        for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
          screen.width = size.width;
          screen.height = size.height;
          screen.touch = size.touch;
          screen.preferences.language = language;
          screen.build();
          for (std::size_t i = 0; i < lesson->parameters.size(); ++i) {
            const lessons::Parameter& parameter = lesson->parameters[i];
            if (parameter.place != lessons::ParameterPlace::board) continue;
            const bool hides = std::any_of(hidden.begin(), hidden.end(),
                                           [&](std::string_view name) { return name == parameter.name; });
            INFO(lesson->slug << " step " << step << " " << parameter.name << " " << describe(screen));
            CHECK(reachable(screen, static_cast<int>(i)) != hides);
            if (!hides) CHECK(test::has_text(screen.scene, parameter.title.in(language)));
          }
        }
    }
  }
}

TEST_CASE("on a desktop no text of a board is cut, whatever the step and the language") {
  for (const lessons::Lesson* lesson : boards()) {
    Screen screen = test::screen();
    screen.session = attn::test::open_session(*lesson);
    screen.face = Face::narrow;
    for (int step = 0; step < screen.session.step_count(); ++step)
      for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
        REQUIRE(screen.session.go_to_step(step).ok());
        screen.preferences.language = language;
        screen.build();
        for (const ui::TextItem* text : test::items_of<ui::TextItem>(screen.scene)) {
          if (screen.layout.inspector.contains(text->origin)) continue;  // a sum says how much it leaves out
          const auto& blocks = screen.session.run().sheet_at(step).blocks;
          if (std::any_of(blocks.begin(), blocks.end(), [&](const lessons::Block& block) {
                return text->text == block.title.in(language);
              }))
            continue;
          INFO(lesson->slug << " step " << step << " '" << text->text << "'");
          CHECK_FALSE(text->text.ends_with("…"));
        }
      }
  }
}
