// What holds of every lesson, whoever wrote it: the registry's and, so that these checks never run on
// nothing, the sample of the tests.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/bits.h"
#include "lessons/plane.h"
#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/sample_lesson.h"
#include "support/shipped_translator.h"
#include "support/visible_text.h"

using namespace attn::lessons;
using namespace attn::test;
namespace tape = attn::tape;

namespace {
constexpr int kMostEnglishWords = 60;
// A phone shows two lines of it.
constexpr int kMostChineseInBrief = 46;
constexpr int kMostLatinInBrief = 92;
constexpr int kMostChineseCharacters = 130;

std::vector<const Lesson*> lessons_under_test() {
  std::vector<const Lesson*> lessons(all_lessons().begin(), all_lessons().end());
  lessons.push_back(&sample_lesson());
  return lessons;
}

// The refusals of the sample are on purpose; every value of a real lesson must run.
bool may_refuse(const Lesson& lesson, const Parameter& parameter) {
  return &lesson == &sample_lesson() && std::string_view(parameter.name) == "trouble";
}

std::vector<int> edge_values(const Lesson& lesson, const Parameter& parameter) {
  std::vector<int> values;
  for (const Choice& choice : parameter.choices) values.push_back(choice.value);
  if (values.empty()) values = {parameter.minimum, parameter.maximum};
  if (may_refuse(lesson, parameter)) values = {parameter.minimum};
  return values;
}

// Every parameter at each edge with the others as they begin, then every pair of parameters at both edges.
std::vector<ParameterValues> settings_of(const Lesson& lesson) {
  const ParameterValues initial = initial_values(lesson);
  std::set<ParameterValues> settings{initial};
  for (std::size_t i = 0; i < initial.size(); ++i) {
    for (const int first : edge_values(lesson, lesson.parameters[i])) {
      ParameterValues one = initial;
      one[i] = first;
      settings.insert(limited(lesson, one));
      for (std::size_t j = 0; j < i; ++j) {
        ParameterValues two = one;
        two[j] = edge_values(lesson, lesson.parameters[j]).back();
        settings.insert(limited(lesson, two));
      }
    }
  }
  return {settings.begin(), settings.end()};
}

std::string spelled(const Lesson& lesson, const ParameterValues& values) {
  std::string text = lesson.slug;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += std::string(" ") + lesson.parameters[i].name + "=" + std::to_string(values[i]);
  return text;
}

// Different words, as long as they may be; of the vocabulary, where a lesson has one.
std::vector<std::string> longest_words(const Lesson& lesson, std::size_t count) {
  std::vector<std::string> words;
  if (lesson.translator != nullptr) {
    const attn::io::Vocabulary& known = shipped_translator()->source;
    for (int id = attn::io::Vocabulary::kSpecials; id < known.size(); ++id) words.push_back(known.symbol(id));
    std::stable_sort(words.begin(), words.end(),
                     [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    words.resize(count);
    return words;
  }
  words.assign(count, std::string(static_cast<std::size_t>(lesson.sentence.longest_word), 'w'));
  for (std::size_t i = 0; i < count; ++i) words[i][0] = static_cast<char>('a' + i);
  return words;
}

// Name of the first labelled tensor with a value that isn't finite; empty when there is none.
std::string first_not_finite(const tape::Tape& tape) {
  for (const tape::Entry& entry : tape.entries())
    for (const float value : entry.value.flat())
      if (!std::isfinite(value)) return tape::to_string(entry.label);
  return {};
}

bool resolves(const Focus& focus, const Run& run) {
  const tape::Value value = run.tape().find(focus.tensor);
  if (!value.valid() || (run.twin && !run.twin->inference.tape.find(focus.tensor).valid())) return false;
  const Plane plane = plane_of(focus.tensor, run.tape().tensor(value).shape);
  return plane.has_cell(focus.head, std::max(focus.row, 0), std::max(focus.column, 0));
}

void check_both_languages(const char* zh, const char* en) {
  CAPTURE(zh, en);
  CHECK(character_count(zh) > 0);
  CHECK(character_count(en) > 0);
  CHECK(std::string(zh) != en);
}

void check_markup(const RunText& text) {
  for (const std::string& markup : {text.zh, text.en}) {
    CAPTURE(markup);
    CHECK(visible_text(markup).find_first_of("{}") == std::string::npos);
  }
}

void check_step(const Step& step) {
  check_both_languages(step.title.zh.c_str(), step.title.en.c_str());
  check_both_languages(step.narration.zh.c_str(), step.narration.en.c_str());
  check_both_languages(step.brief.zh.c_str(), step.brief.en.c_str());
  CHECK(step.try_it.zh.empty() == step.try_it.en.empty());
  CHECK(step.formula.text.empty() == step.formula.mathml.empty());
  CHECK((step.title.zh + step.title.en).find_first_of("{}\n") == std::string::npos);
  for (const RunText& text : {step.narration, step.brief, step.try_it}) check_markup(text);
  CAPTURE(step.narration.zh, step.narration.en, step.brief.zh, step.brief.en);
  CHECK(character_count(visible_text(step.narration.zh)) <= kMostChineseCharacters);
  CHECK(word_count(visible_text(step.narration.en)) <= kMostEnglishWords);
  CHECK(character_count(visible_text(step.brief.zh)) <= kMostChineseInBrief);
  CHECK(character_count(visible_text(step.brief.en)) <= kMostLatinInBrief);
  CHECK(sentence_count(visible_text(step.brief.zh)) == 1);
  CHECK(sentence_count(visible_text(step.brief.en)) == 1);
}

void check_twin(const Run& run) {
  CHECK(first_not_finite(run.twin->training.tape) == "");
  CHECK(first_not_finite(run.twin->inference.tape) == "");
  CHECK(run.twin->training.target_length == static_cast<int>(run.target_words.size()));
  CHECK(run.twin->inference.target_length <= run.twin->training.target_length);
  CHECK_FALSE(run.twin->differences.empty());
  CHECK(run.twin->first_different == tape::first_different(run.twin->differences));
}

// NaN is allowed where a block is about it, nowhere else.
bool is_about_nan(const Board& board, const tape::Label& label) {
  for (const Sheet& sheet : board.sheets)
    for (const Block& block : sheet.blocks)
      if (block.shows_nan && (block.tensor == label || block.row_figures == label)) return true;
  return false;
}

void check_plot(const Plot& plot) {
  check_both_languages(plot.x_name.zh, plot.x_name.en);
  check_both_languages(plot.y_name.zh, plot.y_name.en);
  CHECK_FALSE(plot.series.empty());
  for (const Series& series : plot.series) {
    CHECK(series.x.size() == series.y.size());
    CHECK_FALSE(series.x.empty());
    CHECK(std::is_sorted(series.x.begin(), series.x.end()));
    if (plot.series.size() > 1) CHECK(character_count(series.name.zh) > 0);
    for (const float x : series.x) CHECK((std::isfinite(x) && (!plot.log_x || x > 0.0f)));
    for (const float y : series.y) CHECK((std::isfinite(y) && (!plot.log_y || y > 0.0f)));
  }
}

void check_table(const Table& table) {
  CHECK_FALSE(table.rows.empty());
  for (const TableRow& row : table.rows) {
    CHECK(character_count(row.name.zh) > 0);
    CHECK(row.cells.size() == table.columns.size());
  }
}

void check_block(const Block& block, const tape::Tape& tape) {
  CAPTURE(block.title.en, tape::to_string(block.tensor));
  const tape::Value value = tape.find(block.tensor);
  REQUIRE(value.valid());
  CHECK(character_count(block.title.zh) > 0);
  CHECK(block.column >= 0);
  CHECK(block.band >= 0);
  const attn::core::Shape& shape = tape.tensor(value).shape;
  if (block.mask.site != tape::Site::unnamed) CHECK(tape.find(block.mask).valid());
  if (block.row_figures.site != tape::Site::unnamed) {
    REQUIRE(tape.find(block.row_figures).valid());
    CHECK(tape.tensor(block.row_figures).shape[0] == plane_of(block.tensor, shape).rows);
    check_both_languages(block.row_figures_title.zh, block.row_figures_title.en);
  }
  if (block.kind == BlockKind::plot) check_plot(block.plot);
  if (block.kind == BlockKind::table) check_table(block.table);
  if (block.kind == BlockKind::vectors) CHECK((shape.rank() == 2 && shape[1] == 2));
}

// Every block shows a tensor of the tape, and every step's focus is one of its sheet.
void check_board(const Run& run) {
  const Board& board = *run.board;
  for (const tape::Entry& entry : board.tape.entries()) {
    if (is_about_nan(board, entry.label)) continue;
    CAPTURE(tape::to_string(entry.label));
    CHECK(std::all_of(entry.value.flat().begin(), entry.value.flat().end(),
                      [](float value) { return std::isfinite(value); }));
  }
  for (const Sheet& sheet : board.sheets) {
    CHECK_FALSE(sheet.blocks.empty());
    for (const Block& block : sheet.blocks) check_block(block, board.tape);
    std::vector<std::string> matrices;
    for (const Block& block : sheet.blocks)
      if (block.kind == BlockKind::matrix)
        matrices.push_back(tape::to_string(block.tensor) + (block.unmasked ? " unmasked" : ""));
    std::sort(matrices.begin(), matrices.end());
    CHECK(std::adjacent_find(matrices.begin(), matrices.end()) == matrices.end());
  }
  for (const Step& step : run.steps) {
    REQUIRE((step.sheet >= 0 && step.sheet < static_cast<int>(board.sheets.size())));
    const auto& blocks = board.sheets[static_cast<std::size_t>(step.sheet)].blocks;
    CHECK(std::any_of(blocks.begin(), blocks.end(),
                      [&](const Block& block) { return block.tensor == step.focus.tensor; }));
  }
}

// The question comes last, and nothing is answered before the reader does something.
void check_question(const Lesson& lesson) {
  CAPTURE(lesson.slug);
  const Session session = open_session(lesson);
  const std::vector<Step>& steps = session.run().steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    CHECK((steps[i].answer == Answer::none) == (i + 1 < steps.size()));
  CHECK(steps.back().answer == Answer::open);
}

void check_run(const Lesson& lesson, const Run& run) {
  REQUIRE(run.twin.has_value() != run.board.has_value());
  if (run.twin)
    check_twin(run);
  else
    check_board(run);
  REQUIRE(run.steps.size() == lesson.plan.size());
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    CAPTURE(i);
    CHECK(resolves(run.steps[i].focus, run));
    check_step(run.steps[i]);
  }
}

std::uint64_t hash_of(const tape::Tape& tape, std::uint64_t hash) {
  for (const tape::Entry& entry : tape.entries()) {
    const std::string name = tape::to_string(entry.label);
    hash = attn::core::fnv1a(name.data(), name.size(), hash);
    hash = attn::core::fnv1a(entry.value.values, entry.value.flat().size_bytes(), hash);
  }
  return hash;
}

std::uint64_t hash_of(const Run& run) {
  return run.twin ? hash_of(run.twin->inference.tape, hash_of(run.twin->training.tape, 0))
                  : hash_of(run.board->tape, 0);
}

// Everything a screen is made of.
std::uint64_t screen_hash(const Session& session) {
  std::uint64_t hash = hash_of(session.run());
  const Focus& focus = session.focus();
  const std::string text = session.step().title.en + session.step().narration.en +
                           session.step().narration.zh + tape::to_string(focus.tensor);
  hash = attn::core::fnv1a(text.data(), text.size(), hash);
  std::vector<int> numbers = session.values();
  numbers.insert(numbers.end(), {session.step_index(), focus.head, focus.row, focus.column});
  return attn::core::fnv1a(numbers.data(), numbers.size() * sizeof(int), hash);
}

}  // namespace

TEST_CASE("every lesson names itself and its parameters in both languages") {
  for (const Lesson* lesson : lessons_under_test()) {
    INFO(lesson->slug);
    check_both_languages(lesson->title.zh, lesson->title.en);
    check_both_languages(lesson->short_title.zh, lesson->short_title.en);
    check_both_languages(lesson->promise.zh, lesson->promise.en);
    CHECK(sentence_count(lesson->promise.zh) == 1);
    CHECK(sentence_count(lesson->promise.en) == 1);
    std::set<std::string> names;
    for (const Parameter& parameter : lesson->parameters) {
      INFO(parameter.name);
      CHECK(names.insert(parameter.name).second);
      check_both_languages(parameter.title.zh, parameter.title.en);
      CHECK(parameter.minimum < parameter.maximum);
      CHECK(parameter.choices.empty() == (parameter.kind != ParameterKind::choice));
      for (const Choice& choice : parameter.choices) {
        CHECK(std::string_view(choice.title.zh) != "");
        CHECK(std::string_view(choice.title.en) != "");
      }
      if (!parameter.choices.empty()) {
        CHECK(parameter.minimum == parameter.choices.front().value);
        CHECK(parameter.maximum == parameter.choices.back().value);
      }
      if (parameter.limited_by != nullptr) {
        CHECK(parameter.kind == ParameterKind::number);
        CHECK(find_parameter(*lesson, parameter.limited_by) >= 0);
      }
    }
    CHECK(validate(*lesson, initial_values(*lesson)).ok());
  }
}

TEST_CASE("every plan sets parameters the lesson has to values they allow") {
  for (const Lesson* lesson : lessons_under_test()) {
    INFO(lesson->slug);
    CHECK_FALSE(lesson->plan.empty());
    for (const StepPlan& step : lesson->plan) {
      for (const auto& [name, value] : step.sets) {
        CAPTURE(name, value);
        const int index = find_parameter(*lesson, name);
        REQUIRE(index >= 0);
        CHECK(validate_value(*lesson, index, value).ok());
      }
    }
  }
}

TEST_CASE("every lesson runs at the edges of its parameters and says only what it should") {
  for (const Lesson* lesson : lessons_under_test()) {
    for (const ParameterValues& values : settings_of(*lesson)) {
      INFO(spelled(*lesson, values));
      REQUIRE(validate(*lesson, values).ok());
      const attn::core::Result<Run> run = lesson->run(inputs_of(*lesson, values), nullptr);
      REQUIRE(run.ok());
      check_run(*lesson, run.value());
    }
  }
}

TEST_CASE("a lesson with a sentence says only what it should of the reader's, short or long") {
  int sentences = 0;
  for (const Lesson* lesson : lessons_under_test()) {
    const SentenceRule& rule = lesson->sentence;
    if (rule.most == 0) continue;
    const auto most = static_cast<std::size_t>(rule.most);
    const std::vector<std::string> different = longest_words(*lesson, most);
    const std::vector<std::string> few(different.end() - rule.fewest, different.end());
    const std::vector<std::string> same(most, different.back());
    for (const auto& words : {different, few, same, own_words(rule)})
      for (const ParameterValues& values : settings_of(*lesson)) {
        CAPTURE(spelled(*lesson, values), words);
        Inputs inputs = inputs_of(*lesson, values);
        inputs.words = words;
        const attn::core::Result<Run> run = lesson->run(inputs, nullptr);
        REQUIRE(run.ok());
        CHECK(run.value().source_words == words);
        check_run(*lesson, run.value());
        ++sentences;
      }
  }
  CHECK(sentences > 0);
}

TEST_CASE("every lesson ends with a question, unanswered until the reader does something") {
  for (const Lesson* lesson : all_lessons()) check_question(*lesson);
}

TEST_CASE("a run that reuses the one on screen has the same numbers as one that doesn't") {
  for (const Lesson* lesson : lessons_under_test()) {
    const ParameterValues initial = initial_values(*lesson);
    const attn::core::Result<Run> shown = lesson->run(inputs_of(*lesson, initial), nullptr);
    REQUIRE(shown.ok());
    for (std::size_t i = 0; i < initial.size(); ++i) {
      for (const int value : edge_values(*lesson, lesson->parameters[i])) {
        ParameterValues values = initial;
        values[i] = value;
        values = limited(*lesson, values);
        INFO(spelled(*lesson, values));
        const attn::core::Result<Run> alone = lesson->run(inputs_of(*lesson, values), nullptr);
        const attn::core::Result<Run> after = lesson->run(inputs_of(*lesson, values), &shown.value());
        REQUIRE((alone.ok() && after.ok()));
        CHECK(hash_of(alone.value()) == hash_of(after.value()));
      }
    }
  }
}

TEST_CASE("every lesson shows the same screens on the way back, and after a jump") {
  for (const Lesson* lesson : lessons_under_test()) {
    Session session = open_session(*lesson);
    INFO(lesson->slug);
    std::vector<std::uint64_t> screens{screen_hash(session)};
    while (session.can_step(1)) {
      session.step_by(1);
      check_run(*lesson, session.run());
      screens.push_back(screen_hash(session));
    }
    REQUIRE(static_cast<int>(screens.size()) == session.step_count());
    for (int step = session.step_count() - 1; step >= 0; --step) {
      CAPTURE(step);
      REQUIRE(session.go_to_step(step).ok());
      CHECK(screen_hash(session) == screens[static_cast<std::size_t>(step)]);
      Session fresh = open_session(*lesson);
      REQUIRE(fresh.go_to_step(step).ok());
      CHECK(screen_hash(fresh) == screens[static_cast<std::size_t>(step)]);
    }
    while (session.can_undo()) session.undo();
    CHECK(screen_hash(session) == screens.front());
  }
}
