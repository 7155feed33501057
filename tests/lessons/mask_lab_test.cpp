// What the lesson mask-lab claims, against its own numbers.
#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/mask_lab/judge.h"
#include "lessons/mask_lab/masks.h"
#include "support/catch.h"
#include "tape/backward.h"
#include "tape/ops.h"

using namespace attn;
using namespace attn::lessons::mask_lab;
using tape::Site;

namespace {

constexpr int kSeeds = 50;
constexpr float kRounding = 6.0f * 6e-8f;  // a sum of at most six terms, each rounded to half an ulp of 1

Experiment run(const Settings& settings, std::vector<lessons::CellEdit> edits = {}) {
  return run_experiment(settings, edits);
}

core::ConstMatrix rows(const Experiment& experiment, const tape::Label& label) {
  const tape::Tape& tape = experiment.run.tape();
  return core::as_rows(tape.tensor(label));
}

core::ConstMatrix weights(const Experiment& experiment, int table) {
  return rows(experiment, label_of(table, Site::weights));
}

const Judgement& judged(const Experiment& experiment, int table) {
  return experiment.facts.tables[static_cast<std::size_t>(table)];
}

float sum(const core::ConstMatrix& matrix, int row) {
  float total = 0.0f;
  for (int j = 0; j < matrix.columns; ++j) total += matrix.row(row)[j];
  return total;
}

bool same_row(const core::ConstMatrix& a, const core::ConstMatrix& b, int row) {
  return std::equal(a.row(row), a.row(row) + a.columns, b.row(row),
                    [](float x, float y) { return core::bits_of(x) == core::bits_of(y); });
}

lessons::CellEdit toggled(int row, int column, float value) { return {mask_label(), 0, row, column, value}; }

std::string verdict(const Experiment& experiment, int table) {
  return verdict_of(experiment.facts, table).text.en;
}

}  // namespace

TEST_CASE("mask-lab: hidden cells get exactly 0, the rest of the row sums to 1") {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed});
    const auto table = weights(experiment, kReference);
    for (int i = 0; i < kTokens; ++i) {
      CHECK(std::fabs(sum(table, i) - 1.0f) <= kRounding);
      for (int j = 0; j < kTokens; ++j) CHECK((table.row(i)[j] == 0.0f) == (j > i));
    }
    CHECK(verdict(experiment, kReference) == "reference");
  }
}

TEST_CASE("mask-lab: a click changes its own row alone") {
  const Experiment before = run({});
  const Experiment after = run({}, {toggled(2, 0, 0.0f)});
  for (int i = 0; i < kTokens; ++i)
    CHECK(same_row(weights(before, kReference), weights(after, kReference), i) == (i != 2));
  CHECK(weights(after, kReference).row(2)[0] == 0.0f);
}

TEST_CASE(
    "mask-lab: tril with a diagonal is what triu with the next one blocks; -1 empties row 0 (nanoGPT #170, "
    "TransformerLens #284)") {
  for (int diagonal = -1; diagonal <= 1; ++diagonal) {
    const Experiment experiment = run({.diagonal = diagonal});
    const auto mask = rows(experiment, mask_label());
    for (int i = 0; i < kTokens; ++i)
      for (int j = 0; j < kTokens; ++j) {
        CHECK((mask.row(i)[j] != 0.0f) == (j - i <= diagonal));      // tril(diagonal)
        CHECK((mask.row(i)[j] == 0.0f) == (j - i >= diagonal + 1));  // triu(diagonal + 1)
      }
    CHECK(experiment.facts.empty_row == (diagonal == -1 ? 0 : -1));
  }
}

TEST_CASE("mask-lab: a pair is seen when the pair mask and the key mask both allow it (pytorch #39439)") {
  const Experiment experiment = run({.causal = true, .pads = 1, .padding = Padding::right});
  const auto pairs = rows(experiment, label_of(kPairs, Site::mask));
  const auto keys = rows(experiment, label_of(kKeys, Site::mask));
  const auto mask = rows(experiment, mask_label());
  for (int i = 0; i < mask.rows; ++i)
    for (int j = 0; j < mask.columns; ++j) {
      CHECK((keys.row(i)[j] == 0.0f) == (j == kTokens - 1));
      CHECK((mask.row(i)[j] != 0.0f) == (pairs.row(i)[j] != 0.0f && keys.row(i)[j] != 0.0f));
    }
}

