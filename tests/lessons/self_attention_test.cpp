// What the lesson self-attention claims, against its own numbers.
#include "lessons/self_attention/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/session.h"
#include "support/catch.h"

using namespace attn;
using lessons::self_attention::label_of;
using tape::Site;

namespace {

constexpr int kWords = 4;
constexpr int kFirstSaw = 1;
constexpr int kSecondSaw = 3;
constexpr int kQuestion = 8;  // the step that asks

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
