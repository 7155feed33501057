// Heat maps from one cell to 512x512: where cells share pixels, nothing is hidden without a word.
#include "lessons/numbers.h"
#include "support/catch.h"
#include "support/sample_sizes.h"
#include "ui/board_places.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;

namespace {

struct CanvasSize {
  float width, height;
};
constexpr CanvasSize kSizes[] = {{1280, 800}, {900, 620}, {390, 844}, {360, 640}};

Screen sizes_screen(int step, const CanvasSize& size, float pixel_ratio) {
  Screen screen = test::screen({}, 0, size.width, size.height);
  screen.session = std::move(lessons::Session::open(test::sample_sizes())).value();
  REQUIRE(screen.session.go_to_step(step).ok());
  screen.pixel_ratio = pixel_ratio;
  screen.build();
  return screen;
}

const ui::HeatmapItem& map_of(const Screen& screen) {
  const auto maps = test::items_of<ui::HeatmapItem>(screen.scene);
  REQUIRE(maps.size() == 1);
  return *maps[0];
}

ui::Point middle_of(const ui::HeatmapItem& map, const test::SampleSize& cell) {
  return {map.cells.x + (static_cast<float>(cell.columns) + 0.5f) * map.cells.cell_width,
          map.cells.y + (static_cast<float>(cell.rows) + 0.5f) * map.cells.cell_height};
}

bool inspector_shows(const Screen& screen, const std::string& text) {
  for (const ui::TextItem* item : test::items_of<ui::TextItem>(screen.scene))
    if (screen.layout.inspector.contains(item->origin) && item->text.find(text) != std::string::npos)
      return true;
  return false;
}

}  // namespace

TEST_CASE("a matrix of any size stands inside the board and is drawn cell by cell or merged") {
  for (const CanvasSize& size : kSizes)
    for (const float ratio : {1.0f, 2.0f})
      for (int step = 0; step < test::kSampleSizes; ++step) {
        const Screen screen = sizes_screen(step, size, ratio);
        const ui::HeatmapItem& map = map_of(screen);
        INFO(size.width << " ratio " << ratio << " step " << step);
        CHECK(map.cells.rows == test::kSampleSizeOf[step].rows);
        CHECK(map.cells.columns == test::kSampleSizeOf[step].columns);
        const ui::Rect& board = screen.layout.board;
        const float right = map.cells.x + static_cast<float>(map.cells.columns) * map.cells.cell_width;
        const float bottom = map.cells.y + static_cast<float>(map.cells.rows) * map.cells.cell_height;
        CHECK(map.cells.x >= board.x - 0.5f);
        CHECK(map.cells.y >= board.y);
        CHECK(right <= board.right() + 0.5f);
        CHECK(bottom <= board.bottom() + 0.5f);
        CHECK(std::max(right - map.cells.x, bottom - map.cells.y) >= 40.0f);
      }
}

TEST_CASE("cells that share pixels say so, and how many masked ones are not drawn") {
  for (const CanvasSize& size : kSizes)
    for (const float ratio : {1.0f, 2.0f})
      for (int step = 0; step < test::kSampleSizes; ++step) {
        const Screen screen = sizes_screen(step, size, ratio);
        const ui::HeatmapItem& map = map_of(screen);
        const gfx::Merge merge = gfx::merge_of(map.cells.cell_width, map.cells.cell_height, ratio);
        const auto notes = test::texts_with(screen.scene, Mark::merge_note);
        INFO(size.width << " ratio " << ratio << " step " << step);
        REQUIRE(notes.size() == (merge.any() ? 1u : 0u));
        if (!merge.any()) continue;
        const std::string& note = notes[0]->text;
        CHECK(note.find(std::to_string(merge.rows) + "×" + std::to_string(merge.columns)) !=
              std::string::npos);
        CHECK(note.find("not drawn: 1") != std::string::npos);
        CHECK(notes[0]->box().right() <= screen.layout.board.right() + 0.5f);
        CHECK(notes[0]->box().bottom() <= screen.layout.board.bottom() + 2.0f);
      }
}

TEST_CASE("both panes of a twin say what their merged cells show, at every size") {
  for (const CanvasSize& size : kSizes) {
    Screen screen = test::screen({{"training_mask", 0}}, 4, size.width, size.height);
    screen.face = test::Face::narrow;
    screen.focus("decoder.0.feed_forward.hidden", 0, 1, 700);
    INFO(size.width);
    const auto notes = test::texts_with(screen.scene, Mark::merge_note);
    REQUIRE(notes.size() == 2);
    for (const ui::TextItem* note : notes) {
      CHECK_FALSE(note->text.ends_with("…"));
      CHECK(note->text.find("×") != std::string::npos);
    }
  }
}

TEST_CASE("the pointer over a merged pixel shows the cell that is drawn there, with its own number") {
  for (const CanvasSize& size : {kSizes[0], kSizes[1]})
    for (int step = 0; step < 3; ++step) {
      Screen screen = sizes_screen(step, size, 1.0f);
      const test::SampleSize spike = test::spike_of(test::kSampleSizeOf[step]);
      const std::string place = "[" + std::to_string(spike.rows) + "," + std::to_string(spike.columns) + "]";
      // From any cell of the merged pixel.
      const gfx::Merge merge =
          gfx::merge_of(map_of(screen).cells.cell_width, map_of(screen).cells.cell_height, 1.0f);
      for (int i = 0; i < merge.rows; ++i)
        for (int j = 0; j < merge.columns; ++j) {
          const test::SampleSize at{spike.rows - spike.rows % merge.rows + i,
                                    spike.columns - spike.columns % merge.columns + j};
          if (at.rows >= test::kSampleSizeOf[step].rows || at.columns >= test::kSampleSizeOf[step].columns)
            continue;
          screen.send({.pointer = middle_of(map_of(screen), at)});
          INFO(size.width << " step " << step << " " << at.rows << "," << at.columns);
          CHECK(inspector_shows(screen, place));
          CHECK(inspector_shows(screen, lessons::fixed(test::kSpike, 0)));
        }
    }
}

TEST_CASE("a finger on a large map chooses the cell that is drawn under it") {
  Screen screen = sizes_screen(0, kSizes[2], 1.0f);
  const test::SampleSize spike = test::spike_of(test::kSampleSizeOf[0]);
  screen.click(middle_of(map_of(screen), spike));
  CHECK(screen.session.focus().row == spike.rows);
  CHECK(screen.session.focus().column == spike.columns);
}

TEST_CASE("the arrows reach every cell, also those that are not drawn") {
  Screen screen = sizes_screen(0, kSizes[0], 1.0f);
  const test::SampleSize hidden = test::hidden_of(test::kSampleSizeOf[0]);
  screen.click(middle_of(map_of(screen), {hidden.rows, hidden.columns - 4}));
  for (int i = 0; i < 8 && screen.session.focus().column < hidden.columns; ++i) screen.press(ui::Key::right);
  CHECK(screen.session.focus().column == hidden.columns);
}
