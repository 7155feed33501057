#include "training/corpus.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/bits.h"
#include "io/vocabulary.h"
#include "support/catch.h"
#include "training/english.h"
#include "training/grammar_tables.h"

namespace {

using namespace attn::training;

// The corpus is a pure function of its tables: this changes when they do, and then the translator has to be
// trained again. The same under every compiler and in WebAssembly.
constexpr std::uint64_t kCorpusHash = 0x2a308188f2fc7631;

const Corpus& corpus() {
  static const Corpus made = make_corpus();
  return made;
}

std::vector<Pair> all_pairs() {
  std::vector<Pair> all = corpus().training;
  all.insert(all.end(), corpus().held_out.begin(), corpus().held_out.end());
  return all;
}

// The translation in the training pairs, empty if there is none.
std::string trained(std::string_view english) {
  for (const Pair& pair : corpus().training)
    if (pair.english == english) return pair.chinese;
  return "";
}

std::string translation(std::string_view english) {
  for (const Pair& pair : all_pairs())
    if (pair.english == english) return pair.chinese;
  return "";
}

}  // namespace

TEST_CASE("The corpus has more than 150 English words and 3,000 pairs") {
  CHECK(english_words(all_pairs()).size() >= 150);
  CHECK(all_pairs().size() >= 3000);
  CHECK(all_pairs().size() == make_pairs().size());
}

TEST_CASE("Every English sentence is there once, with one translation") {
  std::set<std::string> seen;
  for (const Pair& pair : all_pairs()) {
    INFO(pair.english);
    CHECK(seen.insert(pair.english).second);
  }
}

TEST_CASE("Sentences are short, English in lower case and Chinese in Chinese characters alone") {
  for (const Pair& pair : all_pairs()) {
    CAPTURE(pair.english, pair.chinese);
    const std::vector<std::string> words = words_of(pair.english);
    CHECK((words.size() >= 2 && words.size() <= kMostWords));
    std::string joined;
    for (const std::string& word : words) joined += joined.empty() ? word : " " + word;
    CHECK(joined == pair.english);
    CHECK(std::all_of(pair.english.begin(), pair.english.end(),
                      [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); }));
    const auto characters = attn::io::characters_of(pair.chinese);
    CHECK((characters.size() >= 2 && characters.size() <= kMostCharacters));
    // U+4E00 to U+9FFF are three bytes, E4 B8 80 to E9 BF BF.
    for (const std::string_view character : characters)
      CHECK((character.size() == 3 && character >= "\u4E00" && character <= "\u9FFF"));
  }
}

TEST_CASE("No sentence is both trained on and held out, and about a tenth is held out") {
  std::set<std::string> trained_on;
  for (const Pair& pair : corpus().training) trained_on.insert(pair.english);
  for (const Pair& pair : corpus().held_out) CHECK(trained_on.count(pair.english) == 0);
  const double share =
      static_cast<double>(corpus().held_out.size()) / static_cast<double>(all_pairs().size());
  CHECK(share > 0.08);
  CHECK(share < 0.12);
}

TEST_CASE("Every word and every character of the corpus is trained on, several times") {
  std::map<std::string, int> uses;
  for (const Pair& pair : corpus().training) {
    std::set<std::string> symbols;
    for (const std::string& word : words_of(pair.english)) symbols.insert(word);
    for (const std::string_view character : attn::io::characters_of(pair.chinese))
      symbols.insert(std::string(character));
    for (const std::string& symbol : symbols) ++uses[symbol];
  }
  const std::vector<Pair> all = all_pairs();
  std::vector<std::string> symbols = english_words(all);
  const std::vector<std::string> characters = chinese_characters(all);
  symbols.insert(symbols.end(), characters.begin(), characters.end());
  for (const std::string& symbol : symbols) {
    INFO(symbol << ": " << uses[symbol]);
    CHECK(uses[symbol] >= 10);
  }
}

TEST_CASE("The fixed sentences are trained on, first") {
  CHECK(trained("machine learning is fun") == "机器学习真好玩");
  CHECK(trained("i love you") == "我爱你");
  CHECK(trained("i saw a saw") == "我看见了一把锯子");
  const std::vector<Pair> fixed = fixed_pairs();
  REQUIRE(corpus().training.size() > fixed.size());
  CHECK(std::equal(fixed.begin(), fixed.end(), corpus().training.begin()));
}

TEST_CASE("The grammar knows agreement in English, measure words and word order in Chinese") {
  for (const Pair& pair : all_pairs()) {
    INFO(pair.english << " " << pair.chinese);
    const std::string text = " " + pair.english + " ";
    const auto has = [&](std::string_view words) { return text.find(words) != std::string::npos; };
    CHECK_FALSE((has(" i is ") || has(" i are ") || has(" he are ") || has(" they is ") || has(" you is ")));
    CHECK_FALSE(
        (has(" a apple ") || has(" a egg ") || has(" a old ") || has(" an cat ") || has(" a engineer ")));
    CHECK(pair.chinese.find("一猫") == std::string::npos);
    CHECK(pair.chinese.find("二") == std::string::npos);
    CHECK(pair.chinese.find("不有") == std::string::npos);
  }
  // Sentences that any choice of what is kept from the rules leaves in.
  CHECK(translation("who likes tea") == "谁喜欢喝茶");
  CHECK(translation("what is this") == "这是什么");
  CHECK(translation("this is a saw") == "这是一把锯子");
  CHECK(translation("it is cold today") == "今天很冷");
  CHECK(translation("let us go home") == "我们回家吧");
}

TEST_CASE("Words and characters are listed once, in the order in which they come") {
  const std::vector<Pair> pairs = {{"i love you", "我爱你"}, {"you love me", "你爱我"}};
  CHECK(english_words(pairs) == std::vector<std::string>{"i", "love", "you", "me"});
  CHECK(chinese_characters(pairs) == std::vector<std::string>{"我", "爱", "你"});
}

TEST_CASE("The corpus is the same whenever and wherever it is made") {
  std::uint64_t hash = attn::core::fnv1a(nullptr, 0);
  const auto add = [&](const std::vector<Pair>& pairs) {
    for (const Pair& pair : pairs) {
      hash = attn::core::fnv1a(pair.english.c_str(), pair.english.size() + 1, hash);
      hash = attn::core::fnv1a(pair.chinese.c_str(), pair.chinese.size() + 1, hash);
    }
    hash = attn::core::fnv1a("", 1, hash);
  };
  add(corpus().training);
  add(corpus().held_out);
  INFO("corpus hash " << std::hex << hash);
  CHECK(hash == kCorpusHash);
  CHECK(make_corpus().held_out == corpus().held_out);
}