TEST_CASE(
    "mask-lab: a padding mask on the wrong axis lets words look at the padding; -1e4 hides the NaN "
    "(hyunwoongko/transformer PR#40)") {
  const Settings right{.causal = false, .pads = 1, .padding = Padding::right};
  CHECK(run(right).facts.pad_share == 0.0f);
  Settings wrong = right;
  wrong.wrong_axis = true;
  for (const int fill : {0, 1}) {
    wrong.fill = fill;
    const Experiment experiment = run(wrong);
    CHECK(experiment.facts.pad_share > 0.1f);
    CHECK(experiment.facts.empty_row == kTokens - 1);
    CHECK(std::isnan(judged(experiment, kInfinity).empty));
    CHECK(std::isfinite(judged(experiment, kAdded).empty));
    CHECK(judged(experiment, kAdded).empty > 0.0f);
  }
}

TEST_CASE(
    "mask-lab: while every row sees its first key, adding -1e9 or -1e4 gives the bits of the predicate") {
  for (int seed = 0; seed < kSeeds; ++seed)
    for (const int fill : {0, 1}) {
      const Experiment experiment = run({.seed = seed, .fill = fill});
      CHECK(judged(experiment, kAdded).ulp == 0);
      CHECK(verdict(experiment, kAdded) == "0 ULP");
    }
}

TEST_CASE("mask-lab: 0 before softmax leaks, because e to the 0 is 1 (hello-agents #435)") {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed});
    const auto table = weights(experiment, kZeroBefore);
    const auto scores = rows(experiment, scores_label());
    const Judgement& found = judged(experiment, kZeroBefore);
    CHECK(found.leak > 0.0f);
    CHECK(verdict(experiment, kZeroBefore) == "leaks " + percent(found.leak) + " %");
    for (int i = 0; i < kTokens; ++i) CHECK(std::fabs(sum(table, i) - 1.0f) <= kRounding);
    // Row 0 sees one key: 1 of the e^s + 3·e^0 goes to each hidden one.
    const double hidden = 1.0 / (std::exp(static_cast<double>(scores.row(0)[0])) + 3.0);
    for (int j = 1; j < kTokens; ++j) CHECK(std::fabs(static_cast<double>(table.row(0)[j]) - hidden) <= 1e-6);
  }
}

TEST_CASE(
    "mask-lab: 1e-9 written for -1e9 leaves the weights nearly as they are without a mask (gluonts "
    "PR#1401)") {
  constexpr float kOneEMinusNine = 1e-7f;  // 1e-9 moves a weight by less; rounding by half an ulp or two
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed, .fill = kSlip});
    const auto slipped = weights(experiment, kAdded);
    const auto unmasked = weights(experiment, kUnmasked);
    for (int i = 0; i < kTokens * kTokens; ++i)
      CHECK(std::fabs(slipped.values[i] - unmasked.values[i]) <= kOneEMinusNine);
    CHECK(judged(experiment, kAdded).leak > 0.0f);
  }
}

TEST_CASE(
    "mask-lab: times 0 after softmax leaves rows short of 1; dividing by the sum restores the reference "
    "(hello-agents #435)") {
  constexpr std::uint32_t kFewRoundings = 8;  // the sum, its reciprocal and two quotients on either side
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed});
    CHECK(judged(experiment, kZeroAfter).leak == 0.0f);
    CHECK(judged(experiment, kZeroAfter).smallest_sum < 1.0f);
    const auto unmasked = weights(experiment, kUnmasked);
    const auto after = weights(experiment, kZeroAfter);
    for (int i = 0; i < kTokens; ++i)
      for (int j = 0; j < kTokens; ++j) CHECK(after.row(i)[j] == (j > i ? 0.0f : unmasked.row(i)[j]));
    CHECK(judged(experiment, kRenormalised).leak == 0.0f);
    CHECK(judged(experiment, kRenormalised).ulp <= kFewRoundings);
  }
}

