// What the page of the lesson mask-lab says, and how its question is answered.
#include "lessons/lessons.h"
#include "lessons/mask_lab/experiment.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/visible_text.h"

using namespace attn;
using lessons::mask_lab::kSlip;
using lessons::mask_lab::mask_label;

namespace {

constexpr int kNobody = 4;    // the step about rows that see nothing
constexpr int kQuestion = 7;  // the step that asks

lessons::CellEdit toggled(int row, int column, float value) { return {mask_label(), 0, row, column, value}; }

}  // namespace

TEST_CASE("mask-lab: the question is answered by emptying a row") {
  lessons::Session session = lessons::Session::open("mask-lab").value();
  REQUIRE(session.go_to_step(kQuestion).ok());
  const auto answer = [&] { return session.step().answer; };
  CHECK(answer() == lessons::Answer::open);
  const lessons::Focus cell{mask_label(), 0, 1, 0};
  REQUIRE(session.edit_cell(cell, 0.0f).ok());
  CHECK(answer() == lessons::Answer::wrong);
  REQUIRE(session.edit_cell({mask_label(), 0, 1, 1}, 0.0f).ok());
  CHECK(answer() == lessons::Answer::right);
  REQUIRE(session.clear_edits().ok());
  REQUIRE(session.set_parameter("fill", kSlip).ok());
  CHECK(answer() == lessons::Answer::wrong);
  REQUIRE(session.set_parameter("fill", 0).ok());
  CHECK(answer() == lessons::Answer::open);
  REQUIRE(session.set_parameter("diagonal", -1).ok());
  CHECK(answer() == lessons::Answer::right);
}

TEST_CASE("mask-lab: what the page says of an empty row is what the run has") {
  lessons::Session session = lessons::Session::open("mask-lab").value();
  REQUIRE(session.go_to_step(kNobody).ok());
  const auto says = [&](const char* words) {
    return session.step().narration.en.find(words) != std::string::npos;
  };
  CHECK(says("Row 0 (<pad>) sees nothing"));
  CHECK(
      says("in float32: 0.25 everywhere; in float64, which keeps more digits of the scores: as if unmasked"));
  REQUIRE(session.set_parameter("fill", 1).ok());
  CHECK_FALSE(says("everywhere"));
  REQUIRE(session.set_parameter("pads", 0).ok());
  CHECK(says("Every row sees a key now"));
}

TEST_CASE(
    "mask-lab: under every combination of settings, and with cells clicked, the texts are whole and short") {
  std::vector<std::vector<lessons::CellEdit>> clicks(4);
  clicks[1] = {toggled(2, 0, 0.0f)};
  clicks[2] = {toggled(0, 0, 0.0f), toggled(0, 1, 0.0f), toggled(0, 2, 0.0f), toggled(0, 3, 0.0f)};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) clicks[3].push_back(toggled(i, j, 1.0f));
  for (int index = 0; index < 2 * 4 * 3 * 3 * 3 * 3 * 2; ++index) {
    const lessons::ParameterValues values{index % 2,          index / 2 % 4,   index / 8 % 3, index / 24 % 3,
                                          index / 72 % 3 - 1, index / 216 % 3, index / 648,   0};
    for (const auto& edits : clicks) {
      CAPTURE(values, edits.size());
      const auto run = lessons::mask_lab::kLesson.run({values, edits}, nullptr);
      for (const lessons::Step& step : run.value().steps)
        for (const lessons::RunText* text : {&step.narration, &step.brief, &step.title, &step.try_it}) {
          CAPTURE(text->en, text->zh);
          CHECK((text->en + text->zh).find('$') == std::string::npos);
          CHECK((text->en + text->zh).find("−0.00") == std::string::npos);
          CHECK(test::word_count(test::visible_text(text->en)) <= 60);
          CHECK(test::character_count(test::visible_text(text->zh)) <= 130);
        }
    }
  }
}
