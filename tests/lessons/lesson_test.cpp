#include "lessons/lesson.h"

#include "lessons/plane.h"
#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/sample_lesson.h"
#include "support/shipped_translator.h"

using namespace attn::lessons;
using attn::tape::Site;
using attn::test::sample_label;
using attn::test::sample_lesson;

// The sample's values are prefix, length, poke, layers, mask, trouble.

TEST_CASE("a parameter is found by its whole name") {
  CHECK(find_parameter(sample_lesson(), "prefix") == 0);
  CHECK(find_parameter(sample_lesson(), "trouble") == 5);
  CHECK(find_parameter(sample_lesson(), "pre") == -1);
  CHECK(find_parameter(sample_lesson(), "") == -1);
}

TEST_CASE("initial values are allowed") {
  CHECK(initial_values(sample_lesson()) == ParameterValues{2, 4, -1, 2, 1, 0});
  CHECK(validate(sample_lesson(), initial_values(sample_lesson())).ok());
}

TEST_CASE("a value out of range is named with its parameter") {
  const auto message = [](const ParameterValues& values) {
    const attn::core::Status status = validate(sample_lesson(), values);
    return status.ok() ? std::string() : status.error();
  };
  CHECK(message({2, 7, -1, 2, 1, 0}) == "parameter 'length': 7 is not in 1..6");
  CHECK(message({2, 0, -1, 2, 1, 0}) == "parameter 'length': 0 is not in 1..6");
  CHECK(message({2, 4, -1, 3, 1, 0}) == "parameter 'layers': 3 is none of its choices");
  CHECK(message({2, 4, -1, 2, 2, 0}) == "parameter 'mask': 2 is neither 0 nor 1");
  CHECK(message({5, 4, -1, 2, 1, 0}) == "parameter 'prefix': 5 is above 4, where 'length' limits it");
  CHECK(message({2, 4, 4, 2, 1, 0}) == "parameter 'poke': 4 is above 3, where 'length' limits it");
  CHECK(message({2, 4}) == "lesson 'sample': 2 values for 6 parameters");
}

TEST_CASE("limits lower what depends on another parameter and nothing else") {
  CHECK(limited(sample_lesson(), {6, 3, 5, 2, 1, 0}) == ParameterValues{3, 3, 2, 2, 1, 0});
  CHECK(limited(sample_lesson(), {1, 3, -1, 2, 1, 0}) == ParameterValues{1, 3, -1, 2, 1, 0});
  CHECK(limited(sample_lesson(), {1, 99, -1, 7, 5, 0}) == ParameterValues{1, 99, -1, 7, 5, 0});
  CHECK(maximum_now(sample_lesson(), {2, 4, -1, 2, 1, 0}, 0) == 4);
  CHECK(maximum_now(sample_lesson(), {2, 4, -1, 2, 1, 0}, 1) == 6);
  CHECK(maximum_now(sample_lesson(), {2, 4, -1, 2, 1, 0}, 2) == 3);
}

TEST_CASE("a chain of limits settles and ends at the minima") {
  static const Parameter kChain[] = {
      {"a", {}, ParameterKind::number, ParameterPlace::model, 0, 9, 9, {}, "b", -1},
      {"b", {}, ParameterKind::number, ParameterPlace::model, 0, 9, 9, {}, "c", -1},
      {"c", {}, ParameterKind::number, ParameterPlace::model, 0, 9, 9},
  };
  const Lesson lesson{.slug = "chain",
                      .title = {},
                      .short_title = {},
                      .promise = {},
                      .parameters = kChain,
                      .plan = {},
                      .run = {}};
  CHECK(limited(lesson, {9, 9, 5}) == ParameterValues{3, 4, 5});
  CHECK(limited(lesson, {9, 9, 0}) == ParameterValues{0, 0, 0});
}

TEST_CASE("a plane counts heads, rows and columns of every rank") {
  using attn::core::Shape;
  const attn::tape::Label weights = sample_label(attn::tape::Site::weights);
  const attn::tape::Label tokens{.stack = attn::tape::Stack::decoder, .site = attn::tape::Site::tokens};
  const attn::tape::Label bias = sample_label(attn::tape::Site::query_bias);
  const auto counts = [](const Plane& plane) {
    return std::vector<int>{plane.heads, plane.rows, plane.columns};
  };
  CHECK(counts(plane_of(weights, Shape{2, 3, 4})) == std::vector<int>{2, 3, 4});
  CHECK(counts(plane_of(weights, Shape{3, 4})) == std::vector<int>{1, 3, 4});
  CHECK(counts(plane_of(tokens, Shape{5})) == std::vector<int>{1, 5, 1});
  CHECK(counts(plane_of(bias, Shape{5})) == std::vector<int>{1, 1, 5});
  CHECK(counts(plane_of(weights, Shape{})) == std::vector<int>{1, 1, 1});
  CHECK(plane_of(weights, Shape{2, 3, 4}).offset(1, 2, 3) == 23);
  CHECK(plane_axes(weights).columns == attn::tape::Axis::target);
  CHECK(plane_axes(tokens).rows == attn::tape::Axis::target);
  CHECK(plane_axes(tokens).columns == attn::tape::Axis::feature);
}

TEST_CASE("numbers that no op made and nobody gave say in words where they come from") {
  int told = 0;
  for (const Lesson* lesson : all_lessons()) {
    const Session session = attn::test::open_session(*lesson);
    if (!session.run().board) continue;
    const Board& board = *session.run().board;
    for (const Sheet& sheet : board.sheets)
      for (const Block& block : sheet.blocks) {
        const bool computed = block.tensor.site == Site::figures || block.tensor.site == Site::weights ||
                              block.tensor.site == Site::context || block.tensor.site == Site::biased_scores;
        const bool leaf = board.tape.entry(board.tape.find(block.tensor)).op == attn::tape::Op::leaf;
        if (block.kind != BlockKind::matrix || !leaf || !computed || is_editable(*lesson, block.tensor))
          continue;
        CAPTURE(lesson->slug, block.title.en);
        CHECK_FALSE(std::string_view(block.origin.zh).empty());
        CHECK_FALSE(std::string_view(block.origin.en).empty());
        ++told;
      }
  }
  CHECK(told >= 8);
}
