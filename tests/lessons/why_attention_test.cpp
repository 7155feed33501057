// What the lesson why-attention claims, against its own numbers.
#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/lessons.h"
#include "lessons/session.h"
#include "lessons/why_attention/experiment.h"
#include "support/catch.h"
#include "support/visible_text.h"

using namespace attn;
using namespace attn::lessons::why_attention;
using lessons::CellEdit;
using lessons::Run;
using tape::Site;

namespace {

constexpr int kSeeds = 50;
constexpr int kQuestion = 7;  // the step that asks

Run run(const Settings& settings, std::vector<CellEdit> edits = {}) {
  return run_experiment(settings, edits);
}

bool same_rows(const Run& run, const tape::Label& label, int a, int b) {
  const auto x = row_of(run, label, a);
  const auto y = row_of(run, label, b);
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](float p, float q) { return core::bits_of(p) == core::bits_of(q); });
}

std::vector<float> values(const Run& run, const tape::Label& label, int row) {
  const auto found = row_of(run, label, row);
  return {found.begin(), found.end()};
}

CellEdit moved(int row, int column, float value) { return {vectors_label(), 0, row, column, value}; }

}  // namespace

TEST_CASE("why-attention: words are one-hot, and both saws are one vector") {
  const Run one = run({});
  CHECK(values(one, words_label(), 0) == std::vector<float>{1.0f, 0.0f, 0.0f});
  CHECK(values(one, words_label(), kFirstSaw) == std::vector<float>{0.0f, 1.0f, 0.0f});
  CHECK(values(one, words_label(), 2) == std::vector<float>{0.0f, 0.0f, 1.0f});
  CHECK(values(one, words_label(), kSecondSaw) == std::vector<float>{0.0f, 1.0f, 0.0f});
}

TEST_CASE("why-attention: the words around tell the saws apart, a word alone doesn't") {
  const Run looking = run({});
  CHECK(told_apart(looking, kFirstSaw) == 1);
  CHECK(told_apart(looking, kSecondSaw) == -1);
  CHECK(largest_words(looking, label_of(kGoal, Site::weights), kFirstSaw) == "I");
  CHECK(largest_words(looking, label_of(kGoal, Site::weights), kSecondSaw) == "a");
  CHECK_FALSE(same_rows(looking, label_of(kGoal, Site::context), kFirstSaw, kSecondSaw));
  const Run alone = run({.look_around = false});
  CHECK(told_apart(alone, kFirstSaw) == 0);
  CHECK(told_apart(alone, kSecondSaw) == 0);
  CHECK(same_rows(alone, label_of(kGoal, Site::context), kFirstSaw, kSecondSaw));
}

TEST_CASE("why-attention: any function of one vector gives both saws the same bits") {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Run one = run({.seed = seed});
    CHECK(same_rows(one, function_label(Site::feed_forward), kFirstSaw, kSecondSaw));
    CHECK_FALSE(same_rows(one, function_label(Site::feed_forward), 0, kFirstSaw));
  }
}

TEST_CASE("why-attention: the inner product is the lengths times the cosine; 0 at a right angle") {
  const Angle start = angle_of(run({}));
  CHECK(start.product == 5.0f);
  CHECK(std::fabs(start.degrees - 45.0f) < 1e-3f);
  CHECK(std::fabs(start.length_u * start.length_w * start.cosine - start.product) < 1e-5f);
  const Angle right = angle_of(run({}, {moved(1, 0, -1.0f), moved(1, 1, 3.0f)}));  // (3, 1) and (−1, 3)
  CHECK(right.product == 0.0f);
  CHECK(std::fabs(right.degrees - 90.0f) < 1e-3f);
  CHECK(angle_of(run({}, {moved(1, 0, -2.0f)})).product < 0.0f);
  const Angle none = angle_of(run({}, {moved(0, 0, 0.0f), moved(0, 1, 0.0f)}));
  CHECK_FALSE(none.exists());
  CHECK(none.product == 0.0f);
}

TEST_CASE("why-attention: plain inner products score saw highest with saw, queries and keys with I and a") {
  const Run one = run({});
  CHECK(values(one, label_of(kRaw, Site::scores), kSecondSaw) == std::vector<float>{0.0f, 1.0f, 0.0f, 1.0f});
  CHECK(largest_words(one, label_of(kRaw, Site::scores), kSecondSaw) == "saw, saw");
  CHECK(values(one, label_of(kAsked, Site::scores), kSecondSaw) ==
        std::vector<float>{2.0f, 0.0f, 2.0f, 0.0f});
  CHECK(largest_words(one, label_of(kAsked, Site::scores), kSecondSaw) == "I, a");
  // Without positions queries and keys can't tell the saws apart either.
  CHECK(same_rows(one, label_of(kAsked, Site::scores), kFirstSaw, kSecondSaw));
  const Run changed = run({}, {{label_of(kAsked, Site::key_weight), 0, 0, 2, 3.0f}});
  CHECK(largest_words(changed, label_of(kAsked, Site::scores), kSecondSaw) == "a");
}

