#include "io/vocabulary.h"

#include "support/catch.h"

namespace {

using attn::io::characters_of;
using attn::io::edit_distance;
using attn::io::Vocabulary;

Vocabulary vocabulary_of(const std::vector<std::string>& symbols) {
  auto vocabulary = Vocabulary::from_symbols(symbols);
  REQUIRE(vocabulary.ok());
  return vocabulary.value();
}

std::string error_of(const std::vector<std::string>& symbols) {
  const auto vocabulary = Vocabulary::from_symbols(symbols);
  return vocabulary.ok() ? "no error" : vocabulary.error();
}

std::string json_error_of(std::string_view json) {
  const auto vocabulary = Vocabulary::from_json(json);
  return vocabulary.ok() ? "no error" : vocabulary.error();
}

std::vector<std::string> nearest(const Vocabulary& vocabulary, std::string_view text, std::size_t count) {
  std::vector<std::string> words;
  for (const int id : vocabulary.nearest(text, count)) words.push_back(vocabulary.symbol(id));
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("A vocabulary numbers the specials first, then its symbols in order") {
  const Vocabulary vocabulary = vocabulary_of({"i", "love", "爱"});
  CHECK(vocabulary.size() == 6);
  CHECK(vocabulary.symbol(Vocabulary::kPad) == "<pad>");
  CHECK(vocabulary.symbol(Vocabulary::kBos) == "<bos>");
  CHECK(vocabulary.symbol(Vocabulary::kEos) == "<eos>");
  for (int id = 0; id < vocabulary.size(); ++id) CHECK(vocabulary.find(vocabulary.symbol(id)) == id);
  CHECK(vocabulary.symbol(5) == "爱");
  CHECK(Vocabulary().size() == 3);
  CHECK(Vocabulary().find("<eos>") == Vocabulary::kEos);
}

TEST_CASE("A symbol is found whatever its case, one of the same case first") {
  const Vocabulary vocabulary = vocabulary_of({"May", "may", "Beijing"});
  CHECK(vocabulary.find("May") == 3);
  CHECK(vocabulary.find("may") == 4);
  CHECK(vocabulary.find("MAY") == 3);
  CHECK(vocabulary.find("beijing") == 5);
  CHECK_FALSE(vocabulary.find("shanghai").has_value());
  CHECK_FALSE(vocabulary.find("").has_value());
}

TEST_CASE("A vocabulary that can't be says which symbol is wrong and how") {
  CHECK(error_of({"a", "b", "a"}) == "vocabulary: symbol 5, 'a', is there already as symbol 3");
  CHECK(error_of({"a", ""}) == "vocabulary: symbol 4, '', is empty");
  CHECK(error_of({"<eos>"}) == "vocabulary: symbol 3, '<eos>', has the name of a special symbol");
  CHECK(error_of({"two words"}) ==
        "vocabulary: symbol 3, 'two words', has white space or a control character in it");
  CHECK(error_of({"a\n"}).find("control character") != std::string::npos);
  CHECK(error_of({"\xE7\x88"}).find("is not UTF-8") != std::string::npos);
  CHECK(error_of({std::string(65, 'x')}).find("longer than 64 bytes") != std::string::npos);
  CHECK(error_of(std::vector<std::string>(65534, "x")) ==
        "vocabulary: 65537 symbols, at most 65536 are allowed");
  CHECK(error_of({"A", "a"}) == "no error");
}

TEST_CASE("A vocabulary comes back from its JSON") {
  const Vocabulary vocabulary = vocabulary_of({"i", "love", "爱", "\"", "\\", "é"});
  const std::string json = vocabulary.to_json();
  CHECK(json == R"(["<pad>","<bos>","<eos>","i","love","爱","\"","\\","é"])");
  const auto again = Vocabulary::from_json(json);
  REQUIRE(again.ok());
  CHECK(again.value() == vocabulary);
  CHECK(again.value().find("爱") == 5);
  REQUIRE(Vocabulary::from_json(Vocabulary().to_json()).ok());
}

TEST_CASE("JSON that is no vocabulary says what is wrong") {
  CHECK(json_error_of("") == "vocabulary: byte 0: expected '['");
  CHECK(json_error_of("{}") == "vocabulary: byte 0: expected '['");
  CHECK(json_error_of("[]") == "vocabulary: symbol 0 must be '<pad>'");
  CHECK(json_error_of(R"(["<pad>","<eos>"])") == "vocabulary: symbol 1 must be '<bos>', not '<eos>'");
  CHECK(json_error_of(R"(["<pad>","<bos>","<eos>",7])") == "vocabulary: byte 25: expected a string");
  CHECK(json_error_of(R"(["<pad>","<bos>","<eos>")") == "vocabulary: byte 24: expected ']'");
  CHECK(json_error_of(R"(["<pad>","<bos>","<eos>"] x)").find("text after the end") != std::string::npos);
  CHECK(json_error_of(R"(["<pad>","<bos>","<eos>","a","a"])") ==
        "vocabulary: symbol 4, 'a', is there already as symbol 3");
}

TEST_CASE("The distance of two words counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("cat", "cat") == 0);
  CHECK(edit_distance("", "cat") == 3);
  CHECK(edit_distance("cat", "") == 3);
  CHECK(edit_distance("cat", "cats") == 1);
  CHECK(edit_distance("cat", "cut") == 1);
  CHECK(edit_distance("cat", "act") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);   // no character is changed twice
  CHECK(edit_distance("学习", "学") == 1);  // characters, not bytes
  CHECK(edit_distance("学习", "习学") == 1);
}

TEST_CASE("The nearest words come by distance, then by number, and no special among them") {
  const Vocabulary vocabulary = vocabulary_of({"dog", "dogs", "Cat", "cut", "car", "pad"});
  CHECK(nearest(vocabulary, "cta", 2) == Words{"Cat", "cut"});
  CHECK(nearest(vocabulary, "CAT", 1) == Words{"Cat"});
  CHECK(nearest(vocabulary, "cot", 3) == Words{"Cat", "cut", "dog"});
  CHECK(nearest(vocabulary, "<pad>", 1) == Words{"pad"});
  CHECK(nearest(vocabulary, "x", 99).size() == 6);
  CHECK(nearest(vocabulary, "x", 0).empty());
  CHECK(nearest(Vocabulary(), "x", 3).empty());
}

TEST_CASE("Text is cut into characters, not into bytes") {
  CHECK(characters_of("我爱a").size() == 3);
  CHECK(characters_of("我爱a")[1] == "爱");
  CHECK(characters_of("").empty());
  CHECK(characters_of("\xFFz") == std::vector<std::string_view>{"\xFF", "z"});
}
