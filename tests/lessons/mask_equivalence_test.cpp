// What the lesson says, checked against what its run computed.
#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/lessons.h"
#include "lessons/mask_equivalence/facts.h"
#include "lessons/numbers.h"
#include "lessons/session.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::lessons;
using mask_equivalence::kOutput;
using tape::Site;

namespace {

Session at_step(int step) {
  auto opened = Session::open("mask-equivalence");
  REQUIRE(opened.ok());
  Session session = std::move(opened).value();
  REQUIRE(session.go_to_step(step).ok());
  return session;
}

bool says(const RunText& text, const std::string& words) {
  return text.en.find(words) != std::string::npos && text.zh.find(words) != std::string::npos;
}

int count_equal(const Run& run) {
  return static_cast<int>(std::count_if(run.twin->differences.begin(), run.twin->differences.end(),
                                        [](const auto& difference) { return difference.equal(); }));
}

}  // namespace

TEST_CASE("with both masks on, every step of every prefix is equal to the bit and says so") {
  for (const int step : {0, 1, 2, 3, 4, 8}) {
    Session session = at_step(step);
    for (int prefix = 1; prefix <= 5; ++prefix) {
      REQUIRE(session.set_parameter("prefix", prefix).ok());
      CHECK(session.run().twin->first_different == -1);
      CHECK(session.run().twin->inference.target_length == prefix);
    }
  }
  const Session map = at_step(4);
  const std::string count = std::to_string(map.run().twin->differences.size());
  CHECK(says(map.step().narration, count + " / " + count));
}

TEST_CASE("the last step of the walk compares the whole output of the experiment") {
  const Session session = at_step(3);
  CHECK(session.run().twin->inference.target_length == 5);
  CHECK(session.focus().tensor == kOutput);
  CHECK(says(session.step().narration, "40 "));
  CHECK(says(session.step().narration, "0 ULP"));
}

TEST_CASE(
    "unmasked training differs first in the first layer's weights and leaves the encoder alone "
    "(pytorch/tutorials PR#2662)") {
  Session session = at_step(5);
  const Run& run = session.run();
  REQUIRE(run.twin->first_different >= 0);
  CHECK(run.twin->differences[static_cast<std::size_t>(run.twin->first_different)].label ==
        mask_equivalence::self_attention(0, Site::weights));
  for (const tape::TensorDifference& difference : run.twin->differences)
    if (difference.label.stack == tape::Stack::encoder) CHECK(difference.equal());
  for (int layer = 1; layer < 6; ++layer)
    CHECK_FALSE(tape::compare_tensor(run.twin->training.tape, run.twin->inference.tape,
                                     mask_equivalence::self_attention(layer, Site::query))
                    .equal());
  CHECK(says(session.step().narration, "weights"));
  CHECK(says(
      session.step().narration,
      exponent(
          run.twin->differences[static_cast<std::size_t>(run.twin->first_different)].largest_difference)));
  REQUIRE(session.set_parameter("training_mask", 1).ok());
  CHECK(session.run().twin->first_different == -1);
  CHECK(session.step().narration.en.find("left is on") != std::string::npos);
}

TEST_CASE(
    "mask off at inference: one layer keeps the newest row, two layers don't "
    "(jadore801120/attention-is-all-you-need-pytorch #160 #213)") {
  Session one = at_step(6);
  CHECK(one.value_of("layers") == 1);
  CHECK(one.run().twin->newest_row_only);
  CHECK(count_equal(one.run()) == static_cast<int>(one.run().twin->differences.size()));
  REQUIRE(one.set_parameter("newest_row_only", 0).ok());
  CHECK(one.run().twin->first_different >= 0);

  Session two = at_step(7);
  CHECK(two.value_of("layers") == 2);
  REQUIRE(two.run().twin->first_different >= 0);
  CHECK(two.run().twin->differences[static_cast<std::size_t>(two.run().twin->first_different)].label ==
        mask_equivalence::self_attention(1, Site::scores));
  REQUIRE(two.set_parameter("inference_mask", 1).ok());
  CHECK(two.run().twin->first_different == -1);
}

TEST_CASE("a poke reaches its own row and later ones, and both passes feel it alike (transformers #10564)") {
  Session session = at_step(8);
  CHECK(session.run().twin->poked_position == 4);
  for (int position = 0; position < 5; ++position) {
    REQUIRE(session.set_parameter("poke", position).ok());
    const Run& run = session.run();
    REQUIRE(run.twin->training_before_poke.has_value());
    for (int row = 0; row < 5; ++row)
      CHECK(tape::compare_tensor(run.twin->training.tape, *run.twin->training_before_poke, kOutput, row)
                .equal() == (row < position));
    CHECK(run.twin->first_different == -1);
  }
}

