// The board of `translate`: arcs that fall from words to characters, candidates to choose from, a vocabulary.
#include <algorithm>
#include <cmath>
#include <set>

#include "lessons/numbers.h"
#include "lessons/translate/experiment.h"
#include "support/catch.h"
#include "ui/board_model.h"
#include "ui/inspector_model.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;
using ui::Mark;
namespace translate = lessons::translate;

namespace {

constexpr int kFirst = 2, kCandidates = 3, kAttention = 4, kLoop = 5, kOwn = 8;
constexpr float kWidths[] = {1280.0f, 900.0f, 390.0f};

Screen board_screen(int step, float width = 1280.0f) {
  Screen screen = test::screen({}, 0, width, width < 640.0f ? 844.0f : 800.0f);
  screen.session = test::open_lesson("translate", step);
  screen.build();
  return screen;
}

std::vector<const ui::BezierItem*> arcs_of(const Screen& screen) {
  std::vector<const ui::BezierItem*> arcs;
  for (const ui::BezierItem* item : test::items_of<ui::BezierItem>(screen.scene))
    if (item->tag.mark == Mark::falling_arc) arcs.push_back(item);
  return arcs;
}

int rows(const Screen& screen) { return static_cast<int>(screen.session.run().target_words.size()); }

const ui::Region* candidate(const Screen& screen, int rank) {
  for (const ui::Region& region : screen.scene.regions)
    if (region.intent.kind == ui::IntentKind::take_candidate && rank-- == 0) return &region;
  return nullptr;
}

}  // namespace

TEST_CASE(
    "arcs of the chosen character are as thick as its weights, those written before stay quiet, later ones "
    "aren't there") {
  for (const float width : kWidths) {
    const Screen screen = board_screen(kAttention, width);
    const lessons::Focus focus = screen.session.focus();
    const core::TensorView weights = screen.session.run().tape().tensor(focus.tensor);
    std::set<int> keys;
    for (const ui::BezierItem* arc : arcs_of(screen)) {
      CHECK(arc->tag.row <= focus.row);
      const float weight = weights.values[arc->tag.row * weights.shape[-1] + arc->tag.column];
      const bool live = arc->tag.row == focus.row;
      CHECK((arc->end == ui::Colour::query) == live);
      CHECK(arc->width > (live ? 11.0f : 3.0f) * weight);
      if (live) keys.insert(arc->tag.column);
    }
    CHECK_FALSE(keys.empty());
  }
}

TEST_CASE("candidates are the row's largest probabilities, with the numbers of the tape") {
  for (const float width : kWidths) {
    Screen screen = board_screen(kCandidates, width);
    const core::TensorView probabilities = screen.session.run().tape().tensor(translate::kProbabilities);
    const int row = screen.session.focus().row;
    float last = 2.0f;
    int seen = 0;
    for (const ui::TextItem* text : test::texts_with(screen.scene, Mark::candidate)) {
      const float p = probabilities.values[row * probabilities.shape[-1] + text->tag.column];
      CHECK(text->text == lessons::fixed(p, 3));
      CHECK(p <= last);
      last = p;
      ++seen;
    }
    CHECK(seen == 5);
    const ui::BoxItem* longest = test::boxes_with(screen.scene, Mark::candidate).front();
    CHECK(longest->fill == ui::Colour::ink);
    CHECK(test::has_text(screen.scene, screen.session.run().target_words[static_cast<std::size_t>(row)]));
  }
}

TEST_CASE("a click on a candidate writes it, the inspector explains it, and undo brings the first back") {
  Screen screen = board_screen(kCandidates);
  const std::vector<std::string> before = screen.session.run().target_words;
  const int row = screen.session.focus().row;
  const ui::Region* second = candidate(screen, 1);
  REQUIRE(second != nullptr);
  const int token = second->intent.value;
  screen.click(second->rect.centre());
  CHECK(screen.session.run().target_words[static_cast<std::size_t>(row)] ==
        screen.session.run().vocabulary_words[static_cast<std::size_t>(token)]);
  CHECK(screen.session.focus() == lessons::Focus{translate::kProbabilities, 0, row, token});
  CHECK(screen.session.edits().size() == 1);
  screen.session.undo();
  CHECK(screen.session.run().target_words == before);
  screen.build();
  screen.click(candidate(screen, 0)->rect.centre());  // what is written already
  CHECK(screen.session.edits().empty());
}

