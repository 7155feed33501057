#include "training/english.h"

#include "support/catch.h"

using attn::training::words_of;
using attn::training::written;
using Words = std::vector<std::string>;

TEST_CASE("A reader's sentence is read without punctuation, capitals and short forms") {
  CHECK(words_of("Machine learning is fun!") == Words{"machine", "learning", "is", "fun"});
  CHECK(words_of("  Do you   like tea? ") == Words{"do", "you", "like", "tea"});
  CHECK(words_of("I don't like it, he said.") == Words{"i", "do", "not", "like", "it", "he", "said"});
  CHECK(words_of("We can\u2019t. I'm tired.") == Words{"we", "cannot", "i", "am", "tired"});
  CHECK(words_of("She's here; they're not. Let's go") ==
        Words{"she", "is", "here", "they", "are", "not", "let", "us", "go"});
  CHECK(words_of("I'll wait, you won't") == Words{"i", "will", "wait", "you", "will", "not"});
  CHECK(words_of("我 爱。你") == Words{"我", "爱", "你"});
  CHECK(words_of(" .,!? ").empty());
  CHECK(words_of("").empty());
}

TEST_CASE("A sentence is written with its capitals") {
  CHECK(written("i love you") == "I love you");
  CHECK(written("can i speak chinese in beijing") == "Can I speak Chinese in Beijing");
  CHECK(written("machine learning is fun") == "Machine learning is fun");
  CHECK(written("it is his") == "It is his");
  CHECK(written("").empty());
}
