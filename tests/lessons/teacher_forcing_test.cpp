// What the lesson teacher-forcing claims, against its own numbers.
#include "lessons/teacher_forcing/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/session.h"
#include "lessons/teacher_forcing/board.h"
#include "lessons/teacher_forcing/training.h"
#include "support/catch.h"
#include "tape/backward.h"
#include "tape/ops.h"

using namespace attn;
using namespace lessons::teacher_forcing;
using tape::Site;

namespace {

constexpr int kQuestion = 8;  // the step that asks
constexpr int kSeeds[] = {0, 1, 2, 3, 42, 9999};
const std::vector<int> kRightAnswer{kWo, kAi, kNi, kEos};

lessons::Session open() { return lessons::Session::open("teacher-forcing").value(); }

void set(lessons::Session& session, const char* name, int value) {
  REQUIRE(session.set_parameter(name, value).ok());
}

Experiment experiment(const Settings& settings) { return run_experiment(settings, nullptr); }

core::TensorView tensor(const lessons::Run& run, const tape::Label& label) {
  return run.tape().tensor(label);
}

using core::same_bits;

bool same_bits(const lessons::Run& run, const tape::Label& a, const tape::Label& b) {
  return same_bits(tensor(run, a).flat(), tensor(run, b).flat());
}

std::span<const float> row_of(core::TensorView rows, int index) {
  const auto width = static_cast<std::size_t>(rows.shape[-1]);
  return rows.flat().subspan(static_cast<std::size_t>(index) * width, width);
}

}  // namespace

TEST_CASE("teacher-forcing: tgt drops the last token, tgt_y the first, and they align as the document's") {
  const Sentence sentence = sentence_of(2, true);
  CHECK(sentence.target == std::vector<int>{kBos, kWo, kAi, kNi, kEos, kPad, kPad});
  CHECK(sentence.fed == std::vector<int>{kBos, kWo, kAi, kNi, kEos, kPad});
  CHECK(sentence.asked == std::vector<int>{kWo, kAi, kNi, kEos, kPad, kPad});
  lessons::Session session = open();
  const lessons::Table& table = session.run().board->sheets[kTokens].blocks[0].table;
  REQUIRE(table.columns.size() == 7);
  CHECK(table.rows[1].cells[0].en == "<bos>");
  CHECK(table.rows[2].cells[0].en == "我");
  CHECK(table.rows[1].cells[5].en == "<pad>");
  CHECK(table.rows[2].cells[3].en == "<eos>");
  CHECK(table.rows[1].cells[6].en.empty());
}

TEST_CASE("teacher-forcing: one masked pass gives every row word by word has, to the bit") {
  for (const int seed : kSeeds)
    for (const int pads : {0, 2, 3})
      for (const bool shifted : {true, false}) {
        CAPTURE(seed, pads, shifted);
        const Experiment one = experiment({.seed = seed, .pads = pads, .shifted = shifted});
        for (const Site site : {Site::logits, Site::probabilities, Site::losses})
          CHECK(same_bits(one.run, one_pass(site), stepwise(site)));
        CHECK(same_bits(one.run, kOnePassSum, kStepwiseSum));
        CHECK(equal_rows(one.run) == 4 + pads);
      }
}

TEST_CASE("teacher-forcing: without the mask every row but the last differs from word by word") {
  for (const int seed : kSeeds) {
    CAPTURE(seed);
    const Experiment one = experiment({.seed = seed, .causal = false});
    CHECK(equal_rows(one.run) == 1);
    CHECK(tensor(one.run, kUlpFigures).values[5] == 0.0f);
    CHECK_FALSE(same_bits(one.run, kOnePassSum, kStepwiseSum));
  }
}

TEST_CASE("teacher-forcing: PAD rows are computed and ignored by the loss (annotated-transformer #137)") {
  constexpr float kRounding = 4.0f * 6e-8f;
  Experiment one = experiment({.seed = 0, .pads = 3});
  tape::Tape& tape = one.run.board->tape;
  const core::TensorView probabilities = tensor(one.run, one_pass(Site::probabilities));
  tape::Gradients gradients;
  const float seed[] = {1.0f};
  tape::backward(tape, tape.find(kOnePassSum), seed, gradients);
  const core::TensorView dlogits = gradients.of(tape.find(one_pass(Site::logits)));
  for (int t = 0; t < 7; ++t) {
    CAPTURE(t);
    const bool ignored = t >= 4;
    float sum = 0.0f;
    for (const float p : row_of(probabilities, t)) {
      CHECK(p > 0.0f);
      sum += p;
    }
    CHECK(std::fabs(sum - 1.0f) <= kRounding);
    CHECK((core::bits_of(tensor(one.run, one_pass(Site::losses)).values[t]) == 0) == ignored);
    for (const float g : row_of(dlogits, t)) CHECK((g == 0.0f) == ignored);
  }
}

