#include "lessons/glossary.h"

#include <algorithm>
#include <set>
#include <string>

#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/shipped_translator.h"
#include "support/visible_text.h"

using namespace attn::lessons;
using namespace attn::test;

namespace {

constexpr int kMostEnglishWords = 18;
constexpr int kMostChineseCharacters = 36;

// "a [query:query] and" for markup: what was found, with the term's English name.
std::string spelled(const std::string& markup) {
  std::string text;
  TermsSeen seen;
  for (const Paragraph& paragraph : parse_narration(markup)) {
    for (const TextRun& run : paragraph) {
      for (std::size_t written = 0; written < run.text.size();) {
        const TermPlace place = next_term(run, written, seen);
        text += run.text.substr(written, place.begin - written);
        if (place.term != nullptr)
          text += "[" + run.text.substr(place.begin, place.size) + ":" + place.term->name.en + "]";
        written = place.begin + place.size;
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("every term has a name and a short sentence in both languages, and no other's name or spelling") {
  std::set<std::string> names;
  std::set<std::string> spellings;
  for (const Term& term : glossary()) {
    CAPTURE(term.name.en);
    CHECK(names.insert(term.name.en).second);
    CHECK(character_count(term.name.zh) > 0);
    CHECK(sentence_count(term.definition.zh) == 1);
    CHECK(sentence_count(term.definition.en) <= 2);
    CHECK(character_count(term.definition.zh) <= kMostChineseCharacters);
    CHECK(word_count(term.definition.en) <= kMostEnglishWords);
    CHECK((std::string(term.role_spellings).empty()) == (term.role == Role::plain));
    for (std::string list : {std::string(term.spellings), std::string(term.role_spellings)}) {
      while (!list.empty()) {
        const std::string one = list.substr(0, list.find('|'));
        list.erase(0, one.size() + 1);
        CAPTURE(one);
        CHECK_FALSE(one.empty());
        CHECK(std::none_of(one.begin(), one.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
        CHECK(spellings.insert(one).second);
      }
    }
  }
}

TEST_CASE("a term is marked where it first occurs and nowhere else") {
  CHECK(spelled("a score, a score") == "a [score:score], a score");
  CHECK(spelled("分数，{strong|分数}") == "[分数:score]，分数");
  CHECK(spelled("Scores.\nThe score again") == "[Scores:score].The score again");
  CHECK(spelled("") == "");
  CHECK(spelled("nothing here") == "nothing here");
}

TEST_CASE("the longest term wins, also over one that was marked before") {
  CHECK(spelled("the causal mask") == "the [causal mask:causal mask]");
  CHECK(spelled("a mask, the causal mask, a causal mask") ==
        "a [mask:mask], the [causal mask:causal mask], a causal mask");
  CHECK(spelled("因果掩码，掩码") == "[因果掩码:causal mask]，[掩码:mask]");
  CHECK(spelled("自注意力") == "[自注意力:attention]");
  CHECK(spelled("cross-entropy") == "[cross-entropy:cross-entropy]");
}

TEST_CASE("English terms are whole words, in any case") {
  CHECK(spelled("unmasked") == "unmasked");
  CHECK(spelled("ahead of scoreboards") == "ahead of scoreboards");
  CHECK(spelled("dst_mask") == "dst_mask");
  CHECK(spelled("src_mask") == "[src_mask:src_mask]");
  CHECK(spelled("Softmax, SOFTMAX") == "[Softmax:softmax], SOFTMAX");
  CHECK(spelled("0 ULPs.") == "0 [ULPs:ULP].");
  CHECK(spelled("softmax把分数") == "[softmax:softmax]把[分数:score]");
  CHECK(spelled("√dₖ = √4") == "√[dₖ:dₖ] = √4");
  CHECK(spelled("√d_k") == "√[d_k:dₖ]");
}

TEST_CASE("short words are terms only with their role, or after the word that makes them one") {
  CHECK(spelled("the value of v") == "the value of v");
  CHECK(spelled("数值，开头，键盘") == "数值，开头，键盘");
  CHECK(spelled("its {v|value}, {k|键}") == "its [value:value], [键:key]");
  CHECK(spelled("{q|q[3]} and {k|K}") == "[q:query][3] and [K:key]");
  CHECK(spelled("{q|W_q}") == "W_q");
  CHECK(spelled("more memory for {mem|memory}") == "more memory for [memory:memory]");
  CHECK(spelled("每个头，一头") == "每个[头:head]，一头");
}

TEST_CASE("a name from a library's code is a term, in both languages") {
  for (const Lesson* lesson : all_lessons()) {
    CAPTURE(lesson->slug);
    const Session session = attn::test::open_session(*lesson);
    for (const Step& step : session.run().steps)
      for (const std::string& markup : {step.narration.zh, step.narration.en, step.brief.zh, step.brief.en,
                                        step.try_it.zh, step.try_it.en})
        for (const Paragraph& paragraph : parse_narration(markup))
          for (const TextRun& run : paragraph) {
            const bool name = run.text.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos;
            if (run.role != Role::code || !name) continue;
            CAPTURE(run.text);
            TermsSeen seen;
            const TermPlace place = next_term(run, 0, seen);
            CHECK((place.term != nullptr && place.size == run.text.size()));
          }
  }
}

TEST_CASE("a lesson tells of ULPs, with a link to what they are, by the step that first shows them") {
  const auto says = [](const RunText& text) {
    return text.zh.find("ULP") != std::string::npos && text.en.find("ULP") != std::string::npos;
  };
  const auto shows = [&](const Block& block) {
    bool found = says(block.verdict.text);
    for (const RunText& column : block.table.columns) found = found || says(column);
    for (const TableRow& row : block.table.rows)
      for (const RunText& text : row.cells) found = found || says(text);
    return found;
  };
  int shown = 0;
  for (const Lesson* lesson : all_lessons()) {
    CAPTURE(lesson->slug);
    Session session = attn::test::open_session(*lesson);
    bool told = false;
    for (int step = 0; step < session.step_count(); ++step) {
      REQUIRE(session.go_to_step(step).ok());
      told = told || says(session.step().narration);
      const Run& run = session.run();
      bool on_screen = run.twin.has_value();
      if (run.board)
        for (const Block& block : run.sheet_at(step).blocks) on_screen = on_screen || shows(block);
      shown += on_screen ? 1 : 0;
      CAPTURE(step);
      CHECK((told || !on_screen));
    }
  }
  CHECK(shown > 10);
}

TEST_CASE("every lesson has terms in both languages, in every place a whole piece of its text") {
  for (const Lesson* lesson : all_lessons()) {
    const Session session = attn::test::open_session(*lesson);
    TermsSeen zh, en;
    for (const Step& step : session.run().steps) {
      for (auto [markup, seen] : {std::pair{&step.narration.zh, &zh}, std::pair{&step.narration.en, &en}}) {
        for (const Paragraph& paragraph : parse_narration(*markup)) {
          for (const TextRun& run : paragraph) {
            TermsSeen now;
            const TermPlace place = next_term(run, 0, now);
            CHECK(place.begin + place.size <= run.text.size());
            CHECK((place.term == nullptr) == (place.size == 0));
            *seen |= now;
          }
        }
      }
    }
    CAPTURE(lesson->slug);
    CHECK(zh.count() >= 3);
    CHECK(en.count() >= 3);
  }
}