TEST_CASE("why-attention: b = 5·I + 2·saw + 1·a + 2·saw grows with the scores, shares sum to 1") {
  const Run one = run({});
  CHECK(values(one, label_of(kSummed, Site::context), 0) == std::vector<float>{5.0f, 4.0f, 1.0f});
  CHECK(row_of(one, label_of(kSummed, Site::row_sums), 0)[0] == 10.0f);
  const Run grown = run({}, {{label_of(kSummed, Site::scores), 0, 0, 0, 50.0f}});
  CHECK(row_of(grown, label_of(kSummed, Site::context), 0)[0] == 50.0f);
  for (const Run* any : {&one, &grown}) {
    CHECK(std::fabs(row_of(*any, label_of(kShared, Site::row_sums), 0)[0] - 1.0f) < 3e-7f);
    CHECK(row_of(*any, label_of(kShared, Site::context), 0)[0] <= 1.0f);
  }
}

TEST_CASE("why-attention: the output adds values, as wide as W_v makes them") {
  const Run one = run({});
  const auto shares = row_of(one, label_of(kShared, Site::weights), 0);
  for (std::size_t d = 0; d < 2; ++d) {
    float expected = 0.0f;
    for (int j = 0; j < kWords; ++j)
      expected += shares[static_cast<std::size_t>(j)] * row_of(one, label_of(kLearned, Site::value), j)[d];
    CHECK(row_of(one, label_of(kLearned, Site::context), 0)[d] == expected);
  }
  CHECK(row_of(one, label_of(kLearned, Site::context), 0).size() == 2);
}

TEST_CASE("why-attention: every right angle between tenths is one, and no other angle is") {
  constexpr int kReach = 50;  // tenths
  const auto tenth = [](int count) { return static_cast<float>(count) / 10.0f; };
  const auto product = [&](int a, int b, int c, int d) { return tenth(a) * tenth(c) + tenth(b) * tenth(d); };
  const auto check = [&](int a, int b, int c, int d) {
    const Angle angle = angle_between(product(a, b, a, b), product(a, b, c, d), product(c, d, c, d));
    const int exact = a * c + b * d;
    if (angle.sign() == (exact > 0) - (exact < 0)) return true;
    CAPTURE(a, b, c, d, angle.product, angle.rounding());
    CHECK(angle.sign() == (exact > 0) - (exact < 0));
    return false;
  };
  int right_angles = 0, rounded = 0;
  for (int a = -kReach; a <= kReach; ++a)
    for (int b = -kReach; b <= kReach; ++b)
      for (int c = 0; c <= kReach; ++c) {
        if ((a == 0 && b == 0) || (b == 0 && c != 0)) continue;
        if (b != 0 && (a * c) % b != 0) continue;
        const int d = b == 0 ? 7 : -a * c / b;
        if (std::abs(d) > kReach || (c == 0 && d == 0)) continue;
        REQUIRE(check(a, b, c, d));
        ++right_angles;
        rounded += product(a, b, c, d) != 0.0f ? 1 : 0;
        for (const int off : {-1, 1}) REQUIRE(check(a, b, c, d + off));  // just beside it
      }
  CHECK(right_angles > 20000);
  CHECK(rounded > right_angles / 20);  // this is why: exactly 0 would not do
}

TEST_CASE("why-attention: a right angle that isn't exactly 0 is said to be one, with the bound it keeps") {
  const std::vector<CellEdit> edits{moved(0, 0, -4.0f), moved(0, 1, 1.2f), moved(1, 0, 0.9f),
                                    moved(1, 1, 3.0f)};
  const Run one = run({}, edits);
  const Angle angle = angle_of(one);
  REQUIRE(angle.product != 0.0f);
  CHECK(angle.sign() == 0);
  CHECK(degrees_text(angle, 0) == "90°");
  lessons::Session session = lessons::Session::open("why-attention").value();
  for (CellEdit edit : edits) {
    REQUIRE(session.edit_cells(std::span(&edit, 1), false).ok());
    edit.tensor = vectors_label(Pair::asked);
    REQUIRE(session.edit_cells(std::span(&edit, 1), false).ok());
  }
  for (const int step : {2, kQuestion}) {
    const lessons::Step& now = session.run().steps[static_cast<std::size_t>(step)];
    CHECK(now.narration.en.find("a right angle, this being rounding, at most |u||w|·2⁻²²") !=
          std::string::npos);
    CHECK(now.narration.en.find("positive") == std::string::npos);
  }
  CHECK(session.run().steps[kQuestion].answer == lessons::Answer::wrong);
  // Near 90° the text has as many digits as it takes.
  CHECK(degrees_text(angle_between(1e6f, 100.0f, 1e6f), 0) == "89.99°");
}

