// The lesson `translate`: what the shipped translator writes, what its probabilities are, and what the reader
// can do with them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/bits.h"
#include "kernels/softmax.h"
#include "lessons/lessons.h"
#include "lessons/translate/experiment.h"
#include "lessons/translate/narration.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/shipped_translator.h"

using namespace attn;
using namespace attn::lessons;
using namespace attn::lessons::translate;

namespace {

Session open(const char* sentence = "") {
  Session session = test::open_session(translate::kLesson);
  REQUIRE(session.set_sentence(sentence).ok());
  return session;
}

std::vector<std::string> split(std::string_view sentence) {
  std::vector<std::string> words{""};
  for (const char c : sentence) {
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

Experiment run(const char* sentence, const Settings& settings = {}, std::vector<CellEdit> edits = {}) {
  core::Result<Experiment> ran = run_experiment(settings, split(sentence), edits, test::shipped_translator());
  REQUIRE(ran.ok());
  return std::move(ran).value();
}

std::string translation(const Session& session) {
  std::string text;
  for (const std::string& word : session.run().target_words) text += word == "<eos>" ? "" : word;
  return text;
}

CellEdit written(int position, int token) { return {kWritten, 0, position, 0, static_cast<float>(token)}; }

std::span<const float> row_of(core::TensorView tensor, int row) {
  const auto width = static_cast<std::size_t>(tensor.shape[-1]);
  return tensor.flat().subspan(static_cast<std::size_t>(row) * width, width);
}

}  // namespace

TEST_CASE("the shipped translator writes the sentences it is there for") {
  const char* const sentences[][2] = {{"Machine learning is fun", "机器学习真好玩"},
                                      {"I love you", "我爱你"},
                                      {"I saw a saw", "我看见了一把锯子"}};
  for (const auto& [english, chinese] : sentences) {
    const Session session = open(english);
    CHECK(translation(session) == chinese);
    CHECK(session.run().target_words.back() == "<eos>");
  }
}

TEST_CASE("the probabilities of each step are the softmax of its logits, to the bit, and sum to 1") {
  const Experiment experiment = run("Machine learning is fun");
  const core::TensorView logits = experiment.run.tape().tensor(kLogits);
  const core::TensorView probabilities = experiment.run.tape().tensor(kProbabilities);
  std::vector<float> expected(static_cast<std::size_t>(logits.shape[-1]));
  for (int row = 0; row < logits.shape[0]; ++row) {
    kernels::masked_softmax(row_of(logits, row), {}, expected);
    CHECK(core::same_bits(expected, row_of(probabilities, row)));
    double sum = 0.0;
    for (const float p : row_of(probabilities, row)) sum += static_cast<double>(p);
    CHECK(std::fabs(sum - 1.0) < 1e-5);
  }
}

TEST_CASE("candidates come most probable first, and are numbers of the tape") {
  const Experiment experiment = run("I love you");
  const core::TensorView probabilities = experiment.run.tape().tensor(kProbabilities);
  for (int row = 0; row < probabilities.shape[0]; ++row) {
    const std::vector<Candidate> candidates = candidates_of(experiment, row, 8);
    REQUIRE(candidates.size() == 8);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& one = candidates[i];
      CHECK(core::bits_of(one.probability) ==
            core::bits_of(row_of(probabilities, row)[static_cast<std::size_t>(one.token)]));
      if (i > 0) CHECK(candidates[i - 1].probability >= one.probability);
    }
    CHECK(candidates.front().token == experiment.shown.tokens[static_cast<std::size_t>(row)]);
    CHECK(candidates.front().probability ==
          *std::max_element(row_of(probabilities, row).begin(), row_of(probabilities, row).end()));
  }
}

TEST_CASE("step by step with a cache and in one masked pass the logits are the same to the bit") {
  for (const char* sentence : {"Machine learning is fun", "I saw a saw", "I love you"})
    for (const float temperature : {0.0f, 1.0f, 2.0f}) {
      const Experiment experiment = run(sentence, {.temperature = temperature, .seed = 3});
      CHECK(core::same_bits(experiment.shown.logits, experiment.run.tape().tensor(kLogits).flat()));
      CHECK(distance_of_passes(experiment) == 0);
    }
}

TEST_CASE("temperature divides the logits, and top-k leaves the k largest and sums to 1") {
  const Settings settings{.temperature = 2.0f, .top_k = 5, .seed = 1};
  const Experiment experiment = run("Machine learning is fun", settings);
  const core::TensorView logits = experiment.run.tape().tensor(kLogits);
  const core::TensorView probabilities = experiment.run.tape().tensor(kProbabilities);
  for (int row = 0; row < logits.shape[0]; ++row) {
    const std::span<const float> p = row_of(probabilities, row);
    CHECK(std::count_if(p.begin(), p.end(), [](float one) { return one > 0.0f; }) == 5);
    double sum = 0.0;
    for (const float one : p) sum += static_cast<double>(one);
    CHECK(std::fabs(sum - 1.0) < 1e-5);
    const std::vector<Candidate> top = candidates_of(experiment, row, 5);
    for (const Candidate& one : top) {
      const double ratio = static_cast<double>(one.probability) / static_cast<double>(top[0].probability);
      const std::span<const float> z = row_of(logits, row);
      const double wanted = std::exp(static_cast<double>(z[static_cast<std::size_t>(one.token)] -
                                                         z[static_cast<std::size_t>(top[0].token)]) /
                                     2.0);
      CHECK(std::fabs(ratio - wanted) < 1e-4);
    }
    const int drawn = experiment.shown.tokens[static_cast<std::size_t>(row)];
    CHECK(p[static_cast<std::size_t>(drawn)] > 0.0f);
  }
}

TEST_CASE("another candidate changes what comes after it and no bit of what comes before") {
  const Experiment own = run("Machine learning is fun");
  const int position = 4;
  const int token = candidates_of(own, position, 2)[1].token;
  const Experiment other = run("Machine learning is fun", {}, {written(position, token)});
  REQUIRE(other.taken.size() == 1);
  CHECK(other.shown.tokens[4] == token);
  CHECK(
      std::equal(own.shown.tokens.begin(), own.shown.tokens.begin() + position, other.shown.tokens.begin()));
  CHECK(other.own.tokens == own.shown.tokens);
  CHECK(distance_from_own(other, position + 1) == 0);
  CHECK(distance_from_own(other, position + 2) > 0);
  CHECK(distance_of_passes(other) == 0);
}

TEST_CASE("a choice takes back those made further on; the decoder's own choice is none") {
  const Experiment own = run("Machine learning is fun");
  const int runner_up = candidates_of(own, 2, 2)[1].token;
  const Experiment both = run("Machine learning is fun", {}, {written(5, 9), written(2, runner_up)});
  REQUIRE(both.taken.size() == 1);
  CHECK(both.taken[0].position == 2);
  const Experiment none = run("Machine learning is fun", {}, {written(2, own.shown.tokens[2])});
  CHECK(none.taken.empty());
  CHECK(none.shown.tokens == own.shown.tokens);
}

TEST_CASE("a choice can be undone, and what is no token is refused") {
  Session session = open();
  const std::string before = translation(session);
  const int vocabulary = test::shipped_translator()->target.size();
  const Focus cell{kWritten, 0, 1, 0};
  for (const float wrong : {0.0f, 1.0f, -1.0f, 2.5f, static_cast<float>(vocabulary)}) {
    const core::Status refused = session.edit_cell(cell, wrong);
    REQUIRE_FALSE(refused.ok());
    CHECK(said_in(refused.failure(), Language::zh) != refused.error());
    CHECK(translation(session) == before);
  }
  REQUIRE(session.edit_cell(cell, static_cast<float>(io::Vocabulary::kEos)).ok());
  CHECK(session.run().target_words.size() == 2);
  session.undo();
  CHECK(translation(session) == before);
  session.redo();
  CHECK(session.run().target_words.size() == 2);
  REQUIRE(session.set_sentence("I love you").ok());  // choices were about the other sentence
  CHECK(translation(session) == "我爱你");
}

TEST_CASE("English may be written with capitals, marks and short forms") {
  for (const char* same : {"i love you", "I LOVE YOU!", " I  love you. "}) {
    Session session = open(same);
    CHECK(joined(session.words()) == "I love you");
    CHECK(translation(session) == "我爱你");
  }
  Session own = open("machine learning is fun.");
  CHECK_FALSE(own.can_undo());  // its own sentence
}

TEST_CASE("a word that isn't known is named, near ones are suggested, and every suggestion is taken") {
  Session session = open();
  for (const auto& [sentence, unknown] :
       {std::pair{"I love yuo", "yuo"}, std::pair{"Machin learning is fun", "Machin"},
        std::pair{"I love 你", "你"}}) {
    const Run* before = &session.run();
    const core::Status refused = session.set_sentence(sentence);
    REQUIRE_FALSE(refused.ok());
    CHECK(&session.run() == before);
    CHECK(refused.error().find(unknown) != std::string::npos);
    CHECK(said_in(refused.failure(), Language::zh).find("词表") != std::string::npos);
    REQUIRE_FALSE(refused.failure().suggestions.empty());
    for (const std::string& suggestion : refused.failure().suggestions)
      CHECK(open(suggestion.c_str()).words().size() > 1);
  }
  CHECK(session.set_sentence("I love yuo").failure().suggestions.front() == "I love you");
  for (const char* wrong : {"I {love} you", "!!!", "I like you and I like you and I like you and you"})
    CHECK_FALSE(session.set_sentence(wrong).ok());
}

TEST_CASE("the question is answered by one choice in the second half that ends by itself") {
  Session session = open();
  REQUIRE(session.go_to_step(kSteps - 1).ok());
  CHECK(session.step().answer == Answer::open);
  const Experiment own = run("Machine learning is fun");
  const int kept = kept_length(own);
  const auto choose = [&](int position, int rank) {
    const int token = candidates_of(own, position, static_cast<std::size_t>(rank) + 1).back().token;
    REQUIRE(session.edit_cell({kWritten, 0, position, 0}, static_cast<float>(token)).ok());
  };
  choose(0, 2);
  CHECK(session.step().answer == Answer::wrong);
  session.undo();
  bool answered = false;
  for (int position = kept; position < own_length(own) && !answered; ++position)
    for (int rank = 1; rank < 5 && !answered; ++rank) {
      choose(position, rank);
      answered = session.step().answer == Answer::right;
      if (answered) {
        CHECK(session.step().narration.en.find("0 ULP") != std::string::npos);
        choose(kept == position ? position + 1 : kept, 1);
      }
      session.undo();
    }
  CHECK(answered);
}

TEST_CASE("any sentence of known words gives finite numbers, alone or as long as may be") {
  const io::Vocabulary& known = test::shipped_translator()->source;
  std::string longest;
  for (int i = 0; i < kSentenceRule.most; ++i)
    longest += (i > 0 ? " " : "") + known.symbol(io::Vocabulary::kSpecials + 7 * i);
  for (const std::string& sentence : {known.symbol(known.size() - 1), longest}) {
    const Session session = open(sentence.c_str());
    for (const tape::Entry& entry : session.run().tape().entries())
      for (const float value : entry.value.flat()) REQUIRE(std::isfinite(value));
    CHECK(session.run().target_words.size() <= static_cast<std::size_t>(kMostCharacters));
  }
}
