#include "api/command.h"

#include "support/catch.h"
#include "support/sample_lesson.h"

using namespace attn::api;
using attn::lessons::Language;
using attn::lessons::Theme;

namespace {

std::string refusal(std::string_view json) {
  const attn::core::Result<Command> command = parse_command(json);
  return command.ok() ? std::string() : command.error();
}

SessionHost sample_host() {
  SessionHost host{attn::lessons::Session::open(attn::test::sample_lesson()).value()};
  return host;
}

// Reads and carries out; the message of what failed, "" when nothing did.
std::string carry_out_text(SessionHost& host, std::string_view json) {
  const attn::core::Result<Command> command = parse_command(json);
  if (!command.ok()) return command.error();
  const attn::core::Status status = carry_out(host, command.value());
  return status.ok() ? std::string() : status.error();
}

}  // namespace

TEST_CASE("commands are read in any order and with any white space") {
  const Command command =
      parse_command(" {\t\"value\" : -3 ,\n \"name\":\"see\\u0064\", \"set\":\"parameter\" } ").value();
  CHECK(command.set == "parameter");
  CHECK(command.name == "seed");
  CHECK(command.number == -3);
  CHECK_FALSE(command.verb);
  CHECK(parse_command(R"({"set":"lang","value":"zh"})").value().text == "zh");
  CHECK(parse_command(R"({"set":"x","value":true})").value().truth == true);
  CHECK(parse_command(R"({"set":"x","value":false})").value().truth == false);
  CHECK(parse_command(R"({"do":"undo"})").value().verb == "undo");
  const FocusRequest focus =
      *parse_command(R"({"set":"focus","value":{"column":2,"tensor":"decoder.output","row":1}})")
           .value()
           .focus;
  CHECK(focus.tensor == "decoder.output");
  CHECK(focus.head == 0);
  CHECK(focus.row == 1);
  CHECK(focus.column == 2);
}

TEST_CASE("what isn't a command is refused with the byte where it goes wrong") {
  struct Bad {
    const char* json;
    const char* says;
  };
  const Bad bad[] = {
      {"", "byte 0: expected '{'"},
      {"null", "expected '{'"},
      {"[]", "expected '{'"},
      {"{", "expected a string"},
      {"{}", "either a key 'set' or a key 'do'"},
      {"{}{}", "after the end"},
      {R"({"do":"undo"} x)", "after the end"},
      {R"({"do":"undo",})", "expected a string"},
      {R"({"do" "undo"})", "expected ':'"},
      {R"({"do":undo})", "expected a string"},
      {R"({"do":"undo)", "without its closing quote"},
      {R"({"do":"undo","set":"lang"})", "either a key 'set' or a key 'do'"},
      {R"({"do":"undo","do":"undo"})", "given before"},
      {R"({"name":"seed","value":1})", "either a key 'set' or a key 'do'"},
      {R"({"set":"step","value":1,"value":2})", "given before"},
      {R"({"set":"step","value":true,"value":"x"})", "given before"},
      {R"({"set":"step","vale":1})", "nothing else"},
      {R"({"set":"step","value":1.5})", "fraction"},
      {R"({"set":"step","value":1e3})", "exponent"},
      {R"({"set":"step","value":01})", "leading zero"},
      {R"({"set":"step","value":- 1})", "minus sign"},
      {R"({"set":"step","value":+1})", "expected a non-negative integer"},
      {R"({"set":"step","value":NaN})", "expected a non-negative integer"},
      {R"({"set":"step","value":null})", "expected a non-negative integer"},
      {R"({"set":"step","value":[1]})", "expected a non-negative integer"},
      {R"({"set":"step","value":99999999999999999999})", "above 2^53"},
      {R"({"set":"step","value":tru})", "expected a value"},
      {R"({"set":"step","value":truely})", "expected '}'"},
      {R"({"set":"lang","value":"\x"})", "unknown escape"},
      {R"({"set":"lang","value":"\ud800"})", "surrogate"},
      {"{\"set\":\"lang\",\"value\":\"\xFF\"}", "not UTF-8"},
      {"{\"set\":\"lang\",\"value\":\"a\nb\"}", "control character"},
      {R"({"set":"focus","value":{}})", "without a tensor"},
      {R"({"set":"focus","value":{"row":1}})", "without a tensor"},
      {R"({"set":"focus","value":{"tensor":"a","tensor":"b"}})", "given before"},
      {R"({"set":"focus","value":{"tensor":"a","row":1,"row":1}})", "given before"},
      {R"({"set":"focus","value":{"tensor":"a","depth":1}})", "nothing else"},
      {R"({"set":"focus","value":{"tensor":{"tensor":"a"}}})", "expected a string"},
      {R"({"set":"focus","value":{"tensor":"a","row":"1"}})", "expected a non-negative integer"},
  };
  for (const Bad& each : bad) {
    CAPTURE(each.json, refusal(each.json));
    CHECK(refusal(each.json).find(each.says) != std::string::npos);
  }
  CHECK(refusal(std::string(kCommandLimit + 1, ' ')) == "command: 4097 bytes, at most 4096 are read");
  CHECK_FALSE(refusal(std::string(kCommandLimit, '{')).empty());
}

