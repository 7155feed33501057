// Numbers that a reader puts in place of computed ones, and what lessons say after any edit.
#include "lessons/edits.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/multi_head/experiment.h"
#include "lessons/plane.h"
#include "lessons/registry.h"
#include "lessons/self_attention/columns.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/shipped_translator.h"
#include "support/visible_text.h"
#include "tape/explain.h"

using namespace attn;
using namespace attn::lessons;
using tape::Site;

namespace {

float cell_of(const Session& session, const tape::Label& tensor, int head, int row, int column) {
  const core::TensorView view = session.run().tape().tensor(tensor);
  return view.values[plane_of(tensor, view.shape).offset(head, row, column)];
}

std::vector<float> row_of(const Session& session, const tape::Label& tensor, int row) {
  const core::TensorView view = session.run().tape().tensor(tensor);
  const auto width = static_cast<std::size_t>(view.shape[-1]);
  const auto values = view.flat().subspan(static_cast<std::size_t>(row) * width, width);
  return {values.begin(), values.end()};
}

tape::Explanation explained(const Session& session, const tape::Label& tensor, const Cell& cell) {
  const tape::Tape& tape = session.run().tape();
  const tape::Value value = tape.find(tensor);
  return tape::explain(tape, value, index_of(tensor, tape.tensor(value).shape, cell));
}

}  // namespace

TEST_CASE("an edited query replaces the computed one, and its row of everything after it follows") {
  using self_attention::label_of;
  Session session = Session::open("self-attention").value();
  const Session before = session;
  REQUIRE(session.edit_cell({label_of(Site::query), 0, 3, 1}, 7.5f).ok());
  CHECK(cell_of(session, label_of(Site::query), 0, 3, 1) == 7.5f);
  for (const Site site : {Site::scores, Site::weights, Site::context})
    for (int row = 0; row < 4; ++row)
      CHECK((row_of(session, label_of(site), row) == row_of(before, label_of(site), row)) == (row != 3));
  for (const Site site : {Site::key, Site::value})
    for (int row = 0; row < 4; ++row)
      CHECK(row_of(session, label_of(site), row) == row_of(before, label_of(site), row));
  const tape::Explanation cell = explained(session, label_of(Site::query), {0, 3, 1});
  CHECK(cell.form == tape::Form::given);
  CHECK(cell.op == tape::Op::replace);
  CHECK(explained(session, label_of(Site::query), {0, 3, 0}).form == tape::Form::sum_of_products);
  const tape::Explanation score = explained(session, label_of(Site::scores), {0, 3, 0});
  CHECK(score.terms[1].a.label == label_of(Site::query));
  CHECK(score.terms[1].a.value == 7.5f);
  REQUIRE(session.edit_cell({label_of(Site::query), 0, 3, 0}, 1.0f).ok());  // the cell the step chooses
  CHECK(session.run().steps[1].narration.en.find("a number of yours, so nothing else is lit") !=
        std::string::npos);
  session.undo();
  CHECK(session.run().steps[1].narration.en.find("Lit is what this cell uses") != std::string::npos);
  CHECK(session.run().steps[1].narration.en.find("Cells you changed stay") != std::string::npos);
  session.undo();
  CHECK(row_of(session, label_of(Site::query), 3) == row_of(before, label_of(Site::query), 3));
}

TEST_CASE("a query, key or value edited with words as rows or as columns is edited in both") {
  using self_attention::columns_label;
  using self_attention::label_of;
  for (const Site site : {Site::query, Site::key, Site::value}) {
    Session session = Session::open("self-attention").value();
    REQUIRE(session.edit_cell({label_of(site), 0, 2, 1}, 3.0f).ok());
    REQUIRE(session.edit_cell({columns_label(site), 0, 0, 3}, -2.0f).ok());
    CHECK(cell_of(session, columns_label(site), 0, 1, 2) == 3.0f);
    CHECK(cell_of(session, label_of(site), 0, 3, 0) == -2.0f);
    CHECK(self_attention::ulp_between_ways(session.run().tape()) == 0);
    REQUIRE(session.edit_cell({columns_label(site), 0, 1, 2}, 4.0f).ok());  // the later one counts
    CHECK(cell_of(session, label_of(site), 0, 2, 1) == 4.0f);
    for (const tape::Label& label : {label_of(site), columns_label(site)}) {
      const bool columns = label == columns_label(site);
      CHECK(explained(session, label, columns ? Cell{0, 1, 2} : Cell{0, 2, 1}).op == tape::Op::replace);
      CHECK(explained(session, label, columns ? Cell{0, 1, 1} : Cell{0, 1, 1}).op == tape::Op::linear);
    }
  }
}

TEST_CASE("another sentence brings its own queries, keys and values; edited weights stay") {
  using self_attention::label_of;
  Session session = Session::open("self-attention").value();
  REQUIRE(session.edit_cell({label_of(Site::key), 0, 0, 0}, 3.0f).ok());
  REQUIRE(session.edit_cell({label_of(Site::key_weight), 0, 0, 0}, 2.0f).ok());
  REQUIRE(session.set_sentence("one two three").ok());
  REQUIRE(session.edits().size() == 1);
  CHECK(session.edits()[0].tensor == label_of(Site::key_weight));
}

