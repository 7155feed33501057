#include "lessons/session.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "support/catch.h"
#include "support/sample_lesson.h"

using namespace attn::lessons;
using attn::tape::Site;
using attn::test::sample_label;
using attn::test::sample_lesson;
using attn::test::sample_lesson_runs;

namespace {

Session open_sample() {
  attn::core::Result<Session> session = Session::open(sample_lesson());
  REQUIRE(session.ok());
  return std::move(session).value();
}

// What must not change when something is refused.
struct Screen {
  int step;
  ParameterValues values;
  Focus focus;
  const Run* run;
  std::uint32_t revision;
  bool can_undo, can_redo;
  bool operator==(const Screen&) const = default;
};

Screen screen_of(const Session& session) {
  return {session.step_index(), session.values(),   session.focus(),   &session.run(),
          session.revision(),   session.can_undo(), session.can_redo()};
}

const Focus kEmbedding{.tensor = {.stack = attn::tape::Stack::decoder, .site = Site::embedding}};

}  // namespace

TEST_CASE("a session opens at the first step with its plan and focus") {
  const Session session = open_sample();
  CHECK(session.step_index() == 0);
  CHECK(session.step_count() == 3);
  CHECK(session.values() == ParameterValues{2, 4, -1, 2, 1, 0});
  CHECK(session.focus() == Focus{sample_label(Site::weights), 1, 0, 0});
  CHECK(session.step().title.en == "The future is hidden");
  CHECK_FALSE(session.can_undo());
  CHECK_FALSE(session.can_redo());
}

TEST_CASE("a lesson nobody wrote can't be opened") {
  const attn::core::Result<Session> session = Session::open("no-such-lesson");
  REQUIRE_FALSE(session.ok());
  CHECK(session.error() == "no lesson 'no-such-lesson'");
}

TEST_CASE("a lesson whose plan and run don't fit together is refused") {
  Lesson lesson = sample_lesson();
  lesson.plan = lesson.plan.first(2);
  CHECK(Session::open(lesson).error() == "lesson 'sample': 3 steps in its run, 2 in its plan");
  lesson.plan = {};
  CHECK_FALSE(Session::open(lesson).ok());
  const StepPlan unknown[] = {{{{"width", 1}}}, {}, {}};
  lesson.plan = unknown;
  CHECK(Session::open(lesson).error() == "step 0 sets 'width', which is no parameter");
}

TEST_CASE("a step sets its parameters and they are limited by the reader's") {
  Session session = open_sample();
  REQUIRE(session.set_parameter("length", 3).ok());
  REQUIRE(session.go_to_step(2).ok());
  CHECK(session.values() == ParameterValues{3, 3, 2, 2, 1, 0});
  CHECK(session.focus() == kEmbedding);
  CHECK(session.run().twin->inference.target_length == 3);
}

TEST_CASE("steps are clamped by step_by and refused by go_to_step") {
  Session session = open_sample();
  CHECK(session.can_step(1));
  CHECK(session.can_step(2));
  CHECK_FALSE(session.can_step(3));
  CHECK_FALSE(session.can_step(0));
  CHECK_FALSE(session.can_step(-1));
  CHECK_FALSE(session.can_step(INT_MAX));
  CHECK_FALSE(session.can_step(INT_MIN));
  session.step_by(-1);
  CHECK(session.step_index() == 0);
  CHECK_FALSE(session.can_undo());
  session.step_by(INT_MAX);
  CHECK(session.step_index() == 2);
  session.step_by(INT_MIN);
  CHECK(session.step_index() == 0);
  const Screen before = screen_of(session);
  CHECK(session.go_to_step(3).error() == "this lesson has steps 1 to 3, not 4");
  CHECK_FALSE(session.go_to_step(-1).ok());
  CHECK(screen_of(session) == before);
}

TEST_CASE("the run is recomputed only when a value changed") {
  Session session = open_sample();
  const int runs = sample_lesson_runs();
  REQUIRE(session.focus_on(kEmbedding).ok());
  session.clear_cell();
  REQUIRE(session.set_parameter("prefix", 2).ok());
  REQUIRE(session.go_to_step(0).ok());
  CHECK(sample_lesson_runs() == runs);
  REQUIRE(session.set_parameter("prefix", 3).ok());
  CHECK(sample_lesson_runs() == runs + 1);
  session.undo();
  CHECK(sample_lesson_runs() == runs + 2);
}

