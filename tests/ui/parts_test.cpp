// The small parts: words, tokens, dashes, labels, map, motion, text.
#include <cmath>
#include <cstring>
#include <set>

#include "support/catch.h"
#include "ui/axis_labels.h"
#include "ui/cell_grid.h"
#include "ui/dashes.h"
#include "ui/map_model.h"
#include "ui/rich_text.h"
#include "ui/scene_support.h"

using namespace attn;
using ui::Colour;

TEST_CASE("both languages have the same placeholders in every word") {
  const auto placeholders = [](const char* text) {
    std::string found;
    for (const char* at = std::strchr(text, '%'); at != nullptr; at = std::strchr(at + 2, '%'))
      found += at[1];
    return found;
  };
  for (int i = 0; i < ui::kWordCount; ++i) {
    const auto which = static_cast<ui::Word>(i);
    const char* zh = ui::word(which, lessons::Language::zh);
    const char* en = ui::word(which, lessons::Language::en);
    INFO(en);
    CHECK(placeholders(zh) == placeholders(en));
  }
}

TEST_CASE("text colours have the contrast the tokens promise in both themes") {
  for (const gfx::Theme theme : {gfx::Theme::light, gfx::Theme::dark}) {
    const auto contrast = [&](Colour a, Colour b) {
      return gfx::contrast_ratio(ui::colour_of(a, theme), ui::colour_of(b, theme));
    };
    for (const Colour text :
         {Colour::ink, Colour::ink2, Colour::ink3, Colour::query, Colour::key, Colour::value, Colour::output,
          Colour::memory, Colour::equal, Colour::different})
      for (const Colour ground : {Colour::surface, Colour::page}) CHECK(contrast(text, ground) >= 4.5f);
    CHECK(contrast(Colour::equal, Colour::equal_tile) >= 4.5f);
    CHECK(contrast(Colour::on_different, Colour::different) >= 4.5f);
    CHECK(contrast(Colour::on_ink, Colour::ink) >= 4.5f);
    CHECK(contrast(Colour::control, Colour::surface) >= 3.0f);
    CHECK(contrast(Colour::focus, Colour::surface) >= 3.0f);
  }
}

TEST_CASE("dashes cover their share of a path and stay on it") {
  const auto dashes = ui::dashes_along({{0, 0}, {100, 0}}, 3, 2);
  float covered = 0.0f;
  for (const auto& dash : dashes) {
    covered += dash.back().x - dash.front().x;
    for (const ui::Point& point : dash) CHECK(point.y == 0.0f);
  }
  CHECK(covered == Approx(60.0f));
  const auto outline = ui::rounded_outline({10, 20, 40, 30}, 6);
  CHECK(outline.front() == outline.back());
  for (const ui::Point& point : outline) {
    CHECK(point.x >= 9.99f);
    CHECK(point.x <= 50.01f);
    CHECK(point.y >= 19.99f);
    CHECK(point.y <= 50.01f);
  }
}

TEST_CASE("axis labels thin out instead of touching, and the selected one is always there") {
  CHECK(ui::labelled_positions(5, 44, 13, -1) == std::vector<int>{0, 1, 2, 3, 4});
  for (const float pitch : {0.1f, 0.5f, 3.0f, 7.0f, 15.0f, 44.0f})
    for (const int selected : {-1, 0, 3, 17, 31}) {
      std::vector<int> positions = ui::labelled_positions(32, pitch, 20, selected);
      std::sort(positions.begin(), positions.end());
      REQUIRE_FALSE(positions.empty());
      if (selected >= 0) CHECK(std::find(positions.begin(), positions.end(), selected) != positions.end());
      for (std::size_t i = 1; i < positions.size(); ++i)
        CHECK(static_cast<float>(positions[i] - positions[i - 1]) * pitch >= 20.0f);
    }
}

