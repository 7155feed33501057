#include "ui/topic_light.h"

#include <algorithm>

#include "lessons/registry.h"
#include "support/catch.h"
#include "ui/scene_support.h"

using namespace attn;
using lessons::Role;

namespace {

constexpr int kQueryStep = 1;

test::Screen query_step() {
  test::Screen screen = test::screen();
  screen.session = test::open_lesson("self-attention", kQueryStep);
  screen.preferences.language = lessons::Language::en;
  screen.build();
  return screen;
}

std::vector<const lessons::Block*> blocks_of(const test::Screen& screen) {
  return screen.session.run().shown_at(kQueryStep, screen.session.focus());
}

/// A word of the narration that lights something and is no term of the glossary.
const ui::Region& word_of(const test::Screen& screen) {
  for (const ui::Region& region : screen.scene.regions)
    if (region.group == ui::group_of(ui::Group::narration) && region.role == ui::RegionRole::grid)
      return region;
  FAIL("no such region");
  return screen.scene.regions.front();
}

}  // namespace

TEST_CASE("a word of the page outlines exactly the blocks of its role") {
  test::Screen screen = query_step();
  CHECK(test::boxes_with(screen.scene, ui::Mark::lit_block).empty());
  for (const Role role : {Role::query, Role::key, Role::value, Role::output}) {
    screen.view.word = {role};
    screen.build();
    std::size_t wanted = 0;
    for (const lessons::Block* block : blocks_of(screen)) wanted += block->role == role ? 1 : 0;
    const auto outlines = test::boxes_with(screen.scene, ui::Mark::lit_block);
    CHECK(outlines.size() == wanted);
    for (const ui::BoxItem* outline : outlines)
      CHECK(blocks_of(screen)[static_cast<std::size_t>(outline->tag.row)]->role == role);
  }
  for (const Role role : {Role::plain, Role::strong, Role::code, Role::equal}) {
    screen.view.word = {role};
    screen.build();
    CHECK(test::boxes_with(screen.scene, ui::Mark::lit_block).empty());
  }
}

TEST_CASE("the canvas's own narration and its blocks light each other too") {
  test::Screen screen = query_step();
  CHECK(test::boxes_with(screen.scene, ui::Mark::lit_word).empty());
  screen.send({.pointer = word_of(screen).rect.centre()});
  CHECK_FALSE(test::boxes_with(screen.scene, ui::Mark::lit_block).empty());
  CHECK_FALSE(test::boxes_with(screen.scene, ui::Mark::lit_word).empty());

  for (std::size_t i = 0; i < blocks_of(screen).size(); ++i) {
    if (blocks_of(screen)[i]->role != Role::query) continue;
    const ui::GroupId group = ui::group_of(ui::Group::blocks, static_cast<int>(i));
    screen.view.hover = {.region = ui::region_id(group)};
    screen.build();
    CHECK(test::boxes_with(screen.scene, ui::Mark::lit_block).empty());
    CHECK_FALSE(test::boxes_with(screen.scene, ui::Mark::lit_word).empty());
  }
}

TEST_CASE("words with a role are neither pressed nor reached by the Tab key") {
  test::Screen screen = query_step();
  const ui::Region word = word_of(screen);
  const ui::Response response = screen.send({.pointer = word.rect.centre(), .pressed = true, .held = true});
  CHECK(response.intents.empty());
  CHECK(response.pointer == ui::PointerShape::arrow);
  for (const std::size_t stop : ui::keyboard_stops(screen.scene))
    CHECK(screen.scene.regions[stop].id != word.id);
}

namespace {

lessons::Topic named(tape::Site site, int layer = -1) { return {Role::plain, site, layer}; }

std::vector<std::string> outlined(const test::Screen& screen) {
  std::vector<std::string> names;
  const lessons::Run& run = screen.session.run();
  for (const ui::BoxItem* outline : test::boxes_with(screen.scene, ui::Mark::lit_block)) {
    const auto row = static_cast<std::size_t>(outline->tag.row);
    if (run.board) {
      const auto blocks = run.shown_at(screen.session.step_index(), screen.session.focus());
      names.push_back(tape::to_string(blocks[row]->tensor));
    } else if (outline->tag.pane == ui::Pane::none) {
      names.push_back(tape::to_string(run.twin->differences[row].label));
    } else {
      names.push_back(outline->tag.pane == ui::Pane::training ? "training" : "inference");
    }
  }
  return names;
}

}  // namespace