TEST_CASE("teacher-forcing: behind a causal mask right padding needs no mask of its own") {
  const std::shared_ptr<const Models> models = models_of(0, kMostTrainingSteps, nullptr);
  const Sentence sentence = sentence_of(3, true);
  tape::Tape bare, masked;
  const tape::Value without = record_logits(bare, models->model, sentence.fed, nn::Mask::causal());
  const int real[] = {5};
  const int source[] = {0, 1, 2};
  nn::TransformerMasks masks;
  masks.target = nn::Mask::causal().and_also(nn::Mask::lengths(real));
  const tape::Value x = nn::embed(masked, models->model, tape::Stack::encoder, source);
  const tape::Value y = nn::embed(masked, models->model, tape::Stack::decoder, sentence.fed);
  const tape::Value with =
      nn::logits(masked, models->model, nn::transform(masked, models->model, x, y, masks));
  for (int t = 0; t < 7; ++t)
    CHECK(same_bits(row_of(bare.tensor(without), t), row_of(masked.tensor(with), t)) == (t < 5));
}

TEST_CASE("teacher-forcing: a padded batch is read at the last real token (nanoGPT #253, happy-llm PR#170)") {
  const std::shared_ptr<const Models> models = models_of(0, kMostTrainingSteps, nullptr);
  const nn::Transformer& model = models->model;
  const int source[] = {0, 1, 2, 0, 1, 2};
  const int right[] = {kBos, kWo, kPad, kPad, kBos, kWo, kAi, kNi};
  const int left[] = {kPad, kPad, kBos, kWo, kBos, kWo, kAi, kNi};
  const int positions[] = {0, 0, 0, 1, 0, 1, 2, 3};
  const int padding[] = {2, 0};
  const auto logits = [&](tape::Tape& tape, const nn::TokenBatch& target, const nn::Mask& mask) {
    nn::TransformerMasks masks;
    masks.target = mask;
    const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, nn::TokenBatch{source, 2});
    const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, target);
    return tape.tensor(nn::logits(tape, model, nn::transform(tape, model, x, y, masks)));
  };
  tape::Tape on_right, on_left, alone;
  const core::TensorView padded_right = logits(on_right, {right, 2, {}}, nn::Mask::causal());
  const core::TensorView padded_left =
      logits(on_left, {left, 2, positions}, nn::Mask::causal().and_also(nn::Mask::left_padding(padding)));
  const core::TensorView own =
      alone.tensor(record_logits(alone, model, std::span<const int>(right).first(2), nn::Mask::causal()));
  CHECK(same_bits(row_of(padded_right, 1), row_of(own, 1)));
  CHECK(same_bits(row_of(padded_left, 3), row_of(own, 1)));
  CHECK_FALSE(same_bits(row_of(padded_right, 3), row_of(own, 1)));
  CHECK(same_bits(row_of(padded_right, 7), row_of(padded_left, 7)));
}

TEST_CASE(
    "teacher-forcing: trained on unshifted targets the loss falls and generation repeats (MONAI #314)") {
  for (const int seed : kSeeds) {
    CAPTURE(seed);
    const std::shared_ptr<const Models> models = models_of(seed, kMostTrainingSteps, nullptr);
    CAPTURE(models->shifted.losses.back(), models->copying.losses.back());
    CHECK(models->shifted.losses.back() < 0.1f);
    CHECK(models->copying.losses.back() < 0.1f);
    CHECK(models->shifted.said == kRightAnswer);
    CHECK(models->copying.said == std::vector<int>(kMostSaid, kBos));
    CHECK(sentence_of(2, false).asked == sentence_of(2, false).fed);
  }
}

TEST_CASE("teacher-forcing: the sum of the losses keeps its bits under padding, and training its losses") {
  for (const int seed : kSeeds) {
    const Experiment bare = experiment({.seed = seed, .pads = 0});
    for (const int pads : {1, 2, 3}) {
      const Experiment padded = experiment({.seed = seed, .pads = pads});
      CHECK(core::bits_of(tensor(bare.run, kOnePassSum).values[0]) ==
            core::bits_of(tensor(padded.run, kOnePassSum).values[0]));
      if (seed == 0) {
        const std::shared_ptr<const Models> models = models_of(seed, kMostTrainingSteps, nullptr);
        const Models& trained = *models;
        const Training training = train(seed, sentence_of(pads, true), kMostTrainingSteps);
        CHECK(same_bits(training.losses, trained.shifted.losses));
      }
    }
  }
}