TEST_CASE("why-attention: the question is answered by turning a vector beyond 90 degrees") {
  lessons::Session session = lessons::Session::open("why-attention").value();
  REQUIRE(session.go_to_step(kQuestion).ok());
  const auto answer = [&] { return session.step().answer; };
  const auto put = [&](int row, int column, float value) {
    REQUIRE(session.edit_cell({vectors_label(Pair::asked), 0, row, column}, value).ok());
  };
  CHECK(answer() == lessons::Answer::open);
  put(0, 0, 0.5f);  // shorter
  CHECK(answer() == lessons::Answer::wrong);
  put(0, 0, -4.0f);
  CHECK(answer() == lessons::Answer::right);
  put(0, 0, -2.0f);  // (−2, 1)·(1, 2) = 0
  CHECK(answer() == lessons::Answer::wrong);
  put(0, 0, 0.0f);
  put(0, 1, 0.0f);
  CHECK(answer() == lessons::Answer::wrong);
}

TEST_CASE("why-attention: W and W_v can be changed, and the saws still can't part") {
  const tape::Label function = function_label(Site::linear1_weight);
  const Run one =
      run({}, {{function, 0, 1, 1, 9.0f}, {label_of(kLearned, Site::value_weight), 0, 0, 1, 5.0f}});
  CHECK(row_of(one, function, 1)[1] == 9.0f);
  CHECK(row_of(one, function_label(Site::hidden), kFirstSaw)[1] == 9.0f);
  CHECK(same_rows(one, function_label(Site::feed_forward), kFirstSaw, kSecondSaw));
  CHECK(row_of(one, label_of(kLearned, Site::value), kSecondSaw)[0] == 5.0f);
}

TEST_CASE("why-attention: whatever the reader changes, the texts are whole and short") {
  const tape::Label given = label_of(kSummed, Site::scores);
  const tape::Label key = label_of(kAsked, Site::key_weight);
  const std::vector<std::vector<CellEdit>> changes{
      {},
      {moved(0, 0, 0.0f), moved(0, 1, 0.0f)},
      {moved(0, 0, -1000.0f), {given, 0, 0, 0, -999.125f}, {given, 0, 0, 1, 1000.0f}},
      {{key, 0, 0, 0, 0.0f}, {key, 0, 0, 2, 0.0f}, {given, 0, 0, 2, 1000.0f}, {given, 0, 0, 3, -1000.0f}}};
  for (const auto& edits : changes) {
    const auto run = lessons::why_attention::kLesson.run(
        {initial_values(lessons::why_attention::kLesson), edits}, nullptr);
    for (const lessons::Step& step : run.value().steps)
      for (const lessons::RunText* text : {&step.narration, &step.brief, &step.title, &step.try_it}) {
        CAPTURE(text->en, text->zh);
        CHECK((text->en + text->zh).find('$') == std::string::npos);
        CHECK(test::word_count(test::visible_text(text->en)) <= 60);
        CHECK(test::character_count(test::visible_text(text->zh)) <= 130);
      }
  }
}

TEST_CASE("why-attention: the scores that are added up are said to be given, and are") {
  lessons::Session session = lessons::Session::open("why-attention").value();
  REQUIRE(session.go_to_step(5).ok());
  CHECK(session.step().narration.en.find("an example, given rather than computed") != std::string::npos);
  CHECK(session.step().narration.zh.find("直接给 I 四个分数做例子") != std::string::npos);
  const tape::Tape& tape = session.run().tape();
  CHECK(tape.entry(tape.find(label_of(kSummed, Site::scores))).op == tape::Op::leaf);
  CHECK(lessons::is_editable(session.lesson(), label_of(kSummed, Site::scores)));
}

TEST_CASE("why-attention: a word's row of numbers can't be read as a shape") {
  lessons::Session session = lessons::Session::open("why-attention").value();
  for (const lessons::Sheet& sheet : session.run().board->sheets)
    for (const lessons::Block& block : sheet.blocks) CHECK(block.note.find("1 0 0") == std::string::npos);
  CHECK(session.run().steps[1].narration.en.find("I is {code|[1, 0, 0]}") != std::string::npos);
}