TEST_CASE("what isn't written yet has neither numbers nor characters") {
  for (const float width : {1280.0f, 900.0f}) {
    const Screen screen = board_screen(kFirst, width);
    REQUIRE(screen.session.focus().row == 0);
    for (const ui::TextItem* number : test::texts_with(screen.scene, Mark::cell_number))
      CHECK(number->tag.row <= 0);
    std::size_t written = 0;
    for (const ui::TextItem* chip : test::texts_with(screen.scene, Mark::token_chip))
      written += chip->text == screen.session.run().target_words[1] ? 1 : 0;
    CHECK(written <= 1);  // the chip below the board alone
  }
}

TEST_CASE("playing writes one character after the other") {
  for (const int step : {kFirst, kCandidates, kLoop}) {
    Screen screen = board_screen(step);
    screen.view.playing = false;
    ui::apply({.kind = ui::IntentKind::toggle_play}, screen.session, screen.preferences, screen.view,
              gfx::Theme::light, 0.0);
    CHECK(screen.session.focus().row == 0);
    double now = 0.0;
    for (int row = 1; row < rows(screen); ++row) {
      now += 100.0;
      ui::advance_playing(screen.session, screen.view, now);
      CHECK(screen.session.focus().row == row);
      if (step != kCandidates) continue;
      const core::TensorView tokens = screen.session.run().tape().tensor(translate::kWritten);
      CHECK(screen.session.focus().column == static_cast<int>(tokens.values[row]));
    }
    CHECK_FALSE(screen.view.playing);
  }
}

TEST_CASE("the inspector writes the probability with the largest summands first") {
  const Screen screen = board_screen(kCandidates);
  const ui::InspectorModel model = ui::cell_model(screen.session.run(), screen.session.focus());
  REQUIRE(model.state == ui::InspectorState::sum);
  const tape::Explanation& explanation = model.training.explanation;
  REQUIRE(explanation.terms.size() > 100);
  CHECK(std::is_sorted(explanation.terms.begin(), explanation.terms.end(),
                       [](const tape::Term& a, const tape::Term& b) { return a.a.value > b.a.value; }));
  CHECK(explanation.chosen == 0);
  CHECK(model.training.value ==
        screen.session.run()
            .tape()
            .tensor(translate::kProbabilities)
            .values[screen.session.focus().row *
                        static_cast<int>(screen.session.run().vocabulary_words.size()) +
                    screen.session.focus().column]);
}

TEST_CASE("another layer or one head at a time keeps the character that is looked at") {
  Screen screen = board_screen(kAttention);
  const int row = screen.session.focus().row;
  REQUIRE(screen.session.set_parameter("mean", 0).ok());
  CHECK(screen.session.focus().row == row);
  CHECK(tape::to_string(screen.session.focus().tensor) == "decoder.1.cross_attention.weights");
  REQUIRE(screen.session.set_parameter("layer", 1).ok());
  CHECK(tape::to_string(screen.session.focus().tensor) == "decoder.0.cross_attention.weights");
  CHECK(screen.session.focus().row == row);
}

TEST_CASE("every word of the vocabulary is shown, and those of the sentence stand out") {
  for (const float width : kWidths) {
    const Screen screen = board_screen(kOwn, width);
    std::multiset<std::string> shown;
    std::size_t said = 0;
    for (const ui::TextItem* text : test::texts_with(screen.scene, Mark::axis_label)) {
      shown.insert(text->text);
      said += text->colour == ui::Colour::memory ? 1 : 0;
      CHECK(text->box().right() <= screen.layout.content.right() + 1.0f);
      CHECK(text->box().bottom() <= screen.layout.board.bottom() + 4.0f);
    }
    const auto& names = screen.session.run().board->sheets[translate::kVocabulary].blocks[0].row_names;
    CHECK(names.size() > 150);
    for (const std::string& name : names) CHECK(shown.contains(name));
    CHECK(said == screen.session.run().source_words.size());
  }
}