TEST_CASE("commands reach the session and the preferences") {
  SessionHost host = sample_host();
  CHECK(carry_out_text(host, R"({"set":"lang","value":"zh"})") == "");
  CHECK(host.preferences.language == Language::zh);
  CHECK(carry_out_text(host, R"({"set":"theme","value":"dark"})") == "");
  CHECK(host.preferences.theme == Theme::dark);
  CHECK(carry_out_text(host, R"({"set":"one_lesson","value":true})") == "");
  CHECK(host.preferences.one_lesson);
  CHECK_FALSE(host.preferences.reduced_motion);
  CHECK(carry_out_text(host, R"({"set":"reduced_motion","value":true})") == "");
  CHECK(host.preferences.reduced_motion);
  CHECK(carry_out_text(host, R"({"set":"step","value":2})") == "");
  CHECK(host.session.step_index() == 2);
  CHECK(carry_out_text(host, R"({"set":"parameter","name":"length","value":3})") == "");
  CHECK(carry_out_text(host, R"({"set":"parameter","name":"mask","value":false})") == "");
  CHECK(host.session.value_of("length") == 3);
  CHECK(host.session.value_of("mask") == 0);
  CHECK(carry_out_text(host, R"({"do":"undo"})") == "");
  CHECK(host.session.value_of("mask") == 1);
  CHECK(carry_out_text(host, R"({"do":"redo"})") == "");
  CHECK(host.session.value_of("mask") == 0);
  CHECK(
      carry_out_text(
          host,
          R"({"set":"focus","value":{"tensor":"decoder.1.self_attention.weights","head":1,"row":2,"column":0}})") ==
      "");
  CHECK(host.session.focus() ==
        attn::lessons::Focus{attn::test::sample_label(attn::tape::Site::weights, 1), 1, 2, 0});
  CHECK(carry_out_text(host, R"({"do":"clear_cell"})") == "");
  CHECK_FALSE(host.session.focus().has_cell());
  CHECK(carry_out_text(host, R"({"do":"step_forward"})") == "");  // already at the last step
  CHECK(carry_out_text(host, R"({"do":"step_back"})") == "");
  CHECK(host.session.step_index() == 1);
  CHECK(carry_out_text(host, R"({"do":"reset"})") == "");
  CHECK(host.session.step_index() == 0);
}

TEST_CASE("a command that asks for what isn't there changes nothing") {
  SessionHost host = sample_host();
  const std::uint32_t revision = current_revision(host);
  for (const char* json : {
           R"({"set":"lang","value":"fr"})",
           R"({"set":"lang","value":1})",
           R"({"set":"lang"})",
           R"({"set":"theme","value":"automatic"})",
           R"({"set":"reduced_motion","value":1})",
           R"({"set":"step","value":3})",
           R"({"set":"step","value":-1})",
           R"({"set":"step","value":4294967296})",
           R"({"set":"step","value":"1"})",
           R"({"set":"step"})",
           R"({"set":"step","name":"length","value":1})",
           R"({"set":"parameter","value":1})",
           R"({"set":"parameter","name":"width","value":1})",
           R"({"set":"parameter","name":"length","value":7})",
           R"({"set":"parameter","name":"length","value":4294967298})",
           R"({"set":"parameter","name":"length","value":"3"})",
           R"({"set":"parameter","name":"length"})",
           R"({"set":"parameter","name":"trouble","value":2})",
           R"({"set":"focus","value":"decoder.0.self_attention.weights"})",
           R"({"set":"focus","value":{"tensor":"weights"}})",
           R"({"set":"focus","value":{"tensor":"decoder.unnamed"}})",
           R"({"set":"focus","value":{"tensor":"decoder.9.self_attention.weights"}})",
           R"({"set":"focus","value":{"tensor":"decoder.0.self_attention.weights","head":2}})",
           R"({"set":"focus","value":{"tensor":"decoder.0.self_attention.weights","row":4294967296}})",
           R"({"set":"zoom","value":2})",
           R"({"do":"explode"})",
           R"({"do":"undo","value":1})",
           R"({"do":"undo","name":"length"})",
       }) {
    CAPTURE(json);
    CHECK(carry_out_text(host, json) != "");
    CHECK(current_revision(host) == revision);
  }
  CHECK(carry_out_text(host, R"({"do":"explode"})") == "command: nobody knows how to do 'explode'");
  CHECK(carry_out_text(host, R"({"set":"lang","value":"fr"})") ==
        "command set 'lang': the value must be \"zh\" or \"en\"");
}

