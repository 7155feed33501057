// The reader's own sentence: how text becomes words, words become rows, and what a session does with it.
#include "lessons/sentence.h"

#include "core/bits.h"
#include "lessons/self_attention/experiment.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/sample_lesson.h"
#include "tape/label.h"

using namespace attn;
using namespace attn::lessons;
using tape::Site;
using Words = std::vector<std::string>;

namespace {

constexpr const char* kOwn[] = {"I", "saw"};
constexpr SentenceRule kRule{kOwn, 2, 8};

Session open(const char* slug) { return Session::open(slug).value(); }

core::TensorView rows_of(const Session& session) {
  return session.run().tape().tensor(self_attention::label_of(Site::embedding));
}

Words row_texts(const Session& session) {
  const core::TensorView rows = rows_of(session);
  Words texts;
  for (int i = 0; i < rows.shape[0]; ++i)
    texts.emplace_back(reinterpret_cast<const char*>(rows.values + i * rows.shape[1]),
                       static_cast<std::size_t>(rows.shape[1]) * sizeof(float));
  return texts;
}

}  // namespace

TEST_CASE("words are what stands between spaces, of any kind and number") {
  CHECK(words_of(kRule, "I like you").value() == Words{"I", "like", "you"});
  CHECK(words_of(kRule, "  I\tlike \n you ").value() == Words{"I", "like", "you"});
  CHECK(words_of(kRule, "我　喜欢 你　").value() == Words{"我", "喜欢", "你"});
  CHECK(words_of(kRule, "Größe naïve").value() == Words{"Größe", "naïve"});
  CHECK(words_of(kRule, "안녕하세요 세계").value() == Words{"안녕하세요", "세계"});
}

TEST_CASE("Chinese without a space has a word for each character, and keeps what isn't Chinese whole") {
  CHECK(words_of(kRule, "机器学习").value() == Words{"机", "器", "学", "习"});
  CHECK(words_of(kRule, "我爱attention").value() == Words{"我", "爱", "attention"});
  CHECK(words_of(kRule, "用GPT写诗。").value() == Words{"用", "GPT", "写", "诗", "。"});
}

TEST_CASE("joined words are the same words again") {
  for (const char* text : {"I like you", "机器学习", "我爱attention", "我 喜欢 你"}) {
    const Words words = words_of(kRule, text).value();
    CHECK(words_of(kRule, joined(words)).value() == words);
  }
}

TEST_CASE("a text that is no sentence is refused with what is wrong, in both languages") {
  struct Refused {
    std::string_view text;
    const char* en;
    const char* zh;
  };
  const Refused refused[] = {
      {"", "this lesson takes 2 to 8 words, not 0", "这一课要写 2 到 8 个词，这里有 0 个"},
      {"alone", "this lesson takes 2 to 8 words, not 1", "这一课要写 2 到 8 个词，这里有 1 个"},
      {"a b c d e f g h i", "this lesson takes 2 to 8 words, not 9", "这一课要写 2 到 8 个词，这里有 9 个"},
      {"a abcdefghijklm", "the word 'abcdefghijklm' is longer than 12 characters",
       "“abcdefghijklm”超过了 12 个字符"},
      {{"a \0b", 4}, "there is an invisible control character in it", "里面有一个看不见的控制字符"},
      {"a \x7F", "there is an invisible control character in it", "里面有一个看不见的控制字符"},
      {"a {q|b}", "{ can't stand in a word", "词里不能有 {"},
  };
  for (const auto& [text, en, zh] : refused) {
    const core::Result<Words> words = words_of(kRule, text);
    REQUIRE_FALSE(words.ok());
    CHECK(said_in(words.failure(), Language::en) == en);
    CHECK(said_in(words.failure(), Language::zh) == zh);
  }
  CHECK(words_of(kRule, "a 一二三四五六七八九十十十").ok());
  CHECK(words_of(kRule, "a \xFF").error() == "byte 2 is no character");
}

TEST_CASE("of too many words the first ones are suggested, and can be taken") {
  const core::Result<Words> words = words_of(kRule, "a  b c d e f g h i");
  REQUIRE_FALSE(words.ok());
  CHECK(words.failure().suggestions == Words{"a b c d e f g h"});
  CHECK(words_of(kRule, words.failure().suggestions[0]).ok());
  CHECK(words_of(kRule, "alone").failure().suggestions.empty());
}

namespace {

/// Takes what a vocabulary knows, and names its words for what it doesn't.
core::Result<Words> known_words(const SentenceRule& rule, std::string_view text) {
  core::Result<Words> words = words_of(rule, text);
  if (!words.ok()) return words;
  for (std::string& word : words.value()) {
    if (word == "cats" || word == "see") continue;
    core::Error refused = refusal({"这一课不认识$0", "this lesson doesn't know $0"}, {in_quotes(word)});
    for (const char* known : {"cats", "see"}) {
      word = known;
      refused.suggestions.push_back(joined(words.value()));
    }
    return refused;
  }
  return words;
}

}  // namespace

TEST_CASE("a lesson can read a sentence in its own way, and suggest other words") {
  Lesson lesson = Session::open("self-attention").value().lesson();
  lesson.sentence.read = known_words;
  Session session = Session::open(lesson).value();
  CHECK(session.set_sentence("cats see").ok());
  const core::Status refused = session.set_sentence("cats sea cats");
  REQUIRE_FALSE(refused.ok());
  CHECK(said_in(refused.failure(), Language::zh) == "这一课不认识“sea”");
  CHECK(refused.failure().suggestions == Words{"cats cats cats", "cats see cats"});
  CHECK(session.words() == Words{"cats", "see"});
}

