// What a reader with a phone gets of every lesson: whole texts, and the arcs as well as the matrix.
#include <algorithm>

#include "lessons/registry.h"
#include "support/catch.h"
#include "support/shipped_translator.h"
#include "ui/board_places.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;

namespace {

template <class Visit>
void for_every_step(const Visit& visit) {
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    Screen phone = test::screen({}, 0, 390, 844);
    phone.session = attn::test::open_session(*lesson);
    phone.face = test::Face::narrow;
    for (int step = 0; step < phone.session.step_count(); ++step)
      for (const auto language : {lessons::Language::zh, lessons::Language::en}) {
        REQUIRE(phone.session.go_to_step(step).ok());
        phone.preferences.language = language;
        phone.build();
        INFO(lesson->slug << " step " << step << (language == lessons::Language::zh ? " zh" : " en"));
        visit(phone);
      }
  }
}

/// A title that ends with an ellipsis of its own.
bool is_title(const Screen& screen, const std::string& text) {
  if (!screen.session.run().board) return false;
  const auto& blocks = screen.session.run().sheet_at(screen.session.step_index()).blocks;
  return std::any_of(blocks.begin(), blocks.end(), [&](const lessons::Block& block) {
    return text == block.title.in(screen.preferences.language);
  });
}

void check_whole(const Screen& phone) {
  for (const ui::TextItem* text : test::items_of<ui::TextItem>(phone.scene)) {
    INFO("'" << text->text << "' " << text->box().x << " to " << text->box().right());
    CHECK(text->box().x >= 0.0f);
    CHECK(text->box().right() <= phone.width);
    const bool counted = text->text.find("… ") != std::string::npos;  // "… 58 terms …"
    if (!counted && !is_title(phone, text->text)) CHECK_FALSE(text->text.ends_with("…"));
    if (!phone.layout.inspector.contains(text->origin)) continue;
    CHECK(text->box().x >= phone.layout.inspector.x + 4.0f);
    CHECK(text->box().right() <= phone.layout.inspector.right() - 4.0f);
    CHECK(text->box().y >= phone.layout.inspector.y);
    CHECK(text->box().bottom() <= phone.layout.inspector.bottom());
  }
}

bool has_arcs(const Screen& screen) {
  const auto curves = test::items_of<ui::BezierItem>(screen.scene);
  return std::any_of(curves.begin(), curves.end(),
                     [](const ui::BezierItem* curve) { return curve->tag.mark == Mark::arc; });
}

}  // namespace

TEST_CASE("on a phone no text of any lesson is cut") { for_every_step(check_whole); }

TEST_CASE("on a phone every line of a plot that is shown has its name") {
  int named = 0;
  for_every_step([&](Screen& phone) {
    if (!phone.session.run().board) return;
    const auto language = phone.preferences.language;
    for (const lessons::Block& block : phone.session.run().sheet_at(phone.session.step_index()).blocks) {
      if (block.kind != lessons::BlockKind::plot || block.plot.series.size() < 2) continue;
      const auto titles = test::texts_with(phone.scene, Mark::block_title);
      const bool shown = std::any_of(titles.begin(), titles.end(), [&](const ui::TextItem* title) {
        return title->text == block.title.in(language) || title->text == block.name().in(language);
      });
      if (!shown) continue;
      for (const lessons::Series& series : block.plot.series) {
        INFO(block.title.en << " " << series.name.en);
        CHECK(test::has_text(phone.scene, series.name.in(language)));
        ++named;
      }
    }
  });
  CHECK(named > 0);
}

TEST_CASE("on a phone the whole brief of every step is there") {
  for_every_step([](Screen& phone) {
    for (const test::Face face : {test::Face::narrow, test::Face::wide}) {
      phone.face = face;
      phone.build();
      std::string shown;
      for (const ui::TextItem* text : test::items_of<ui::TextItem>(phone.scene))
        if (phone.layout.narration.contains(text->origin)) shown += text->text;
      std::string brief;
      for (const lessons::Paragraph& paragraph :
           lessons::parse_narration(phone.session.step().brief.in(phone.preferences.language)))
        for (const lessons::TextRun& run : paragraph) brief += run.text;
      std::erase(shown, ' ');
      std::erase(brief, ' ');
      CHECK(shown.ends_with(brief));
    }
    phone.face = test::Face::narrow;
    phone.build();
  });
}

TEST_CASE("on a phone no formula is cut, whichever block and cell is chosen") {
  for_every_step([](Screen& phone) {
    if (!phone.session.run().board) return;
    const int step = phone.session.step_index();
    for (const lessons::Block& block : phone.session.run().sheet_at(step).blocks) {
      if (block.kind != lessons::BlockKind::matrix) continue;
      const core::Shape& shape = phone.session.run().tape().tensor(block.tensor).shape;
      const lessons::Plane plane = lessons::plane_of(block.tensor, shape);
      phone.focus(tape::to_string(block.tensor).c_str(), 0, plane.rows - 1, plane.columns / 2);
      INFO(block.title.en);
      check_whole(phone);
    }
    REQUIRE(phone.session.go_to_step(step).ok());
  });
}

TEST_CASE("a phone shows arcs in place of the matrix of the same weights, and back, by touch") {
  int seen = 0;
  for_every_step([&](Screen& phone) {
    if (!phone.session.run().board) return;
    const lessons::Focus before = phone.session.focus();
    const auto& blocks = phone.session.run().sheet_at(phone.session.step_index()).blocks;
    const auto arcs = std::find_if(blocks.begin(), blocks.end(), [](const lessons::Block& block) {
      return block.kind == lessons::BlockKind::arcs;
    });
    if (arcs == blocks.end()) return;
    phone.focus(tape::to_string(arcs->tensor).c_str(), before.head, 1, 0);
    const ui::Region* matrix = phone.region_for(ui::IntentKind::show_arcs, 0);
    if (matrix == nullptr) {  // arcs alone
      CHECK(has_arcs(phone));
      return;
    }
    ++seen;
    CHECK_FALSE(has_arcs(phone));
    phone.click(phone.region_for(ui::IntentKind::show_arcs, 1)->rect.centre());
    CHECK(has_arcs(phone));
    CHECK(test::items_of<ui::HeatmapItem>(phone.scene).empty());
    check_whole(phone);
    // A query is chosen where its word stands.
    const ui::Region* queries = phone.region_for(ui::IntentKind::choose_token, -1);
    for (const ui::Region& region : phone.scene.regions)
      if (region.intent.kind == ui::IntentKind::choose_token && region.rows_only) queries = &region;
    REQUIRE(queries != nullptr);
    phone.click({queries->rect.right() - 20.0f, queries->rect.y + 2.5f * queries->grid.cell_height});
    CHECK(phone.session.focus().row == 2);
    CHECK(phone.session.focus().tensor == arcs->tensor);
    CHECK(has_arcs(phone));
    phone.click(phone.region_for(ui::IntentKind::show_arcs, 0)->rect.centre());
    CHECK_FALSE(has_arcs(phone));
  });
  CHECK(seen >= 4);
}
