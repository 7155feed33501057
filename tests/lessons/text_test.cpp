#include "lessons/text.h"

#include "support/catch.h"

using namespace attn::lessons;

namespace {

// "plain:words|strong:more" with paragraphs in lines, to compare a whole parse at a glance.
std::string spelled(std::string_view markup) {
  std::string text;
  for (const Paragraph& paragraph : parse_narration(markup)) {
    if (!text.empty()) text += "\n";
    for (std::size_t i = 0; i < paragraph.size(); ++i)
      text += (i > 0 ? "|" : "") + std::string(name_of(paragraph[i].role)) + ":" + paragraph[i].text;
  }
  return text;
}

}  // namespace

TEST_CASE("narration without markup is one plain run") {
  CHECK(spelled("每个词都看前面的词。") == "plain:每个词都看前面的词。");
  CHECK(spelled("").empty());
}

TEST_CASE("a role applies to the words in its braces only") {
  CHECK(spelled("row {q|2} meets {k|column 1}.") == "plain:row |q:2|plain: meets |k:column 1|plain:.");
  CHECK(spelled("{strong|a}{code|b}{v|c}{out|d}{mem|e}{eq|f}{ne|g}") ==
        "strong:a|code:b|v:c|out:d|mem:e|eq:f|ne:g");
  CHECK(spelled("{ne|max |Δ| = 1}") == "ne:max |Δ| = 1");
}

TEST_CASE("lines are paragraphs and empty lines are none") {
  CHECK(spelled("one\n\n{eq|two}\n") == "plain:one\neq:two");
}

TEST_CASE("a markup mistake stays visible as it was written") {
  CHECK(spelled("a {bold|b} c") == "plain:a {bold|b} c");
  CHECK(spelled("a {plain|b}") == "plain:a {plain|b}");
  CHECK(spelled("a {q|b") == "plain:a {q|b");
  CHECK(spelled("a } b") == "plain:a } b");
  CHECK(spelled("{q b}") == "plain:{q b}");
  CHECK(spelled("{q|a {k|b}}") == "plain:{q|a |k:b|plain:}");
  CHECK(spelled("{q|a\nb}") == "plain:{q|a\nplain:b}");
}