TEST_CASE("verbs of the view go to the view") {
  SessionHost host = sample_host();
  std::string played;
  host.user = &played;
  host.view_command = [](void* user, std::string_view verb) {
    if (verb == "play") *static_cast<std::string*>(user) += verb;
    return verb == "play";
  };
  CHECK(carry_out_text(host, R"({"do":"play"})") == "");
  CHECK(played == "play");
  CHECK(carry_out_text(host, R"({"do":"dance"})") != "");
  CHECK(carry_out_text(host, R"({"do":"undo"})") == "");
  CHECK(played == "play");
}

TEST_CASE("a sentence is set as text, and refused with what is wrong with it") {
  SessionHost host{attn::lessons::Session::open("self-attention").value()};
  CHECK(carry_out_text(host, R"({"set":"sentence","value":"I like you"})").empty());
  CHECK(host.session.words() == std::vector<std::string>{"I", "like", "you"});
  CHECK(carry_out_text(host, R"({"set":"sentence","value":"alone"})") ==
        "this lesson takes 2 to 8 words, not 1");
  CHECK(carry_out_text(host, R"({"set":"sentence","value":3})") ==
        "command set 'sentence': the value must be a text");
  CHECK(carry_out_text(host, R"({"set":"sentence"})") == "command set 'sentence': the value must be a text");
  CHECK(host.session.words().size() == 3);
  CHECK(carry_out_text(host, R"({"set":"sentence","value":""})").empty());
  CHECK(host.session.words().size() == 4);
  SessionHost sample = sample_host();
  CHECK(carry_out_text(sample, R"({"set":"sentence","value":"I like you"})") ==
        "lesson 'sample' has no sentence to write");
}

TEST_CASE("a cell is set by the bits of its number") {
  SessionHost host{attn::lessons::Session::open("self-attention").value()};
  const auto set = [&](const char* value) {
    return carry_out_text(host, std::string(R"({"set":"cell","value":)") + value + "}");
  };
  const std::string cell = R"({"tensor":"encoder.embedding","row":2,"column":1,"bits":1056964608})";
  CHECK(set(cell.c_str()).empty());
  REQUIRE(host.session.edits().size() == 1);
  CHECK(host.session.edits()[0].value == 0.5f);
  CHECK(host.session.edits()[0].row == 2);
  CHECK(set(R"({"tensor":"encoder.embedding","row":2,"column":1,"bits":2143289344})") ==
        "edit: a cell of 'encoder.embedding' must lie in -1000..1000");
  CHECK(set(R"({"tensor":"encoder.embedding","row":2,"column":1})") ==
        "command set 'cell': the value must be an object with bits");
  CHECK(set(R"({"tensor":"encoder.embedding","bits":4294967296})") ==
        "command set 'cell': the value must be an object with 32 bits");
  CHECK(set(R"({"tensor":"encoder.0.self_attention.weights","row":0,"column":0,"bits":0})") ==
        "edit: the cells of 'encoder.0.self_attention.weights' are computed, not given");
  CHECK(carry_out_text(host, std::string(R"({"set":"focus","value":)") + cell + "}") ==
        "command set 'focus': the value must be an object without bits");
  host.session.undo();
  CHECK(host.session.edits().empty());
}