TEST_CASE("what is refused leaves everything as it was") {
  Session session = open_sample();
  session.step_by(1);
  session.step_by(1);
  session.undo();
  const Screen before = screen_of(session);
  const Focus weights{sample_label(Site::weights), 0, 0, 0};
  const auto focus_at = [&](int head, int row, int column) {
    return Focus{weights.tensor, head, row, column};
  };

  CHECK(session.set_parameter("width", 1).error() == "lesson 'sample' has no parameter 'width'");
  CHECK(session.set_parameter("length", 7).error() == "parameter 'length': 7 is not in 1..6");
  CHECK(session.set_parameter("length", INT_MIN).error() == "parameter 'length': -2147483648 is not in 1..6");
  CHECK_FALSE(session.set_parameter("prefix", 7).ok());
  CHECK_FALSE(session.set_parameter("layers", 3).ok());
  CHECK_FALSE(session.set_parameter("mask", 2).ok());
  CHECK(session.set_parameter("trouble", 2).error() == "the sample refuses trouble 2");
  CHECK(session.focus_on(focus_at(2, 0, 0)).error() ==
        "focus: 'decoder.0.self_attention.weights' has heads 0..1, not 2");
  CHECK(session.focus_on(focus_at(0, 4, 0)).error() ==
        "focus: 'decoder.0.self_attention.weights' has rows 0..3, not 4");
  CHECK_FALSE(session.focus_on(focus_at(0, 0, 4)).ok());
  CHECK_FALSE(session.focus_on(focus_at(-1, 0, 0)).ok());
  CHECK_FALSE(session.focus_on(focus_at(0, -2, 0)).ok());
  CHECK(session.focus_on({.tensor = sample_label(Site::weights, 3)}).error() ==
        "focus: this lesson has no tensor 'decoder.3.self_attention.weights'");
  CHECK_FALSE(session.focus_on({.tensor = {}}).ok());
  CHECK_FALSE(session.change_lesson("no-such-lesson").ok());

  CHECK(screen_of(session) == before);
  session.redo();
  CHECK(session.step_index() == 2);
}

TEST_CASE("values that another one limits follow it down and are limited when set") {
  Session session = open_sample();
  REQUIRE(session.set_parameter("prefix", 6).ok());
  CHECK(session.value_of("prefix") == 4);
  REQUIRE(session.set_parameter("poke", 5).ok());
  CHECK(session.value_of("poke") == 3);
  REQUIRE(session.set_parameter("length", 1).ok());
  CHECK(session.values() == ParameterValues{1, 1, 0, 2, 1, 0});
}

TEST_CASE("masked cells and cells not generated yet can be looked at") {
  Session session = open_sample();
  CHECK(session.focus_on({sample_label(Site::weights), 0, 0, 3}).ok());
  CHECK(session.focus_on({sample_label(Site::weights), 0, 3, 1}).ok());
  CHECK(session.focus_on({sample_label(Site::weights), 0, 3, -1}).ok());
  session.clear_cell();
  CHECK(session.focus() == Focus{sample_label(Site::weights), 0, -1, -1});
  const std::uint32_t revision = session.revision();
  session.clear_cell();
  CHECK(session.revision() == revision);
}

TEST_CASE("the focus stays while the run has it and else becomes the step's") {
  Session session = open_sample();
  const Focus cell{sample_label(Site::weights, 1), 1, 3, 2};
  REQUIRE(session.focus_on(cell).ok());
  REQUIRE(session.set_parameter("layers", 4).ok());
  CHECK(session.focus() == cell);
  REQUIRE(session.set_parameter("length", 3).ok());  // row 3 is gone
  CHECK(session.focus() == session.step().focus);
  REQUIRE(session.focus_on({.tensor = sample_label(Site::weights, 1)}).ok());
  REQUIRE(session.set_parameter("layers", 1).ok());  // layer 1 is gone
  CHECK(session.focus() == session.step().focus);
  session.step_by(1);
  CHECK(session.focus() == session.step().focus);
}