TEST_CASE("teacher-forcing: the sum in another order differs by rounding at most, and the lesson says so") {
  constexpr std::uint32_t kMostUlp = 4;  // three additions of numbers of one sign, each rounded once a side
  lessons::Session session = open();
  REQUIRE(session.go_to_step(6).ok());
  int different = 0;
  for (const int seed : kSeeds) {
    set(session, "seed", seed);
    const core::TensorView losses = tensor(session.run(), one_pass(Site::losses));
    const std::uint32_t apart =
        core::ulp_distance(sum_in_order(losses.flat()), tensor(session.run(), kOnePassSum).values[0]);
    CHECK(apart <= kMostUlp);
    different += apart > 0 ? 1 : 0;
    CHECK((session.step().narration.en.find("ULP away") != std::string::npos) == (apart > 0));
    CHECK(session.step().narration.en.find("{eq|0 ULP} apart") != std::string::npos);
  }
  CHECK(different > 0);
}

TEST_CASE("teacher-forcing: words stand at the columns of the vocabulary") {
  const lessons::Session session = open();
  CHECK(session.run().word_at(tape::Axis::vocabulary, kAi) == "爱");
  CHECK(session.run().word_at(tape::Axis::vocabulary, kVocabulary).empty());
  CHECK(session.run().word_at(tape::Axis::target, 0) == "<bos>");
}

TEST_CASE("teacher-forcing: only the number of <pad>s leaves the sum alone, and the question knows") {
  lessons::Session session = open();
  REQUIRE(session.go_to_step(kQuestion).ok());
  CHECK(session.step().answer == lessons::Answer::open);
  const auto sum = [&] { return core::bits_of(tensor(session.run(), kOnePassSum).values[0]); };
  for (const int seed : kSeeds) {
    set(session, "seed", seed);
    CHECK(session.step().answer == lessons::Answer::open);
    const std::uint32_t before = sum();
    set(session, "causal_mask", 0);
    CHECK(session.step().answer == lessons::Answer::wrong);
    CHECK(sum() != before);
    set(session, "causal_mask", 1);
    set(session, "shift", 0);
    CHECK(session.step().answer == lessons::Answer::wrong);
    CHECK(sum() != before);
    set(session, "shift", 1);
    for (const int pads : {0, 1, 3}) {
      set(session, "pads", pads);
      CHECK(session.step().answer == lessons::Answer::right);
      CHECK(sum() == before);
    }
    set(session, "pads", 2);
  }
}

TEST_CASE("the tokens that are no words are explained where they first appear") {
  const lessons::Session session = lessons::Session::open("teacher-forcing").value();
  const std::string& en = session.step().narration.en;
  CHECK(en.find("<bos> begins a sentence, <eos> ends it, <pad>s fill it up") != std::string::npos);
}

TEST_CASE(
    "teacher-forcing: the row of the last real token has its bits whatever the padding "
    "(nanoGPT #253, happy-llm PR#170)") {
  for (const int seed : kSeeds)
    for (int pads = 0; pads <= 3; ++pads)
      for (const bool left : {false, true}) {
        CAPTURE(seed, pads, left);
        const Experiment one = experiment({.seed = seed, .pads = pads, .pads_left = left});
        CHECK(one.reading.ulp == 0);
        CHECK(one.reading.row == (left ? pads + 3 : 3));
        CHECK((one.reading.last_difference == 0.0f) == (left || pads == 0));
      }
}

TEST_CASE("teacher-forcing: nothing is trained before the reader comes to its step") {
  lessons::Session session = open();
  const auto losses = [&] { return tensor(session.run(), kTrainingFigures).shape[0]; };
  CHECK(losses() == 1);
  REQUIRE(session.go_to_step(7).ok());
  CHECK(losses() == kMostTrainingSteps + 1);
  set(session, "training", 10);
  CHECK(losses() == 11);
  REQUIRE(session.go_to_step(6).ok());
  CHECK(losses() == 1);
}

TEST_CASE("teacher-forcing: rows whose answer is <pad> are drawn as ignored") {
  for (int pads = 0; pads <= 3; ++pads) {
    lessons::Session session = open();
    REQUIRE(session.go_to_step(4).ok());
    set(session, "pads", pads);
    const std::uint32_t rows = session.run().sheet_at(4).blocks[0].unused_rows;
    CHECK(rows == ((1u << pads) - 1u) << 4);
  }
}
