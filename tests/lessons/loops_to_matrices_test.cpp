// What the lesson loops-to-matrices claims, against its own numbers.
#include "lessons/loops_to_matrices/experiment.h"

#include <cmath>

#include "core/bits.h"
#include "lessons/loops_to_matrices/board.h"
#include "lessons/loops_to_matrices/model.h"
#include "lessons/session.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::lessons::loops_to_matrices;
using lessons::Answer;
using tape::Operations;

namespace counting {

/// A float that counts what is done to it.
struct Number {
  float value = 0.0f;
  static Operations count;

  Number(float x = 0.0f) : value(x) {}
  friend Number operator*(Number a, Number b) {
    ++count.multiplications;
    return {a.value * b.value};
  }
  friend Number operator+(Number a, Number b) {
    ++count.additions;
    return {a.value + b.value};
  }
  friend Number operator-(Number a, Number b) {
    ++count.additions;
    return {a.value - b.value};
  }
  friend Number operator/(Number a, Number b) {
    ++count.divisions;
    return {a.value / b.value};
  }
  friend bool operator<(Number a, Number b) { return a.value < b.value; }
  friend Number exp(Number x) {
    ++count.exponentials;
    return {kernels::exp(x.value)};
  }
};
Operations Number::count;

}  // namespace counting