TEST_CASE("a topic's number leads back to it, and a number that is none to nothing") {
  for (int site = 0; site < tape::kSiteCount; ++site)
    for (const int layer : {-1, 0, 5})
      for (const Role role : {Role::plain, Role::query, Role::memory}) {
        const lessons::Topic topic{role, static_cast<tape::Site>(site), layer};
        CHECK(lessons::topic_of(lessons::code_of(topic)) == topic);
      }
  CHECK(lessons::code_of({}) == 0);
  for (const int code : {-1, 1 << 16, static_cast<int>(Role::strong), 63 << 4})
    CHECK_FALSE(lessons::topic_of(code).lights());
}

TEST_CASE("a word can name any tensor, and lights the blocks that show it") {
  test::Screen screen = query_step();
  screen.view.word = named(tape::Site::embedding);
  screen.build();
  CHECK(outlined(screen) == std::vector<std::string>{"encoder.embedding"});
  screen.view.word = named(tape::Site::scores);
  screen.build();
  CHECK(outlined(screen) == std::vector<std::string>{"encoder.0.self_attention.scores"});
  screen.view.word = named(tape::Site::weights);  // they take turns with the scores, and arcs show them too
  screen.build();
  CHECK(outlined(screen).size() == 2);
  screen.session = test::open_lesson("multi-head", 4);
  screen.view.word = named(tape::Site::output_weight);
  screen.build();
  REQUIRE(outlined(screen).size() == 1);
  CHECK(outlined(screen)[0].ends_with("output_weight"));
}

TEST_CASE("a word that names a layer lights that one alone") {
  test::Screen screen = query_step();
  screen.session = test::open_lesson("mask-lab", 2);
  screen.view.word = named(tape::Site::weights);
  screen.build();
  CHECK(outlined(screen).size() > 1);
  screen.view.word = named(tape::Site::weights, 0);
  screen.build();
  CHECK(outlined(screen) == std::vector<std::string>{"decoder.0.self_attention.weights"});
}

TEST_CASE("words of a twin light its panes and the rows of its map, and those the words") {
  test::Screen screen = test::screen({}, 1);  // scores of the first decoder layer
  screen.view.word = named(tape::Site::scores);
  screen.build();
  std::vector<std::string> lit = outlined(screen);
  for (const char* pane : {"training", "inference"}) CHECK(std::count(lit.begin(), lit.end(), pane) == 1);
  for (const char* row : {"encoder.0.self_attention.scores", "decoder.0.self_attention.scores",
                          "decoder.0.cross_attention.scores"})
    CHECK(std::count(lit.begin(), lit.end(), row) == 1);
  CHECK(lit.size() == 5);

  screen.view.word = {Role::key};
  screen.build();
  lit = outlined(screen);
  CHECK(lit.size() == 3);  // the panes show scores
  for (const std::string& row : lit) CHECK(row.ends_with(".key"));

  screen.view.word = {};
  screen.view.hover = {.region = ui::region_id(ui::group_of(ui::Group::training_cells))};
  screen.build();
  CHECK(outlined(screen).empty());
  CHECK_FALSE(test::boxes_with(screen.scene, ui::Mark::lit_word).empty());
  const auto& tensors = screen.session.run().twin->differences;
  const auto tile = std::find_if(tensors.begin(), tensors.end(), [](const tape::TensorDifference& one) {
    return one.label.site == tape::Site::query;
  });
  screen.view.hover = {
      .region = ui::region_id(ui::group_of(ui::Group::map), static_cast<int>(tile - tensors.begin()))};
  screen.build();
  CHECK_FALSE(test::boxes_with(screen.scene, ui::Mark::lit_word).empty());
}

TEST_CASE("every tensor that a narration names is shown at its step, or is one of the map") {
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    lessons::Session session = std::move(lessons::Session::open(*lesson)).value();
    for (int step = 0; step < session.step_count(); ++step) {
      REQUIRE(session.go_to_step(step).ok());
      for (const auto language : {lessons::Language::zh, lessons::Language::en})
        for (const lessons::RunText* text :
             {&session.step().narration, &session.step().brief, &session.step().try_it})
          for (const lessons::Paragraph& paragraph : lessons::parse_narration(text->in(language)))
            for (const lessons::TextRun& run : paragraph) {
              if (!run.topic.lights() || run.topic.role != Role::plain) continue;
              INFO(lesson->slug << " step " << step << " '" << run.text << "'");
              bool shown = false;
              if (session.run().board)
                for (const lessons::Block& block : session.run().sheet_at(step).blocks)
                  shown = shown || run.topic.covers(ui::topic_of(block));
              else
                for (const tape::TensorDifference& tensor : session.run().twin->differences)
                  shown = shown || run.topic.covers(ui::topic_of(tensor.label));
              CHECK(shown);
            }
    }
  }
}