TEST_CASE("every compared tensor has exactly one place in the map") {
  for (const int layers : {1, 3, 6})
    for (const int norm : {0, 1}) {
      const lessons::Session session = test::open_lesson({{"layers", layers}, {"norm", norm}}, 4);
      const ui::MapModel map = ui::map_model(session.run());
      REQUIRE(map.tiles.size() == session.run().twin->differences.size());
      std::set<std::tuple<int, int, int, int>> places;
      for (const ui::MapTile& tile : map.tiles) {
        const bool attention = tile.group < 3;
        places.insert({attention ? 0 : 1, tile.group, tile.row, tile.layer});
        const auto& rows = attention ? map.attention_rows : map.feed_forward_rows;
        CHECK(rows[static_cast<std::size_t>(tile.row)] ==
              session.run().twin->differences[static_cast<std::size_t>(tile.difference)].label.site);
      }
      CHECK(places.size() == map.tiles.size());
      CHECK(map.layers == layers);
    }
}

TEST_CASE("motion starts with what changed, ends, and doesn't happen when it is reduced") {
  lessons::Session session = test::open_lesson({{"prefix", 2}}, 4);
  ui::ViewState view;
  ui::follow_session(session, view, 1.0, false);
  CHECK_FALSE(view.motion.moving(1.0));
  REQUIRE(session.set_parameter("prefix", 3).ok());
  ui::follow_session(session, view, 2.0, false);
  CHECK(view.motion.moving(2.1));
  CHECK(view.motion.row_grown == 2);
  CHECK_FALSE(view.motion.moving(2.0 + ui::kStepForward));
  REQUIRE(session.set_parameter("training_mask", 0).ok());
  ui::follow_session(session, view, 3.0, false);
  CHECK(view.motion.moving(3.0 + ui::kMaskSwitch + 5 * ui::kLayerDelay));
  CHECK_FALSE(view.motion.moving(4.0));
  REQUIRE(session.set_parameter("training_mask", 1).ok());
  ui::follow_session(session, view, 5.0, true);
  CHECK_FALSE(view.motion.moving(5.0));
}

TEST_CASE("curves begin at 0, end at 1 and never go back") {
  for (const ui::Curve curve : {ui::Curve::linear, ui::Curve::out, ui::Curve::in_out}) {
    CHECK(ui::progress(1.0, 1.0, 0.2, curve) == 0.0f);
    CHECK(ui::progress(1.0, 1.2, 0.2, curve) == 1.0f);
    CHECK(ui::progress(-1.0, 0.0, 0.2, curve) == 1.0f);
    float before = 0.0f;
    for (double now = 1.0; now < 1.3; now += 0.01) {
      const float t = ui::progress(1.0, now, 0.2, curve);
      CHECK(t >= before);
      before = t;
    }
  }
}

TEST_CASE("narration wraps inside its width, keeps words whole and closing marks off the line's start") {
  ui::Scene scene;
  ui::Sketch sketch{scene, test::measure(test::Face::wide)};
  const lessons::Paragraph paragraph = lessons::parse_narration(
      "训练把全部词一次送进解码器，{strong|掩码}挡住未来的词。One masked pass equals "
      "{eq|token-by-token} inference.")[0];
  std::string joined;
  for (const ui::RichLine& line : ui::wrap(sketch, paragraph, 180.0f, 15.0f)) {
    REQUIRE_FALSE(line.empty());
    ui::RichLine shown = line;  // a space at the end of a line takes no room
    while (shown.back().text.ends_with(" ")) shown.back().text.pop_back();
    CHECK(sketch.runs_width(shown, 15.0f) <= 181.0f);
    for (const char* mark : {"，", "。", "."}) CHECK_FALSE(line.front().text.starts_with(mark));
    for (const ui::Piece& piece : line) joined += piece.text;
  }
  CHECK(joined.find("token-by-token") != std::string::npos);
  CHECK(joined.find("解码器，掩码挡住") != std::string::npos);
}