namespace {

constexpr int kSameBits = 1;
constexpr int kOtherOrder = 2;
constexpr int kQuestion = 7;

lessons::Session at_step(int step) {
  lessons::Session session = lessons::Session::open("loops-to-matrices").value();
  REQUIRE(session.go_to_step(step).ok());
  return session;
}

float at(const lessons::Session& session, Figure which, int row, int column) {
  return figure(session.run(), which, row, column);
}

std::vector<counting::Number> counted(const core::Tensor& tensor, int rows) {
  const std::span<const float> values = core::rows_of(tensor.view(), 0, rows).flat();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("loops give the bits of the matrices for every size and any seed") {
  lessons::Session session = at_step(kSameBits);
  for (const int n : {2, 3, 4, 5, 7, 8, 9, 12})
    for (const int d : {1, 2, 3, 4, 5, 8})
      for (const int seed : {0, 1, 77}) {
        CAPTURE(n, d, seed);
        REQUIRE(session.set_parameter("n", n).ok());
        REQUIRE(session.set_parameter("d", d).ok());
        REQUIRE(session.set_parameter("seed", seed).ok());
        const Comparison found = compare_outputs(session.run());
        CHECK(found.cells == n * d);
        CHECK(found.different == 0);
      }
}

TEST_CASE("sums that begin with the last term differ by some ulp, but not when they have two terms") {
  lessons::Session session = at_step(kOtherOrder);
  const Comparison found = compare_outputs(session.run());
  CHECK(found.different == 11);
  CHECK(found.largest_ulp == 8);
  REQUIRE(session.set_parameter("n", 2).ok());
  REQUIRE(session.set_parameter("d", 2).ok());
  for (int seed = 0; seed < 20; ++seed) {
    REQUIRE(session.set_parameter("seed", seed).ok());
    CHECK(compare_outputs(session.run()).different == 0);
  }
  REQUIRE(session.set_parameter("order", 0).ok());
  CHECK(compare_outputs(session.run()).different == 0);
}

TEST_CASE("the verdict under the difference says what was found") {
  for (const int step : {kSameBits, kOtherOrder}) {
    const lessons::Session session = at_step(step);
    const auto& sheet = session.run().board->sheets[static_cast<std::size_t>(Picture::outputs)];
    const lessons::Verdict& verdict = sheet.blocks.back().verdict;
    const Comparison found = compare_outputs(session.run());
    CHECK((verdict.role == lessons::Role::equal) == (step == kSameBits));
    CHECK((verdict.text.en == "0 ULP") == (found.different == 0));
  }
}

TEST_CASE("loops multiply, divide and exponentiate as often as the matrices") {
  using counting::Number;
  for (const auto& [n, d] : {std::pair(4, 4), std::pair(7, 3), std::pair(2, 1)}) {
    const Head head = draw_head(3, n, d);
    tape::Tape tape;
    record_attention(tape, head, n);
    const auto size = [](int a, int b) { return static_cast<std::size_t>(a * b); };
    std::vector<Number> query(size(n, d)), key(size(n, d)), value(size(n, d)), weights(size(n, n)),
        output(size(n, d));
    Number::count = {};
    attend<Number>(counted(head.words, n).data(), counted(head.query.weight, d).data(),
                   counted(head.key.weight, d).data(), counted(head.value.weight, d).data(), n, d,
                   std::sqrt(static_cast<float>(d)), Order::forward,
                   {query.data(), key.data(), value.data(), weights.data(), output.data()});
    Operations expected = tape::operations_of(tape);
    expected.additions += 3 * n;  // joining the four lanes of each row's softmax
    CHECK(Number::count == expected);
  }
}

TEST_CASE("the counted steps are those of the formulas, and the last row is their sum") {
  lessons::Session session = at_step(3);
  for (const auto& [n, d] : {std::pair(4, 4), std::pair(12, 1), std::pair(5, 8)}) {
    REQUIRE(session.set_parameter("n", n).ok());
    REQUIRE(session.set_parameter("d", d).ok());
    CHECK(at(session, Figure::steps, 0, 0) == static_cast<float>(3 * n * d * d));
    CHECK(at(session, Figure::steps, 1, 0) == static_cast<float>(n * n * d));
    CHECK(at(session, Figure::steps, 3, 0) == static_cast<float>(n * n * d));
    CHECK(at(session, Figure::steps, 2, 3) == static_cast<float>(n * n));
    CHECK(at(session, Figure::loops, 2, 0) == static_cast<float>(n * n * d));
    for (int column = 0; column < 4; ++column) {
      float sum = 0.0f;
      for (int row = 0; row < 4; ++row) sum += at(session, Figure::steps, row, column);
      CHECK(at(session, Figure::steps, 4, column) == sum);
    }
  }
}

TEST_CASE("twice the words: the projections double, the pairs are four times as many") {
  const lessons::Session session = at_step(4);
  for (const int n : {1, 2, 4, 8}) {
    CHECK(at(session, Figure::growth, 2 * n - 1, 1) == 2.0f * at(session, Figure::growth, n - 1, 1));
    CHECK(at(session, Figure::growth, 2 * n - 1, 2) == 4.0f * at(session, Figure::growth, n - 1, 2));
  }
}

TEST_CASE("an RNN's operations in a row grow by three a word, attention has four at any length") {
  const lessons::Session session = at_step(5);
  for (int n = 1; n <= kCountedWords; ++n) {
    CHECK(at(session, Figure::waiting, n - 1, 0) == static_cast<float>(n));
    CHECK(at(session, Figure::waiting, n - 1, 1) == static_cast<float>(3 * n));
    CHECK(at(session, Figure::waiting, n - 1, 2) == 4.0f);
  }
}

TEST_CASE("the question is answered when the pairs take more multiplications than the projections") {
  lessons::Session session = at_step(kQuestion);
  const auto answer_with = [&](int n, int d) {
    REQUIRE(session.set_parameter("n", n).ok());
    REQUIRE(session.set_parameter("d", d).ok());
    return session.step().answer;
  };
  CHECK(session.step().answer == Answer::open);
  CHECK(answer_with(5, 4) == Answer::wrong);
  CHECK(answer_with(6, 4) == Answer::wrong);
  CHECK(session.step().narration.en.find("equal") != std::string::npos);
  CHECK(answer_with(7, 4) == Answer::right);
  CHECK(answer_with(4, 8) == Answer::wrong);
  for (int n = 2; n <= kLongest; ++n)
    for (int d = 1; d <= 8; ++d)
      if (n != 4 || d != 4) CHECK((answer_with(n, d) == Answer::right) == (2 * n > 3 * d));
}

TEST_CASE("a changed input or weight goes through the loops and the matrices alike, to the bit") {
  for (const tape::Site site :
       {tape::Site::embedding, tape::Site::query_weight, tape::Site::key_weight, tape::Site::value_weight})
    for (const float value : {0.0f, 2.5f, -1000.0f}) {
      lessons::Session session = at_step(kSameBits);
      const std::span<const float> view = session.run().tape().tensor(loops_output()).flat();
      const std::vector<float> before(view.begin(), view.end());
      REQUIRE(session.edit_cell({label_of(site), 0, 1, 2}, value).ok());
      CHECK(compare_outputs(session.run()).different == 0);
      CHECK_FALSE(core::same_bits(before, session.run().tape().tensor(loops_output()).flat()));
    }
}

TEST_CASE("the question prints the two counts it compares") {
  lessons::Session session = at_step(kQuestion);
  REQUIRE(session.set_parameter("n", 7).ok());
  CHECK(session.step().narration.en.find("392 > 336") != std::string::npos);
  CHECK(session.step().narration.zh.find("n > 1.5·d = 6") != std::string::npos);
  REQUIRE(session.set_parameter("n", 5).ok());
  CHECK(session.step().narration.en.find("40 are missing") != std::string::npos);
}
