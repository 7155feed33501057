#include "training/translator.h"

#include <algorithm>
#include <string>

#include "core/bits.h"
#include "support/catch.h"
#include "support/shipped_translator.h"
#include "training/corpus.h"
#include "training/english.h"
#include "training/forward.h"

using namespace attn;
using training::TaskKind;
using training::Trainer;
using training::Translator;

namespace {

/// What is said to a sentence of words that are all known.
std::string translation_of(const Translator& translator, std::string_view english) {
  training::Example sentence;
  for (const std::string& word : training::words_of(english)) {
    const std::optional<int> token = translator.source.find(word);
    REQUIRE(token.has_value());
    sentence.source.push_back(*token);
  }
  return training::text_of(translator.target, training::translate(translator.model, {&sentence, 1}, 16)[0]);
}

}  // namespace

TEST_CASE("the shipped translator says the three fixed sentences right") {
  const Translator& translator = *test::shipped_translator();
  CHECK(translation_of(translator, "Machine learning is fun") == "机器学习真好玩");
  CHECK(translation_of(translator, "I love you") == "我爱你");
  CHECK(translation_of(translator, "i LOVE you.") == "我爱你");
  for (const training::Pair& pair : training::fixed_pairs()) {
    INFO(pair.english);
    CHECK(translation_of(translator, pair.english) == pair.chinese);
  }
}

TEST_CASE("the shipped translator gets at least 95 % of the held-out sentences exactly right") {
  const Translator& translator = *test::shipped_translator();
  const training::Task task = training::make_task(TaskKind::translate);
  REQUIRE(task.held_out.size() > 500);
  CHECK(translator.source == task.source_vocabulary);
  CHECK(translator.target == task.target_vocabulary);
  const int exact = training::count_exact(translator.model, task.held_out);
  CHECK(exact * 100 >= 95 * static_cast<int>(task.held_out.size()));
}

TEST_CASE("twenty steps of the translator's training have the recorded hash") {
  core::Result<Trainer> trainer =
      Trainer::start(std::make_shared<const training::Task>(training::make_task(TaskKind::translate)),
                     training::translator_options());
  REQUIRE(trainer.ok());
  for (int i = 0; i < 20; ++i) trainer.value().step();
  std::uint64_t hash = core::fnv1a("", 0);
  nn::for_each_parameter(trainer.value().model(), [&](std::string_view, const core::Tensor& parameter) {
    hash = core::fnv1a(parameter.values(), parameter.flat().size_bytes(), hash);
  });
  const std::span<const training::StepRecord> history = trainer.value().history();
  hash = core::fnv1a(history.data(), history.size_bytes(), hash);
  CHECK(hash == 0x4a98b2bc468dc137);
}

TEST_CASE("a file that is no translator is refused with what and where") {
  const std::vector<std::uint8_t>& file = test::translator_file();
  const auto refusal = [](std::span<const std::uint8_t> bytes) {
    const core::Result<Translator> read = training::read_translator(bytes);
    return read.ok() ? std::string("accepted") : read.error();
  };
  CHECK(refusal(file) == "accepted");
  CHECK(refusal(std::span(file).first(1000)) != "accepted");
  CHECK(refusal({}) != "accepted");
  std::vector<std::uint8_t> other = file;
  const std::string key = "target_vocabulary";
  const auto place = std::search(other.begin(), other.end(), key.begin(), key.end());
  REQUIRE(place != other.end());
  *place = 'T';
  CHECK_THAT(refusal(other), Catch::Contains("target_vocabulary"));
}
