#include "support/visible_text.h"

#include "support/catch.h"

using namespace attn::test;

TEST_CASE("text is counted as a reader counts it") {
  CHECK(visible_text("a {q|b}\n{eq|c d}") == "a b\nc d");
  CHECK(word_count("") == 0);
  CHECK(word_count("  one two\nthree ") == 3);
  CHECK(character_count("每个 a.") == 4);
  CHECK(sentence_count("") == 0);
  CHECK(sentence_count("no stop") == 1);
  CHECK(sentence_count("Equal to 0.5 ULP.") == 1);
  CHECK(sentence_count("One. Two") == 2);
  CHECK(sentence_count("One! Two?") == 2);
  CHECK(sentence_count("相等。不同。") == 2);
  CHECK(sentence_count("相等？") == 1);
  CHECK(sentence_count("What?! ") == 1);
}