TEST_CASE("a cell of a head is a cell of the whole query, and both attentions use it") {
  using namespace multi_head;
  Session session = Session::open("multi-head").value();  // two heads of width 4
  REQUIRE(session.edit_cell({label_of(Site::query), 1, 2, 3}, 5.0f).ok());
  CHECK(cell_of(session, single_label(Site::query), 0, 2, 7) == 5.0f);
  REQUIRE(session.edit_cell({single_label(Site::query), 0, 2, 7}, 6.0f).ok());
  CHECK(cell_of(session, label_of(Site::query), 1, 2, 3) == 6.0f);
  REQUIRE(session.edit_cell({label_of(Site::value), 0, 1, 0}, 2.0f).ok());
  CHECK(cell_of(session, single_label(Site::value), 0, 1, 0) == 2.0f);
  REQUIRE(session.set_parameter("heads", 8).ok());  // a head of width 1 has no cell 3
  CHECK(cell_of(session, label_of(Site::query), 1, 2, 0) != 5.0f);
}

TEST_CASE("W_o takes edits, also where the switch makes it I") {
  using namespace multi_head;
  Session session = Session::open("multi-head").value();
  REQUIRE(session.set_parameter("identity", 1).ok());
  const Focus cell{label_of(Site::output_weight), 0, 3, 5};
  REQUIRE(session.edit_cell(cell, 2.0f).ok());
  CHECK(cell_of(session, cell.tensor, 0, 3, 5) == 2.0f);
  CHECK(session.run().steps[kMix].narration.en.find("Now W_o = I") == std::string::npos);
  REQUIRE(session.edit_cell(cell, 0.0f).ok());  // I by hand
  CHECK(session.run().steps[kMix].narration.en.find("Now W_o = I") != std::string::npos);
}

TEST_CASE("whatever a reader puts into the cells, runs are finite and texts whole and short") {
  int edited = 0;
  for (const Lesson* lesson : all_lessons())
    for (const tape::Label& tensor : lesson->editable)
      for (const float size : {0.0f, 1.0f, kLargestEdit}) {
        Session session = attn::test::open_session(*lesson);
        const tape::Value entry = session.run().tape().find(tensor);
        REQUIRE(entry.valid());
        const Plane plane = plane_of(tensor, session.run().tape().tensor(entry).shape);
        if (is_toggled(*lesson, tensor) && size > 1.0f) continue;
        std::vector<CellEdit> edits;
        for (int head = 0; head < plane.heads; ++head)
          for (int row = 0; row < plane.rows; ++row)
            for (int column = 0; column < plane.columns; ++column)
              edits.push_back({tensor, head, row, column,
                               !is_toggled(*lesson, tensor) && (row + column) % 2 == 1 ? -size : size});
        for (const bool all : {false, true}) {
          INFO(lesson->slug << " " << tape::to_string(tensor) << " ±" << size << (all ? " all" : " one"));
          const std::span<const CellEdit> some(edits.data(), all ? edits.size() : 1);
          const attn::core::Status put = session.edit_cells(some, false);
          const bool of_tokens = tensor.site == tape::Site::tokens;  // whole numbers of the vocabulary only
          if (of_tokens && !put.ok()) {
            CHECK_FALSE(put.error().empty());
            continue;
          }
          REQUIRE(put.ok());
          if (lesson->toggled.empty())
            for (const tape::Entry& computed : session.run().tape().entries())
              CHECK(std::all_of(computed.value.flat().begin(), computed.value.flat().end(),
                                [](float value) { return std::isfinite(value); }));
          for (const Step& step : session.run().steps)
            for (const RunText* text : {&step.title, &step.narration, &step.brief, &step.try_it}) {
              CAPTURE(text->en, text->zh);
              CHECK((text->en + text->zh).find_first_of("$\1") == std::string::npos);
              if (lesson->toggled.empty()) {  // a lesson on masks speaks of −∞ and NaN
                CHECK((text->en + text->zh).find("NaN") == std::string::npos);
                CHECK((text->en + text->zh).find("∞") == std::string::npos);
              }
              CHECK(test::word_count(test::visible_text(text->en)) <= 60);
              CHECK(test::character_count(test::visible_text(text->zh)) <= 130);
            }
          ++edited;
        }
      }
  CHECK(edited > 100);
}

TEST_CASE("a question waits for an answer, however earlier steps were used") {
  for (const char* slug :
       {"why-attention", "self-attention", "loops-to-matrices", "scale-by-sqrt-dk", "multi-head"}) {
    Session session = Session::open(slug).value();
    const Lesson& lesson = session.lesson();
    const int last = session.step_count() - 1;
    for (int step = 0; step < last; ++step)
      for (const Parameter& parameter : lesson.parameters)
        for (const int value : {parameter.minimum, parameter.maximum}) {
          INFO(slug << " step " << step << " " << parameter.name << " " << value);
          REQUIRE(session.go_to_step(step).ok());
          REQUIRE(session.set_parameter(parameter.name, value).ok());
          REQUIRE(session.go_to_step(last).ok());
          CHECK(session.step().answer == Answer::open);
        }
    for (int step = 0; step < last; ++step)
      for (const Sheet sheet = session.run().sheet_at(step); const Block& block : sheet.blocks) {
        if (!is_editable(lesson, block.tensor)) continue;
        REQUIRE(session.go_to_step(step).ok());
        REQUIRE(session.edit_cell({block.tensor, 0, 0, 0}, -4.0f).ok());
        REQUIRE(session.go_to_step(last).ok());
        INFO(slug << " step " << step << " " << tape::to_string(block.tensor));
        CHECK(session.step().answer == Answer::open);
      }
  }
}