TEST_CASE("a text that is too long is cut at a character, never inside one") {
  ui::Scene scene;
  ui::Sketch sketch{scene, test::measure(test::Face::wide)};
  const ui::TextStyle style{.size = 10.0f};
  CHECK(sketch.fitted("训练与推理", 1000.0f, style) == "训练与推理");
  CHECK(sketch.fitted("训练与推理", 36.0f, style) == "训练与…");
  CHECK(sketch.fitted("训练与推理", 3.0f, style).empty());
}

TEST_CASE("a new sheet of a board appears within 200 ms, at once where motion is reduced") {
  for (const bool reduced : {false, true}) {
    lessons::Session session = test::open_lesson("multi-head", 0);
    ui::ViewState view;
    ui::follow_session(session, view, 1.0, reduced);
    CHECK_FALSE(view.motion.moving(1.0));
    int step = 1;
    while (session.run().steps[static_cast<std::size_t>(step)].sheet == session.run().steps[0].sheet) ++step;
    REQUIRE(session.go_to_step(step).ok());
    ui::follow_session(session, view, 2.0, reduced);
    CHECK((view.motion.sheet_s == 2.0) == !reduced);
    CHECK_FALSE(view.motion.moving(2.2));
  }
}

TEST_CASE("no line begins with a closing mark or ends with an opening one, and none is too wide") {
  ui::Scene scene;
  const ui::Sketch sketch{scene, test::measure(test::Face::wide)};
  const lessons::Paragraph paragraph{{"前一个是“看见”，后一个是“锯子”，写法（", lessons::Role::plain},
                                     {"saw", lessons::Role::code},
                                     {"）一样；说“那就是”。” Or (", lessons::Role::plain},
                                     {"keys", lessons::Role::key},
                                     {").", lessons::Role::plain}};
  for (float width = 70.0f; width < 300.0f; width += 3.0f) {
    CAPTURE(width);
    for (const ui::RichLine& line : ui::wrap(sketch, paragraph, width, 15.0f)) {
      ui::RichLine shown = line;  // a space at the end of a line takes no room
      while (shown.back().text.ends_with(" ")) shown.back().text.pop_back();
      std::string text;
      for (const ui::Piece& piece : shown) text += piece.text;
      CAPTURE(text);
      for (const char* mark : {"”", "，", "）", "。"}) CHECK_FALSE(text.starts_with(mark));
      for (const char* mark : {"“", "（", "("}) CHECK_FALSE(text.ends_with(mark));
      CHECK(sketch.runs_width(shown, 15.0f) <= width + 1.0f);
    }
  }
}

TEST_CASE("narrow cells show short numbers, or none at all") {
  CHECK(ui::compact_number(0.374f, false) == ".37");
  CHECK(ui::compact_number(-0.374f, false) == "−.37");
  CHECK(ui::compact_number(-1.44f, false) == "−1.4");
  CHECK(ui::compact_number(12.4f, false) == "12");
  CHECK(ui::compact_number(1.0f, false) == "1");
  CHECK(ui::compact_number(0.999f, false) == "1");
  CHECK(ui::compact_number(0.0f, false) == "0");
  CHECK(ui::compact_number(3.0f, true) == "3");
  for (const float small : {0.0049f, -0.0049f, 1e-20f}) CHECK(ui::compact_number(small, false) == "~0");
  CHECK(ui::compact_number(-0.006f, false) == "−.01");
  ui::Scene scene;
  const ui::Sketch sketch{scene, test::measure(test::Face::wide)};
  const float values[] = {0.5f, 0.25f};
  const gfx::CellState states[] = {gfx::CellState::value, gfx::CellState::value};
  ui::CellGrid grid{.cell_width = 24.0f, .cell_height = 24.0f, .rows = 1, .columns = 2};
  grid.values = values;
  grid.states = states;
  CHECK(ui::compact_size(sketch, grid) >= 9.0f);
  grid.cell_width = 15.0f;
  CHECK(ui::compact_size(sketch, grid) == 0.0f);
  grid.cell_width = 40.0f;  // room for the usual ones
  CHECK(ui::compact_size(sketch, grid) == 0.0f);
}