TEST_CASE("undo and redo walk through every change with its focus") {
  Session session = open_sample();
  REQUIRE(session.set_parameter("length", 5).ok());
  REQUIRE(session.focus_on(kEmbedding).ok());
  session.step_by(1);
  REQUIRE(session.set_parameter("layers", 1).ok());
  const ParameterValues last = session.values();

  session.undo();
  CHECK(session.value_of("layers") == 2);
  CHECK(session.step_index() == 1);
  session.undo();
  CHECK(session.step_index() == 0);
  CHECK(session.value_of("length") == 5);
  CHECK(session.focus() == kEmbedding);
  session.undo();
  CHECK(session.value_of("length") == 4);
  CHECK(session.run().twin->training.target_length == 4);
  CHECK_FALSE(session.can_undo());
  const std::uint32_t revision = session.revision();
  session.undo();
  CHECK(session.revision() == revision);

  for (int i = 0; i < 3; ++i) session.redo();
  CHECK(session.values() == last);
  CHECK_FALSE(session.can_redo());
  session.redo();
  CHECK(session.values() == last);
}

TEST_CASE("looking keeps what can be redone and a change forgets it") {
  Session session = open_sample();
  REQUIRE(session.set_parameter("length", 5).ok());
  session.undo();
  REQUIRE(session.focus_on(kEmbedding).ok());
  CHECK(session.can_redo());
  REQUIRE(session.set_parameter("length", 4).ok());  // no change
  CHECK(session.can_redo());
  REQUIRE(session.set_parameter("length", 6).ok());
  CHECK_FALSE(session.can_redo());
}

TEST_CASE("reset goes back to the start and can be undone") {
  Session session = open_sample();
  REQUIRE(session.set_parameter("length", 6).ok());
  session.step_by(2);
  const ParameterValues values = session.values();
  session.reset();
  CHECK(session.step_index() == 0);
  CHECK(session.values() == ParameterValues{2, 4, -1, 2, 1, 0});
  session.undo();
  CHECK(session.step_index() == 2);
  CHECK(session.values() == values);
}

TEST_CASE("the history forgets its oldest entries") {
  Session session = open_sample();
  for (int i = 0; i < 300; ++i) REQUIRE(session.set_parameter("length", 1 + i % 2).ok());
  int undone = 0;
  for (; session.can_undo(); ++undone) session.undo();
  CHECK(undone == static_cast<int>(Session::kHistoryLimit) - 1);
  CHECK(session.value_of("length") == 1);
  for (; session.can_redo(); --undone) session.redo();
  CHECK(undone == 0);
  CHECK(session.value_of("length") == 2);
}

TEST_CASE("every change has its own revision") {
  Session session = open_sample();
  std::uint32_t last = session.revision();
  const auto grew = [&] {
    const bool result = session.revision() > last;
    last = session.revision();
    return result;
  };
  session.step_by(1);
  CHECK(grew());
  REQUIRE(session.focus_on(kEmbedding).ok());
  CHECK(grew());
  REQUIRE(session.focus_on(kEmbedding).ok());
  CHECK_FALSE(grew());
  session.undo();
  CHECK(grew());
  session.redo();
  CHECK(grew());
  session.reset();
  CHECK(grew());
  session.reset();
  CHECK_FALSE(grew());
}

TEST_CASE("what a session refuses a reader is said in both languages") {
  Session session = Session::open("self-attention").value();
  const Focus cell{attn::tape::parse_label("encoder.embedding").value(), 0, 0, 0};
  const Focus computed{attn::tape::parse_label("encoder.0.self_attention.weights").value(), 0, 0, 0};
  Session masks = Session::open("mask-lab").value();
  REQUIRE_FALSE(masks.lesson().toggled.empty());
  const attn::core::Status refusals[] = {
      session.go_to_step(99),
      session.change_lesson("nonsense"),
      session.set_parameter("nonsense", 1),
      session.set_parameter("causal_mask", 2),
      session.set_parameter("seed", -1),
      session.edit_cell(cell, 1e9f),
      session.edit_cell(cell, NAN),
      session.edit_cell(computed, 1.0f),
      masks.edit_cell({masks.lesson().toggled[0], 0, 0, 0}, 0.5f),
      masks.set_sentence("one two"),
      session.set_sentence("alone"),
  };
  for (const attn::core::Status& refused : refusals) {
    REQUIRE_FALSE(refused.ok());
    const std::string& zh = said_in(refused.failure(), Language::zh);
    CAPTURE(refused.error(), zh);
    CHECK(zh != said_in(refused.failure(), Language::en));
    for (const std::string& text : {zh, refused.error()}) CHECK(text.find('$') == std::string::npos);
    CHECK(std::any_of(zh.begin(), zh.end(),
                      [](char byte) { return static_cast<unsigned char>(byte) >= 0xE4; }));
  }
}
