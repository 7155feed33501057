// What moves on a board, for how long, and what stands still.
#include <cmath>

#include "support/catch.h"
#include "ui/board_places.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;

namespace {

constexpr double kStart = 10.0;
constexpr double kMiddle = 0.06;  // after a change, while everything that moves still does

Screen board(const char* slug, int step, bool reduced = false) {
  Screen screen = test::screen();
  screen.session = test::open_lesson(slug, step);
  screen.build();
  ui::follow_session(screen.session, screen.view, kStart - 1.0, reduced);
  return screen;
}

ui::Scene scene_at(const Screen& screen, double now_s) {
  const ui::Subject subject = ui::subject_of(screen.session);
  const ui::TextMeasure measure = test::measure(screen.face);
  const ui::Layout layout = ui::layout_of(ui::layout_request(subject, screen.preferences.language, measure,
                                                             screen.width, screen.height, screen.touch));
  return ui::build_scene(subject, screen.view, screen.preferences, gfx::Theme::light, false, now_s, layout,
                         measure);
}

const ui::HeatmapItem& map_of(const ui::Scene& scene, const tape::Label& tensor) {
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(scene))
    if (map->label == tensor) return *map;
  FAIL("no heat map of " << tape::to_string(tensor));
  return *test::items_of<ui::HeatmapItem>(scene).front();
}

tape::Label label(const char* name) { return tape::parse_label(name).value(); }

const tape::Label kScores = label("encoder.0.self_attention.scores");
const tape::Label kContext = label("encoder.0.self_attention.context");
const tape::Label kWeights = label("encoder.0.self_attention.weights");

}  // namespace

TEST_CASE("nothing on a board moves for longer than 180 ms") {
  CHECK(ui::kValueChange <= 0.180);
  CHECK(ui::kSelect <= 0.180);
  CHECK(ui::kSheetChange <= 0.180);
}

TEST_CASE("colours cross over from the numbers before to the numbers now, digits change at once") {
  Screen screen = board("self-attention", 0);
  const ui::HeatmapItem before = map_of(scene_at(screen, kStart), kContext);
  REQUIRE(screen.session.set_parameter("seed", 3).ok());
  ui::follow_session(screen.session, screen.view, kStart, false);
  CHECK(screen.view.motion.moving(kStart + kMiddle));
  const ui::Scene scene = scene_at(screen, kStart + ui::kValueChange / 2.0);
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(scene)) {
    CHECK(map->cells.blend == Approx(0.5f));
    CHECK(map->from_values.size() == map->values.size());
  }
  const ui::HeatmapItem& output = map_of(scene, kContext);
  for (std::size_t i = 0; i < before.values.size(); ++i)  // the colours that stood there
    CHECK(output.from_values[i] / output.cells.range == Approx(before.values[i] / before.cells.range));
  const ui::Scene after = scene_at(screen, kStart + 0.2);
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(after)) CHECK(map->from_values.empty());
  const auto numbers = test::texts_with(scene, Mark::cell_number);
  const auto final_numbers = test::texts_with(after, Mark::cell_number);
  REQUIRE(numbers.size() == final_numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i]->text == final_numbers[i]->text);
  CHECK_FALSE(screen.view.motion.moving(kStart + 0.2));
}

TEST_CASE("arcs grow and shrink with the colours of their weights") {
  Screen screen = board("self-attention", 0);
  const auto width = [](const ui::Scene& scene, int row, int column) {
    for (const ui::BezierItem* arc : test::items_of<ui::BezierItem>(scene))
      if (arc->tag.mark == Mark::arc && arc->tag.row == row && arc->tag.column == column) return arc->width;
    return 0.0f;
  };
  const float before = width(scene_at(screen, kStart), 0, 3);
  REQUIRE(before > 0.0f);
  REQUIRE(screen.session.set_parameter("causal_mask", 1).ok());
  ui::follow_session(screen.session, screen.view, kStart, false);
  const float between = width(scene_at(screen, kStart + 0.04), 0, 3);
  CHECK(between > 0.0f);
  CHECK(between <= before);
  CHECK(width(scene_at(screen, kStart + 0.2), 0, 3) == 0.0f);
}