TEST_CASE(
    "mask-lab: a row without a visible key is 0 here, NaN by the formula, uniform with -1e9 in float32 "
    "(pytorch "
    "#24816 #26098 #103749 #103963 #119371)") {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed, .pads = 1, .padding = Padding::left});
    REQUIRE(experiment.facts.empty_row == 0);
    CHECK(experiment.facts.empty_rows == 1);
    const auto ours = weights(experiment, kReference);
    const auto context = rows(experiment, label_of(kReference, Site::context));
    for (int j = 0; j < ours.columns; ++j) {
      CHECK(core::bits_of(ours.row(0)[j]) == 0);
      CHECK(std::isnan(weights(experiment, kInfinity).row(0)[j]));
      CHECK(std::isnan(weights(experiment, kRenormalised).row(0)[j]));
      CHECK(weights(experiment, kAdded).row(0)[j] == 0.25f);
    }
    for (int d = 0; d < context.columns; ++d) CHECK(core::bits_of(context.row(0)[d]) == 0);
    CHECK(verdict(experiment, kReference) == "row 0: no visible key");
    CHECK(verdict(experiment, kInfinity) == "row 0: all NaN");
    CHECK(verdict(experiment, kAdded) == "row 0: all 0.25");
    for (int i = 1; i < ours.rows; ++i) CHECK(std::fabs(sum(ours, i) - 1.0f) <= kRounding);
  }
}

TEST_CASE("mask-lab: in float64 the differences of scores survive -1e9, in float32 they survive -1e4") {
  // Adding 1e9 rounds a double to multiples of 1.2e-7, adding 1e4 a float to multiples of 9.8e-4.
  constexpr float kDoubleStep = 5e-7f;
  constexpr float kFloatStep = 2e-3f;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment billion = run({.seed = seed, .pads = 1, .padding = Padding::left});
    const Experiment thousands = run({.seed = seed, .pads = 1, .padding = Padding::left, .fill = 1});
    for (int j = 0; j < kTokens; ++j) {
      const float unmasked = weights(billion, kUnmasked).row(0)[j];
      CHECK(std::fabs(weights(billion, kAddedInDouble).row(0)[j] - unmasked) <= kDoubleStep);
      CHECK(std::fabs(weights(thousands, kAdded).row(0)[j] - unmasked) <= kFloatStep);
    }
    CHECK_FALSE(judged(billion, kAddedInDouble).empty_equal);
    CHECK_FALSE(judged(thousands, kAdded).empty_equal);
    CHECK(verdict(billion, kAddedInDouble) == "row 0: not hidden");
  }
}

TEST_CASE(
    "mask-lab: only the reader a mask was written for reads it right (LLMs-from-scratch #1061, pytorch "
    "PR#170415)") {
  const auto right = [](Convention convention, int reader) {
    return (convention == Convention::mha && reader == kReadByMha) ||
           (convention == Convention::sdpa && reader == kReadBySdpa) ||
           (convention == Convention::added && reader != kReadBySdpa);  // cast to bool, −inf is true: blocked
  };
  for (int seed = 0; seed < kSeeds; ++seed)
    for (const Convention convention : {Convention::mha, Convention::sdpa, Convention::added}) {
      const Experiment experiment = run({.seed = seed, .convention = convention});
      for (int reader = kReadByMha; reader <= kReadAsAdded; ++reader) {
        CAPTURE(seed, static_cast<int>(convention), reader);
        const Judgement& found = judged(experiment, reader);
        CHECK((found.ulp == 0) == right(convention, reader));
        CHECK((found.leak == 0.0f) == right(convention, reader));
      }
      if (convention == Convention::mha) CHECK(verdict(experiment, kReadBySdpa) == "leaks 100 %");
      if (convention == Convention::sdpa) CHECK(verdict(experiment, kReadByMha) == "leaks 100 %");
    }
}

TEST_CASE(
    "mask-lab: a bool mask added as floats raises the weights of what it should block (pytorch #147209)") {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed, .convention = Convention::mha});
    const auto scores = rows(experiment, scores_label());
    const auto biased = rows(experiment, label_of(kReadAsAdded, Site::biased_scores));
    for (int i = 0; i < kTokens; ++i)
      for (int j = 0; j < kTokens; ++j) {
        CHECK(biased.row(i)[j] == scores.row(i)[j] + (j > i ? 1.0f : 0.0f));
        if (j > i)
          CHECK(weights(experiment, kReadAsAdded).row(i)[j] > weights(experiment, kUnmasked).row(i)[j]);
      }
  }
}

