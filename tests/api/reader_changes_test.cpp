// What the C interface tells of a reader's own sentence and cells, and of what was refused.
#include <tuple>

#include "api/attached.h"
#include "support/catch.h"

using attn::api::Code;
using attn::test::Attached;
using attn::test::command;
using attn::test::state;
using nlohmann::json;

TEST_CASE("the state has the sentence and what the reader may write in its place") {
  Attached attached;
  CHECK(state()["sentence"].is_null());
  REQUIRE(attn_open("self-attention") == static_cast<int>(Code::ok));
  REQUIRE(command(R"({"set":"sentence","value":"我爱你"})") == Code::ok);
  json sentence = state()["sentence"];
  const attn::lessons::RunText hint = attn::lessons::hint_of(attached.host.session.lesson().sentence);
  for (const auto& [language, name, text] :
       {std::tuple{"en", "Your sentence", hint.en}, {"zh", "你的句子", hint.zh}}) {
    command(std::string(R"({"set":"lang","value":")") + language + "\"}");
    sentence = state()["sentence"];
    CHECK(sentence["name"] == name);
    CHECK(sentence["hint"] == text);
    CHECK_FALSE(sentence["refused"] == "");
  }
  for (const char* key : {"name", "hint", "refused"}) sentence.erase(key);
  CHECK(sentence == json::parse(R"({"text":"我 爱 你","own":"I saw a saw","words":["我","爱","你"],
                                    "fewest":2,"most":8,"longest_word":12})"));
  CHECK(state()["table"]["rows"][2]["head"] == "2: 你");
}

TEST_CASE("a refusal is told in both languages, with what could be written instead") {
  Attached attached;
  REQUIRE(attn_open("self-attention") == static_cast<int>(Code::ok));
  CHECK(command(R"({"set":"sentence","value":"a b c d e f g h i"})") == Code::refused);
  CHECK(
      json::parse(attn_last_refusal()) ==
      json::parse(R"({"en":"this lesson takes 2 to 8 words, not 9","zh":"这一课要写 2 到 8 个词，这里有 9 个",
                        "suggestions":["a b c d e f g h"]})"));
  CHECK(command("{") == Code::malformed);
  CHECK(json::parse(attn_last_refusal())["zh"] == attn_last_error());
}

TEST_CASE("the state has the tensors that may be changed and the cells that are") {
  Attached attached;
  REQUIRE(attn_open("self-attention") == static_cast<int>(Code::ok));
  CHECK(state()["editable"][0] == "encoder.embedding");
  CHECK(state()["edits"] == json::array());
  REQUIRE(
      command(
          R"({"set":"cell","value":{"tensor":"encoder.embedding","row":1,"column":2,"bits":1036831949}})") ==
      Code::ok);
  CHECK(state()["edits"] ==
        json::parse(R"([{"tensor":"encoder.embedding","head":0,"row":1,"column":2,"value":0.100000001}])"));
}
