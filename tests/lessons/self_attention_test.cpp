// What the lesson self-attention claims, against its own numbers.
#include "lessons/self_attention/batch.h"
#include "lessons/self_attention/columns.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "tape/explain.h"

using namespace attn;
using lessons::self_attention::kShapes;
using lessons::self_attention::label_of;
using tape::Site;

namespace {

constexpr int kWords = 4;
constexpr int kFirstSaw = 1;
constexpr int kSecondSaw = 3;
constexpr int kBatch = 8;
constexpr int kQuestion = 9;  // the step that asks

lessons::Session open() { return lessons::Session::open("self-attention").value(); }

core::TensorView tensor(const lessons::Session& session, Site site) {
  const tape::Tape& tape = session.run().tape();
  return tape.tensor(label_of(site));
}

std::span<const float> row(const lessons::Session& session, Site site, int index) {
  const core::TensorView view = tensor(session, site);
  const auto width = static_cast<std::size_t>(view.shape[-1]);
  return view.flat().subspan(static_cast<std::size_t>(index) * width, width);
}

using core::same_bits;

bool says(const lessons::Session& session, const char* words) {
  return session.step().narration.zh.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("without a mask both saws get the same output bits, with the causal mask different ones") {
  lessons::Session session = open();
  for (const Site site : {Site::embedding, Site::query, Site::key, Site::value, Site::weights, Site::context})
    CHECK(same_bits(row(session, site, kFirstSaw), row(session, site, kSecondSaw)));
  REQUIRE(session.set_parameter("causal_mask", 1).ok());
  CHECK(same_bits(row(session, Site::query, kFirstSaw), row(session, Site::query, kSecondSaw)));
  CHECK_FALSE(same_bits(row(session, Site::context, kFirstSaw), row(session, Site::context, kSecondSaw)));
}

TEST_CASE("weights of a row sum to 1 and those a mask hides are exactly 0") {
  constexpr float kRounding = 4.0f * 6e-8f;  // four terms, each rounded to within half an ulp of 1
  lessons::Session session = open();
  for (const int causal : {0, 1}) {
    REQUIRE(session.set_parameter("causal_mask", causal).ok());
    for (int i = 0; i < kWords; ++i) {
      const std::span<const float> weights = row(session, Site::weights, i);
      float sum = 0.0f;
      for (int j = 0; j < kWords; ++j) {
        const float weight = weights[static_cast<std::size_t>(j)];
        sum += weight;
        CHECK((weight == 0.0f) == (causal == 1 && j > i));
      }
      CHECK(std::fabs(sum - 1.0f) <= kRounding);
    }
  }
}

TEST_CASE("the output is as wide as the values, whatever the width of queries and keys") {
  lessons::Session session = open();
  for (const int d_k : {1, 8})
    for (const int d_v : {1, 7}) {
      REQUIRE(session.set_parameter("d_k", d_k).ok());
      REQUIRE(session.set_parameter("d_v", d_v).ok());
      CHECK(tensor(session, Site::context).shape[-1] == d_v);
      CHECK(tensor(session, Site::scores).shape[-1] == kWords);
    }
}

TEST_CASE("the question is answered by what the reader changes") {
  lessons::Session session = open();
  REQUIRE(session.go_to_step(kQuestion).ok());
  CHECK_FALSE(says(session, "{eq|对了。}"));
  CHECK_FALSE(says(session, "{ne|还不是。}"));
  REQUIRE(session.set_parameter("d_k", 3).ok());
  CHECK(says(session, "{ne|还不是。}"));
  REQUIRE(session.set_parameter("d_v", 6).ok());
  CHECK(says(session, "{eq|对了。}"));
}

TEST_CASE("a changed word is used everywhere, and taken back leaves the bits it had") {
  lessons::Session session = open();
  const std::span<const float> before = row(session, Site::context, kSecondSaw);
  const std::vector<float> own(before.begin(), before.end());
  const lessons::Focus cell{label_of(Site::embedding), 0, kSecondSaw, 0};
  REQUIRE(session.edit_cell(cell, 2.5f).ok());
  CHECK(row(session, Site::embedding, kSecondSaw)[0] == 2.5f);
  CHECK_FALSE(same_bits(row(session, Site::query, kFirstSaw), row(session, Site::query, kSecondSaw)));
  CHECK_FALSE(same_bits(own, row(session, Site::context, kSecondSaw)));
  REQUIRE(session.set_parameter("d_v", 4).ok());
  CHECK(session.edits().size() == 1);
  REQUIRE(session.clear_edits().ok());
  CHECK(same_bits(own, row(session, Site::context, kSecondSaw)));
  session.undo();
  CHECK(row(session, Site::embedding, kSecondSaw)[0] == 2.5f);
}

TEST_CASE("only given cells can be changed, and only to a number of a sensible size") {
  lessons::Session session = open();
  const unsigned revision = session.revision();
  CHECK_FALSE(session.edit_cell({label_of(Site::scores), 0, 0, 0}, 1.0f).ok());
  CHECK_FALSE(session.edit_cell({label_of(Site::embedding), 0, 4, 0}, 1.0f).ok());
  CHECK_FALSE(session.edit_cell({label_of(Site::embedding), 0, -1, -1}, 1.0f).ok());
  CHECK_FALSE(session.edit_cell({label_of(Site::embedding), 0, 0, 0}, 2000.0f).ok());
  CHECK_FALSE(session.edit_cell({label_of(Site::embedding), 0, 0, 0}, std::nanf("")).ok());
  CHECK(session.revision() == revision);
}

TEST_CASE("words as columns: every number has the bits it has with words as rows") {
  lessons::Session session = open();
  for (const char* sentence : {"", "one two", "机器学习真好玩", "a b c d e f g h"}) {
    REQUIRE(session.set_sentence(sentence).ok());
    for (const int seed : {0, 7, 9999})
      for (const int d_k : {1, 5, 8})
        for (const int causal : {0, 1}) {
          REQUIRE(session.set_parameter("seed", seed).ok());
          REQUIRE(session.set_parameter("d_k", d_k).ok());
          REQUIRE(session.set_parameter("causal_mask", causal).ok());
          CHECK(lessons::self_attention::ulp_between_ways(session.run().tape()) == 0);
        }
  }
}

TEST_CASE("words as columns: O = V·softmax(KᵀQ), and each cell opens its own sum over columns") {
  lessons::Session session = open();
  REQUIRE(session.set_parameter("words_as", 1).ok());
  REQUIRE(session.set_parameter("causal_mask", 1).ok());
  const tape::Tape& tape = session.run().tape();
  const auto label = [](Site site) { return lessons::self_attention::columns_label(site); };
  CHECK(tape.tensor(label(Site::query)).shape == core::Shape{5, kWords});
  CHECK(tape.tensor(label(Site::context)).shape == core::Shape{4, kWords});
  for (const Site site : {Site::query, Site::key, Site::value, Site::scores, Site::weights, Site::context}) {
    const tape::Value value = tape.find(label(site));
    const core::Shape shape = tape.tensor(value).shape;
    for (int i = 0; i < shape.size(); ++i) {
      std::array<int, 4> index{};
      for (int axis = shape.rank() - 1, rest = i; axis >= 0; rest /= shape[axis--])
        index[static_cast<std::size_t>(axis)] = rest % shape[axis];
      const tape::Explanation cell = tape::explain(tape, value, index);
      CHECK(core::bits_of(tape::recompute(cell)) == core::bits_of(cell.result.value));
      for (const tape::Term& term : cell.terms) CHECK(term.a.label.site != Site::unnamed);
    }
  }
  const tape::Explanation score = tape::explain(tape, tape.find(label(Site::scores)), {0, 1, 3});
  REQUIRE(score.terms.size() == 5);
  CHECK(score.terms[2].a.label == label(Site::key));
  CHECK(score.terms[2].a.index == std::array{2, 1, 0, 0});
  CHECK(score.terms[2].b.label == label(Site::query));
  CHECK(score.terms[2].b.index == std::array{2, 3, 0, 0});
  const tape::Explanation share = tape::explain(tape, tape.find(label(Site::weights)), {0, 1, 2});
  CHECK(share.terms.size() == 3);  // a softmax down a column, over the keys the query may see
  CHECK(share.terms[1].a.label == label(Site::scores));
  CHECK(share.terms[1].a.index == std::array{0, 1, 2, 0});
  const tape::Explanation output = tape::explain(tape, tape.find(label(Site::context)), {2, 3});
  CHECK(output.terms[1].a.label == label(Site::value));
  CHECK(output.terms[1].a.index == std::array{2, 1, 0, 0});
  CHECK(output.terms[1].b.label == label(Site::weights));
  CHECK(output.terms[1].b.index == std::array{0, 1, 3, 0});
}

TEST_CASE("words as columns: text, focus and sheet turn round, W_q doesn't") {
  lessons::Session session = open();
  for (const int columns : {0, 1}) {
    REQUIRE(session.set_parameter("words_as", columns).ok());
    for (int step = 0; step < session.step_count(); ++step) {
      REQUIRE(session.go_to_step(step).ok());
      const lessons::Step& now = session.step();
      CAPTURE(now.narration.en, now.narration.zh);
      for (const lessons::RunText* text : {&now.title, &now.narration, &now.brief, &now.try_it})
        CHECK((text->zh + text->en).find('\1') == std::string::npos);
      CHECK(now.sheet == (step == kBatch ? kShapes : columns));
    }
    REQUIRE(session.go_to_step(1).ok());
    CHECK(says(session,
               columns == 1 ? "{embedding|X} 的一列，W_q 的一行" : "{embedding|X} 的一行，W_q 的一行"));
    CHECK(session.focus().row == (columns == 1 ? 0 : 3));
    CHECK(session.focus().column == (columns == 1 ? 3 : 0));
  }
}

TEST_CASE("words as columns: a number of X changed in either way is changed in both") {
  lessons::Session session = open();
  const auto label = [](Site site) { return lessons::self_attention::columns_label(site); };
  REQUIRE(session.edit_cell({label(Site::embedding), 0, 2, 1}, 2.5f).ok());
  CHECK(row(session, Site::embedding, 1)[2] == 2.5f);
  REQUIRE(session.edit_cell({label_of(Site::embedding), 0, 1, 2}, 1.5f).ok());
  CHECK(session.run().tape().tensor(label(Site::embedding)).values[2 * kWords + 1] == 1.5f);
  CHECK(lessons::self_attention::ulp_between_ways(session.run().tape()) == 0);
}

TEST_CASE("a batch of 50 sentences of 5 words goes from (50, 5, 3) to (50, 5, 4)") {
  using namespace lessons::self_attention;
  lessons::Session session = open();
  const auto cells = [&](int row) {
    const lessons::Block& block = session.run().board->sheets[kShapes].blocks[0];
    CHECK(block.verdict.role == lessons::Role::equal);
    const auto& found = block.table.rows[static_cast<std::size_t>(row)].cells;
    return found[0].en + " " + found[1].en;
  };
  CHECK(cells(0) == "(4, 3) (50, 5, 3)");
  CHECK(cells(1) == "(4, 5) (50, 5, 5)");
  CHECK(cells(3) == "(4, 4) (50, 5, 4)");
  CHECK(cells(4) == "(4, 4) (50, 5, 5)");
  CHECK(cells(6) == "(4, 4) (50, 5, 4)");
  REQUIRE(session.set_parameter("d_k", 8).ok());  // inside only
  CHECK(cells(1) == "(4, 8) (50, 5, 8)");
  CHECK(cells(6) == "(4, 4) (50, 5, 4)");
  REQUIRE(session.set_parameter("d_v", 7).ok());
  CHECK(cells(6) == "(4, 7) (50, 5, 7)");
}

TEST_CASE("a sentence alone has the bits it has in the batch, for every width") {
  using namespace lessons::self_attention;
  for (const int d_k : {1, 5, 8})
    for (const int d_v : {1, 4, 7}) {
      const Settings settings{.d_k = d_k, .d_v = d_v};
      const lessons::Run run = run_experiment(settings, lessons::own_words(kSentenceRule), {});
      const lessons::Verdict& verdict = run.board->sheets[kShapes].blocks[0].verdict;
      CHECK(verdict.text.en == "sentence 0 alone: 0 ULP");
    }
}

TEST_CASE("the question is judged by the columns of the run's output, and prints them") {
  lessons::Session session = open();
  REQUIRE(session.go_to_step(kQuestion).ok());
  for (const int d_v : {1, 3, 8}) {
    REQUIRE(session.set_parameter("d_v", d_v).ok());
    CHECK(session.step().answer == lessons::Answer::right);
    CHECK(tensor(session, Site::context).shape[-1] == d_v);
    CHECK(says(session, ("V 有 " + std::to_string(d_v) + " 列").c_str()));
  }
  REQUIRE(session.set_parameter("d_v", 4).ok());
  REQUIRE(session.set_parameter("d_k", 2).ok());
  CHECK(session.step().answer == lessons::Answer::wrong);
  CHECK(says(session, "dₖ 从 5 变成 2，输出还是 4 列"));
}