TEST_CASE("a reader's choice outlives the step, what the step set does not") {
  Session session = at_step(6);
  REQUIRE(session.set_parameter("seed", 7).ok());
  REQUIRE(session.set_parameter("layers", 3).ok());
  REQUIRE(session.go_to_step(4).ok());
  CHECK(session.value_of("seed") == 7);
  CHECK(session.value_of("layers") == 6);
}

TEST_CASE("a run that uses the model on screen again has the bits of one from scratch") {
  ParameterValues values = initial_values(mask_equivalence::kLesson);
  const auto first = mask_equivalence::kLesson.run({values}, nullptr);
  REQUIRE(first.ok());
  values[static_cast<std::size_t>(find_parameter(mask_equivalence::kLesson, "prefix"))] = 4;
  const auto again = mask_equivalence::kLesson.run({values}, &first.value());
  const auto scratch = mask_equivalence::kLesson.run({values}, nullptr);
  REQUIRE(again.ok());
  REQUIRE(scratch.ok());
  CHECK(again.value().owner == first.value().owner);
  const auto differences =
      tape::compare(again.value().twin->inference.tape, scratch.value().twin->inference.tape);
  CHECK(differences.size() == 244);
  CHECK(tape::first_different(differences) == -1);
}

TEST_CASE("where something differs, the step opens the cell its words give the number of") {
  for (const int step : {5, 7}) {
    const Session session = at_step(step);
    const Run& run = session.run();
    const tape::TensorDifference& first =
        run.twin->differences[static_cast<std::size_t>(run.twin->first_different)];
    const Focus& focus = session.focus();
    CHECK(focus.tensor == first.label);
    const auto value_in = [&](const tape::Tape& tape) {
      const core::TensorView tensor = tape.tensor(focus.tensor);
      return tensor.values[(focus.head * tensor.shape[1] + focus.row) * tensor.shape[2] + focus.column];
    };
    const float training = value_in(run.twin->training.tape);
    const float inference = value_in(run.twin->inference.tape);
    CHECK(std::fabs(training - inference) == first.largest_difference);
    CHECK(core::ulp_distance(training, inference) == first.ulp_at_largest);
  }
}

TEST_CASE("the question: with the inference mask off, one token or one layer's newest row makes all equal") {
  Session session = Session::open("mask-equivalence").value();
  REQUIRE(session.go_to_step(session.step_count() - 1).ok());
  CHECK(session.step().answer == Answer::open);
  REQUIRE(session.set_parameter("layers", 3).ok());
  CHECK(session.step().answer == Answer::wrong);
  REQUIRE(session.set_parameter("prefix", 1).ok());
  CHECK(session.step().answer == Answer::right);
  REQUIRE(session.set_parameter("prefix", 4).ok());
  CHECK(session.step().answer == Answer::wrong);
  REQUIRE(session.set_parameter("newest_row_only", 1).ok());
  CHECK(session.step().answer == Answer::wrong);
  REQUIRE(session.set_parameter("layers", 1).ok());
  CHECK(session.step().answer == Answer::right);
  REQUIRE(session.set_parameter("inference_mask", 1).ok());
  CHECK(session.step().answer == Answer::open);
}

TEST_CASE("the masks of both passes are equal in every cell they share (hkproj/pytorch-transformer #19)") {
  Session session = at_step(1);
  const auto masks = [&](int layer) {
    return tape::compare_tensor(session.run().twin->training.tape, session.run().twin->inference.tape,
                                mask_equivalence::self_attention(layer, Site::mask));
  };
  for (int prefix = 1; prefix <= 5; ++prefix) {
    REQUIRE(session.set_parameter("prefix", prefix).ok());
    REQUIRE(session.set_parameter("inference_mask", 1).ok());
    const std::string cells = std::to_string(prefix * prefix);
    for (int layer = 0; layer < 6; ++layer) {
      CHECK(masks(layer).compared == prefix * prefix);
      CHECK(masks(layer).equal());
    }
    CHECK(session.step().narration.en.find("Masks: {eq|0 of " + cells + "}") != std::string::npos);
    REQUIRE(session.set_parameter("inference_mask", 0).ok());
    CHECK(masks(0).different == prefix * (prefix - 1) / 2);
    CHECK(session.step().narration.en.find(std::to_string(prefix * (prefix - 1) / 2) + " of " + cells) !=
          std::string::npos);
  }
}