TEST_CASE(
    "mask-lab: left padding changes the words' weights unless positions are counted from the first word "
    "(transformers #3021 #3167)") {
  for (int seed = 0; seed < kSeeds; ++seed)
    for (const bool causal : {false, true}) {
      CHECK(run({.seed = seed, .causal = causal}).facts.shift_ulp == 0);
      CHECK(run({.seed = seed, .causal = causal, .pads = 1, .padding = Padding::right}).facts.shift_ulp == 0);
      CHECK(run({.seed = seed, .causal = causal, .pads = 1, .padding = Padding::left_counted})
                .facts.shift_ulp == 0);
      CHECK(run({.seed = seed, .causal = causal, .pads = 1, .padding = Padding::left}).facts.shift > 1e-3f);
    }
}

TEST_CASE("mask-lab: replacing scores by one number, as masked_fill does, is uniform whatever the number") {
  // Softmax subtracts the largest score, so a row of equal scores is a row of zeros in any precision.
  for (const float fill : kFills) {
    tape::Tape tape;
    const std::vector<float> row(5, fill);
    const tape::Value scores = tape.leaf({row.data(), core::Shape{1, 5}}, {});
    for (const float weight : tape.tensor(tape::softmax(tape, scores, {}, {})).flat()) CHECK(weight == 0.2f);
  }
}

TEST_CASE("mask-lab: of four tokens some are words, and no word looks at the others") {
  for (int pads = 0; pads < kTokens; ++pads)
    for (const Padding padding : {Padding::left, Padding::right, Padding::left_counted})
      for (const bool causal : {false, true}) {
        const Settings settings{.causal = causal, .pads = pads, .padding = padding};
        const Experiment experiment = run(settings);
        const auto table = weights(experiment, kReference);
        CAPTURE(pads, static_cast<int>(padding), causal);
        CHECK(rows(experiment, unpadded_label(Site::weights)).rows == kTokens - pads);
        CHECK(experiment.facts.pad_share == 0.0f);
        for (int i = 0; i < kTokens; ++i)
          for (int j = 0; j < kTokens; ++j)
            if (is_pad(settings, j)) CHECK(core::bits_of(table.row(i)[j]) == 0);
      }
}

TEST_CASE(
    "mask-lab: rows in which padding looks are computed and drawn as ignored (annotated-transformer #137)") {
  const Experiment experiment = run({.causal = false, .pads = 2, .padding = Padding::right});
  int blocks = 0;
  for (const int sheet : {static_cast<int>(kCombined), static_cast<int>(kPositions)})
    for (const lessons::Block& block : experiment.run.board->sheets[static_cast<std::size_t>(sheet)].blocks)
      if (block.kind == lessons::BlockKind::matrix && block.tensor == label_of(kReference, Site::weights)) {
        CHECK(block.unused_rows == 0b1100u);
        ++blocks;
      }
  CHECK(blocks == 2);
  for (int i = 2; i < kTokens; ++i)
    CHECK(std::fabs(sum(weights(experiment, kReference), i) - 1.0f) <= kRounding);
}

TEST_CASE("mask-lab: hidden scores, and all of a row that sees nothing, have gradient exactly 0") {
  constexpr float kFewRoundings = 2e-6f;  // three values of size 1 added, four weights
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Experiment experiment = run({.seed = seed, .pads = 1, .padding = Padding::left});
    const auto gradient = rows(experiment, gradient_label());
    const auto table = weights(experiment, kReference);
    const auto context = rows(experiment, label_of(kReference, Site::context));
    const auto value = rows(experiment, label_of(-1, Site::value));
    for (int i = 0; i < kTokens; ++i)
      for (int j = 0; j < kTokens; ++j) {
        if (j > i || j == 0) CHECK(gradient.row(i)[j] == 0.0f);
        // L = Σ context: dL/ds[i,j] = w[i,j]·(Σ v[j] − Σ context[i]).
        const float expected = table.row(i)[j] * (sum(value, j) - sum(context, i));
        CHECK(std::fabs(gradient.row(i)[j] - expected) <= kFewRoundings);
      }
    const tape::Tape& tape = experiment.run.tape();
    const tape::Value output = tape.find(label_of(kReference, Site::context));
    const std::vector<float> ones(static_cast<std::size_t>(tape.tensor(output).size()), 1.0f);
    tape::Gradients gradients;
    tape::backward(tape, output, ones, gradients);
    CHECK(core::same_bits(gradients.of(tape.find(scores_label())).flat(),
                          tape.tensor(gradient_label()).flat()));
  }
}
