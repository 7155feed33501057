// What a session does while the file that a lesson needs isn't here, when it comes, and when it can't be
// read.
#include "lessons/lessons.h"
#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/sample_lesson.h"
#include "support/shipped_translator.h"

using namespace attn;
using namespace attn::lessons;

namespace {

Session other_lesson() { return std::move(Session::open("self-attention")).value(); }

// A lesson that needs the translator for one value of its only parameter.
core::Result<Run> run_needing(const Inputs& inputs, const Run*);
bool needed(const ParameterValues& values) { return values[0] == 1; }
core::Result<std::shared_ptr<const training::Translator>> read(std::span<const std::uint8_t> file) {
  core::Result<training::Translator> translator = training::read_translator(file);
  if (!translator.ok()) return translator.failure();
  return std::shared_ptr<const training::Translator>(
      std::make_shared<training::Translator>(std::move(translator).value()));
}
constexpr TranslatorUse kUse{needed, read};
constexpr Parameter kParameters[] = {
    {"trained", {"训练过", "Trained"}, ParameterKind::toggle, ParameterPlace::board, 0, 1, 0}};
const StepPlan kPlan[] = {{}, {}};
constexpr tape::Label kFigures{.site = tape::Site::figures};
const Lesson kNeeding{.slug = "needing",
                      .title = {"要", "Needs"},
                      .short_title = {"要", "Needs"},
                      .promise = {"要。", "Needs."},
                      .parameters = kParameters,
                      .plan = kPlan,
                      .run = run_needing,
                      .translator = &kUse};

core::Result<Run> run_needing(const Inputs& inputs, const Run*) {
  Run run;
  const float words =
      inputs.translator == nullptr ? 0.0f : static_cast<float>(inputs.translator->source.size());
  run.board.emplace().tape.leaf({&words, core::Shape{1, 1}}, kFigures);
  run.board->sheets.push_back({{Block{.tensor = kFigures, .title = {"数", "Numbers"}}}});
  run.steps.resize(2);
  for (Step& step : run.steps) step.focus = {kFigures, 0, 0, 0};
  return run;
}

float words_known(const Session& session) { return session.run().tape().tensor(kFigures).values[0]; }

}  // namespace

TEST_CASE("a lesson whose weights aren't here waits for them, and the one before stays") {
  Session session = other_lesson();
  REQUIRE(session.go_to_step(3).ok());
  const Run* before = &session.run();
  const std::uint32_t revision = session.revision();
  REQUIRE(session.change_lesson("translate").ok());
  CHECK(session.awaits_translator());
  CHECK(session.revision() > revision);
  CHECK(&session.run() == before);
  CHECK(std::string(session.lesson().slug) == "self-attention");
  CHECK(session.step_index() == 3);
  REQUIRE(session.provide_translator(test::translator_file()).ok());
  CHECK_FALSE(session.awaits_translator());
  CHECK(std::string(session.lesson().slug) == "translate");
  REQUIRE(session.change_lesson("self-attention").ok());
  REQUIRE(session.change_lesson("translate").ok());  // once is enough
  CHECK_FALSE(session.awaits_translator());
}

TEST_CASE("whoever does something else doesn't wait any more") {
  Session session = other_lesson();
  REQUIRE(session.change_lesson("translate").ok());
  REQUIRE(session.go_to_step(1).ok());
  CHECK_FALSE(session.awaits_translator());
  REQUIRE(session.provide_translator(test::translator_file()).ok());
  CHECK(std::string(session.lesson().slug) == "self-attention");
  REQUIRE(session.change_lesson("translate").ok());  // it is here now
  CHECK(std::string(session.lesson().slug) == "translate");
}

TEST_CASE("weights that can't be had leave everything as it was, and may be asked for again") {
  Session session = other_lesson();
  REQUIRE(session.change_lesson("translate").ok());
  session.give_up_translator();
  CHECK_FALSE(session.awaits_translator());
  CHECK(std::string(session.lesson().slug) == "self-attention");
  REQUIRE(session.change_lesson("translate").ok());
  CHECK(session.awaits_translator());
}

TEST_CASE(
    "a file that is no translator is refused in both languages, forgotten, and the right one works after") {
  Session::File torn = test::translator_file();
  torn.resize(torn.size() / 2);
  const Session::File page{'<', '!', 'd', 'o', 'c', 't', 'y', 'p', 'e', '>'};
  for (const Session::File& wrong : {torn, page}) {
    Session session = other_lesson();
    REQUIRE(session.change_lesson("translate").ok());
    const core::Status refused = session.provide_translator(wrong);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().find("translator's weights") != std::string::npos);
    CHECK(said_in(refused.failure(), Language::zh).find("权重") != std::string::npos);
    CHECK_FALSE(session.awaits_translator());
    CHECK(std::string(session.lesson().slug) == "self-attention");
    REQUIRE(session.change_lesson("translate").ok());
    CHECK(session.awaits_translator());
    REQUIRE(session.provide_translator(test::translator_file()).ok());
    CHECK(std::string(session.lesson().slug) == "translate");
  }
}

TEST_CASE("a session can't begin with a lesson whose weights aren't given or can't be read") {
  const core::Result<Session> without = Session::open("translate");
  REQUIRE_FALSE(without.ok());
  CHECK(without.error().find("isn't here") != std::string::npos);
  CHECK_FALSE(Session::open("translate", {1, 2, 3}).ok());
  CHECK(Session::open("translate", test::translator_file()).ok());
}

TEST_CASE("a value that needs the weights is set when they come, and can be undone and done again") {
  Session session = std::move(Session::open(kNeeding)).value();
  CHECK(words_known(session) == 0.0f);
  REQUIRE(session.go_to_step(1).ok());
  REQUIRE(session.set_parameter("trained", 1).ok());
  CHECK(session.awaits_translator());
  CHECK(session.value_of("trained") == 0);
  CHECK(words_known(session) == 0.0f);
  REQUIRE(session.provide_translator(test::translator_file()).ok());
  CHECK(session.value_of("trained") == 1);
  CHECK(session.step_index() == 1);
  CHECK(words_known(session) > 100.0f);
  session.undo();
  CHECK(words_known(session) == 0.0f);
  session.redo();
  CHECK(words_known(session) > 100.0f);
  session.undo();
  session.undo();
  CHECK(session.step_index() == 0);
}
