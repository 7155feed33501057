#include "ui/role_light.h"

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

const std::vector<lessons::Block>& blocks_of(const test::Screen& screen) {
  return screen.session.run().sheet_at(kQueryStep).blocks;
}

/// A word with a role that is no term of the glossary.
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
    screen.view.word_role = role;
    screen.build();
    std::size_t wanted = 0;
    for (const lessons::Block& block : blocks_of(screen)) wanted += block.role == role ? 1 : 0;
    const auto outlines = test::boxes_with(screen.scene, ui::Mark::lit_block);
    CHECK(outlines.size() == wanted);
    for (const ui::BoxItem* outline : outlines)
      CHECK(blocks_of(screen)[static_cast<std::size_t>(outline->tag.row)].role == role);
  }
  for (const Role role : {Role::plain, Role::strong, Role::code, Role::equal}) {
    screen.view.word_role = role;
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
    if (blocks_of(screen)[i].role != Role::query) continue;
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
