// A question is open when the reader comes to it, whatever they did before.
#include "lessons/plane.h"
#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/shipped_translator.h"

using namespace attn;
using namespace attn::lessons;

namespace {

/// Changes the first cell of every editable tensor the run has.
void edit_cells(Session& session) {
  for (const tape::Label& tensor : session.lesson().editable)
    if (session.run().tape().find(tensor).valid())
      REQUIRE(session.edit_cell({tensor, 0, 0, 0}, is_toggled(session.lesson(), tensor) ? 0.0f : 7.0f).ok());
}

}  // namespace

TEST_CASE("a question is open on arrival after any one thing was changed in any step before") {
  for (const char* slug : {"positions", "mask-lab", "mask-equivalence", "teacher-forcing", "kv-cache"}) {
    const Lesson& lesson = *find_lesson(slug);
    const int last = static_cast<int>(lesson.plan.size()) - 1;
    Session session = attn::test::open_session(lesson);
    for (int step = 0; step < last; ++step) {
      for (const Parameter& parameter : lesson.parameters)
        for (const int value : {parameter.minimum, parameter.maximum}) {
          session.reset();
          REQUIRE(session.go_to_step(step).ok());
          REQUIRE(session.set_parameter(parameter.name, value).ok());
          REQUIRE(session.go_to_step(last).ok());
          CAPTURE(slug, step, parameter.name, value);
          CHECK(session.step().answer == Answer::open);
        }
      session.reset();
      REQUIRE(session.go_to_step(step).ok());
      edit_cells(session);
      REQUIRE(session.go_to_step(last).ok());
      CAPTURE(slug, step);
      CHECK(session.step().answer == Answer::open);
    }
  }
}