TEST_CASE("of a suggestion the words are shown that the text doesn't have") {
  CHECK(shown_of("cats see cats", "cats  sea cats ") == "see");
  CHECK(shown_of("我 爱 你", "我爱他") == "你");
  CHECK(shown_of("a b", "a b c") == "a b");
  CHECK(shown_of("a b", "a b") == "a b");
}

TEST_CASE("the hint of a field names the limits of the lesson's rule") {
  const RunText hint = hint_of({.own = kOwn, .fewest = 3, .most = 5, .longest_word = 7});
  for (const std::string& text : {hint.zh, hint.en})
    for (const char* limit : {"3–5", "7"}) CHECK(text.find(limit) != std::string::npos);
}

TEST_CASE("the same word has the same row, another another, whatever stands around it") {
  core::Tensor table(core::Shape{2, 5});
  for (int i = 0; i < table.size(); ++i) table.values()[i] = static_cast<float>(i);
  const Words known{"I", "saw"};
  const Words words{"you", "saw", "me", "you"};
  const core::Tensor rows = embed_words(words, known, table, 3);
  const auto row = [](const core::Tensor& of, std::size_t i) { return of.flat().subspan(i * 5, 5); };
  CHECK(core::same_bits(row(rows, 0), row(rows, 3)));
  CHECK(core::same_bits(row(rows, 1), row(table, 1)));
  CHECK_FALSE(core::same_bits(row(rows, 0), row(rows, 2)));
  const Words others{"me", "and", "you"};
  const core::Tensor again = embed_words(others, known, table, 3);
  CHECK(core::same_bits(row(again, 0), row(rows, 2)));
  CHECK(core::same_bits(row(again, 2), row(rows, 0)));
  CHECK_FALSE(core::same_bits(row(embed_words(others, known, table, 4), 0), row(again, 0)));
}

TEST_CASE("a session's sentence is what its run is about, through steps and parameters, until it is reset") {
  Session session = open("self-attention");
  const Words own = row_texts(session);
  CHECK(session.words() == Words{"I", "saw", "a", "saw"});
  REQUIRE(session.set_sentence("you saw me and you").ok());
  CHECK(session.words() == Words{"you", "saw", "me", "and", "you"});
  CHECK(session.run().source_words == session.words());
  const Words rows = row_texts(session);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == rows[4]);
  CHECK(rows[1] == own[1]);
  REQUIRE(session.set_parameter("causal_mask", 1).ok());
  session.step_by(1);
  CHECK(session.words().size() == 5);
  CHECK(session.step().narration.en.find("The last word, you in row 4") != std::string::npos);
  session.undo();
  session.undo();
  session.undo();
  CHECK(session.words().size() == 4);
  CHECK(row_texts(session) == own);
  session.redo();
  CHECK(session.words().size() == 5);
  session.reset();
  CHECK(session.words().size() == 4);
  CHECK_FALSE(session.set_sentence("alone").ok());
  CHECK(session.words().size() == 4);
}

TEST_CASE("the other numbers of a lesson don't depend on the sentence") {
  for (const char* slug : {"self-attention", "multi-head"}) {
    Session session = open(slug);
    const tape::Label weight = tape::parse_label("encoder.0.self_attention.query_weight").value();
    const core::TensorView before = session.run().tape().tensor(weight);
    const std::vector<float> own(before.flat().begin(), before.flat().end());
    REQUIRE(session.set_sentence("机器学习真好玩").ok());
    CHECK(core::same_bits(own, session.run().tape().tensor(weight).flat()));
    CHECK(session.run().tape().tensor(tape::parse_label("encoder.embedding").value()).shape[0] == 7);
  }
}

TEST_CASE("a blank sentence and the lesson's own words bring back its own") {
  Session session = open("self-attention");
  const std::uint32_t revision = session.revision();
  for (const char* text : {"", "  ", "　", "I saw a saw", " I  saw a saw"}) {
    REQUIRE(session.set_sentence(text).ok());
    CHECK(session.revision() == revision);
  }
  REQUIRE(session.set_sentence("one two").ok());
  REQUIRE(session.set_sentence("").ok());
  CHECK(session.words() == Words{"I", "saw", "a", "saw"});
  CHECK(session.can_undo());
}

TEST_CASE("edits of the words' rows go with the words, those of weights stay") {
  Session session = open("self-attention");
  REQUIRE(session.edit_cell({self_attention::label_of(Site::embedding), 0, 3, 0}, 2.5f).ok());
  REQUIRE(session.edit_cell({self_attention::label_of(Site::query_weight), 0, 0, 0}, 1.5f).ok());
  REQUIRE(session.set_sentence("you saw me and you").ok());
  REQUIRE(session.edits().size() == 1);
  CHECK(session.edits()[0].tensor == self_attention::label_of(Site::query_weight));
  session.undo();
  CHECK(session.edits().size() == 2);
  CHECK(rows_of(session).values[3 * 3] == 2.5f);
}

TEST_CASE("a cell that another sentence doesn't have is left") {
  Session session = open("self-attention");
  REQUIRE(session.go_to_step(3).ok());
  REQUIRE(session.focus().row == 3);
  REQUIRE(session.set_sentence("one two").ok());
  CHECK(session.focus() == session.step().focus);
  CHECK(session.focus().row == 1);
}

TEST_CASE("a lesson without a sentence refuses one") {
  Session session = Session::open(test::sample_lesson()).value();
  CHECK(session.set_sentence("I like you").error() == "lesson 'sample' has no sentence to write");
  CHECK(session.words().empty());
}