TEST_CASE("the selection slides inside its block and what it is made of fades in") {
  Screen screen = board("self-attention", 3);
  const auto selected = [&](double now_s) {
    const ui::Scene scene = scene_at(screen, now_s);
    const auto boxes = test::boxes_with(scene, Mark::selected_cell);
    REQUIRE(boxes.size() == 1);
    return boxes[0]->rect;
  };
  const ui::Rect from = selected(kStart);
  lessons::Focus focus = screen.session.focus();
  focus.row = 0;
  REQUIRE(screen.session.focus_on(focus).ok());
  ui::follow_session(screen.session, screen.view, kStart, false);
  const ui::Rect to = selected(kStart + 1.0);
  const ui::Rect between = selected(kStart + 0.03);
  CHECK(between.y < from.y);
  CHECK(between.y > to.y);
  const ui::Scene middle = scene_at(screen, kStart + 0.03);
  for (const ui::BoxItem* lit : test::boxes_with(middle, Mark::lit_cells)) CHECK(lit->opacity < 1.0f);
  const ui::Scene after = scene_at(screen, kStart + 1.0);
  for (const ui::BoxItem* lit : test::boxes_with(after, Mark::lit_cells)) CHECK(lit->opacity == 1.0f);
}

TEST_CASE("scores become weights in their place, by colours of one map") {
  Screen screen = board("self-attention", 3);
  const std::vector<float> scores = map_of(scene_at(screen, kStart), kScores).values;
  const gfx::HeatmapCells cells = map_of(scene_at(screen, kStart), kScores).cells;
  screen.session.step_by(1);
  ui::follow_session(screen.session, screen.view, kStart, false);
  const ui::Scene scene = scene_at(screen, kStart + kMiddle);
  const ui::HeatmapItem& weights = map_of(scene, kWeights);
  REQUIRE(weights.from_values.size() == scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    CHECK(weights.from_values[i] == Approx(scores[i] / cells.range));  // the same colours as before
  CHECK(weights.cells.ramp == gfx::Ramp::signed_values);
  CHECK(weights.cells.x == cells.x);
  CHECK(weights.cells.y == cells.y);
  CHECK(map_of(scene_at(screen, kStart + 1.0), kWeights).cells.ramp == gfx::Ramp::weights);
}

TEST_CASE("an opened block grows from its place") {
  Screen screen = board("self-attention", 3);
  const float small = map_of(scene_at(screen, kStart), kScores).cells.cell_height;
  lessons::Focus focus = screen.session.focus();
  focus.open = true;
  REQUIRE(screen.session.focus_on(focus).ok());
  ui::follow_session(screen.session, screen.view, kStart, false);
  const float between = map_of(scene_at(screen, kStart + kMiddle), kScores).cells.cell_height;
  const float large = map_of(scene_at(screen, kStart + 1.0), kScores).cells.cell_height;
  CHECK(between > small);
  CHECK(between < large);
  CHECK_FALSE(screen.view.motion.moving(kStart + 0.181));
}

TEST_CASE("with reduced motion a board changes at once") {
  Screen screen = board("self-attention", 3, true);
  REQUIRE(screen.session.set_parameter("seed", 3).ok());
  ui::follow_session(screen.session, screen.view, kStart, true);
  CHECK_FALSE(screen.view.motion.moving(kStart));
  const ui::Scene scene = scene_at(screen, kStart);  // outlives the items
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(scene)) CHECK(map->from_values.empty());
  lessons::Focus focus = screen.session.focus();
  focus.row = 0;
  focus.open = true;
  REQUIRE(screen.session.focus_on(focus).ok());
  ui::follow_session(screen.session, screen.view, kStart + 1.0, true);
  CHECK_FALSE(screen.view.motion.moving(kStart + 1.0));
}

TEST_CASE("another lesson's numbers are no change of these") {
  Screen screen = board("self-attention", 0);
  REQUIRE(screen.session.change_lesson("multi-head").ok());
  ui::follow_session(screen.session, screen.view, kStart, false);
  const ui::Scene scene = scene_at(screen, kStart + kMiddle);  // outlives the items
  for (const ui::HeatmapItem* map : test::items_of<ui::HeatmapItem>(scene)) CHECK(map->from_values.empty());
}
