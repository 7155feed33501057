#include "api/session_api.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/attached.h"
#include "api/command.h"
#include "api/tensor_table.h"
#include "core/bits.h"
#include "lessons/registry.h"
#include "support/catch.h"
#include "support/sample_lesson.h"

using attn::api::Code;
using attn::api::SessionHost;
using attn::test::Attached;
using attn::test::command;
using attn::test::state;
using nlohmann::json;

namespace {

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

constexpr const char* kWeights = "decoder.0.self_attention.weights";

}  // namespace

TEST_CASE("without a host every call says so and none traps") {
  attn::api::attach(nullptr);
  CHECK(command(R"({"do":"undo"})") == Code::not_ready);
  CHECK(attn_open("sample") == static_cast<int>(Code::not_ready));
  CHECK(std::string(attn_state_json()) == "null");
  CHECK(std::string(attn_last_error()) == "the playground has not started");
  CHECK(attn_revision() == 0);
  int shape[4], rank;
  CHECK(attn_tensor(kWeights, 0, shape, &rank) == nullptr);
}

TEST_CASE("the state has exactly the keys the page was promised") {
  Attached attached;
  const json all = state();
  CHECK(keys_of(all) == std::vector<std::string>{"announcement", "answer",   "answer_text", "brief",
                                                 "editable",     "edits",    "focus",       "formula_mathml",
                                                 "formula_text", "lang",     "lesson",      "paragraphs",
                                                 "parameters",   "revision", "sentence",    "step",
                                                 "steps",        "table",    "theme",       "title",
                                                 "try_it",       "verdict",  "waiting"});
  CHECK(keys_of(all["focus"]) == std::vector<std::string>{"column", "head", "row", "tensor"});
  CHECK(keys_of(all["table"]) == std::vector<std::string>{"caption", "columns", "rows"});
  CHECK(keys_of(all["verdict"]) ==
        std::vector<std::string>{"equal", "first_different", "largest_difference", "total", "ulp"});
  for (const json& parameter : all["parameters"])
    CHECK(keys_of(parameter) ==
          std::vector<std::string>{"choices", "kind", "max", "min", "name", "title", "value"});
}

TEST_CASE("the state says what the session has in the reader's language") {
  Attached attached;
  json all = state();
  CHECK(all["revision"] == attn_revision());
  CHECK(all["lesson"] == "sample");
  CHECK(all["lang"] == "en");
  CHECK(all["theme"] == "auto");
  CHECK(all["step"] == 0);
  CHECK(all["steps"] == 3);
  CHECK(all["title"] == "The future is hidden");
  CHECK(all["paragraphs"] == json::parse(R"([[{"text":"3","role":"strong"},{"text":" ","role":"plain"},
           {"text":"tensors","role":"plain","term":"tensor",
            "definition":"Numbers arranged in rows and columns, or along more axes."},
           {"text":".","role":"plain"}],
          [{"text":"Equal","role":"eq"}]])"));
  CHECK(all["brief"][0] == json::parse(R"({"text":"A ","role":"plain"})"));
  CHECK(all["brief"][1] == json::parse(R"({"text":"query","role":"q","topic":3,"term":"query",
           "definition":"The vector a word asks with: what it is looking for."})"));
  CHECK(all["brief"][2] == json::parse(R"({"text":" sees the past.","role":"plain"})"));
  CHECK(all["try_it"] == json::parse(R"([{"text":"Try it off.","role":"plain"}])"));
  CHECK(all["formula_mathml"] == "<mi>a</mi><mo>=</mo><mi>\"s\"</mi>");
  CHECK(all["parameters"][0] ==
        json::parse(R"({"name":"prefix","title":"Prefix","kind":"number","min":1,"max":4,
                                                "value":2,"choices":[]})"));
  CHECK(all["parameters"][3]["kind"] == "choice");
  CHECK(all["parameters"][3]["choices"][1] == json::parse(R"({"value":2,"title":"two"})"));
  CHECK(all["parameters"][4]["kind"] == "toggle");
  CHECK(all["focus"] ==
        json::parse(R"({"tensor":"decoder.0.self_attention.weights","head":1,"row":0,"column":0})"));
  CHECK(all["verdict"] ==
        json::parse(R"({"equal":3,"total":3,"first_different":null,"largest_difference":0,"ulp":0})"));
  CHECK(all["announcement"] == "Step 1 of 3: The future is hidden; 3 of 3 tensors are equal, 0 ULP.");

  REQUIRE(command(R"({"set":"lang","value":"zh"})") == Code::ok);
  REQUIRE(command(R"({"set":"theme","value":"dark"})") == Code::ok);
  all = state();
  CHECK(all["lang"] == "zh");
  CHECK(all["theme"] == "dark");
  CHECK(all["title"] == "遮住未来");
  CHECK(all["announcement"] == "第 1 步，共 3 步：遮住未来；3 个张量中 3 个相等，0 ULP。");
}

TEST_CASE("a term is explained where the text of a step has it first, in the reader's language") {
  Attached attached;
  REQUIRE(attn_open("self-attention") == static_cast<int>(Code::ok));
  for (const std::string language : {"zh", "en"}) {
    REQUIRE(command(R"({"set":"lang","value":")" + language + "\"}") == Code::ok);
    for (int step = 0; step < attached.host.session.step_count(); ++step) {
      REQUIRE(command(R"({"set":"step","value":)" + std::to_string(step) + "}") == Code::ok);
      const json all = state();
      std::vector<std::string> names;
      std::vector<json> lines = all["paragraphs"];
      lines.push_back(all["try_it"]);
      for (const json& line : lines)
        for (const json& run : line)
          if (run.contains("term")) names.push_back(run["term"]);
      CAPTURE(language, step, names);
      std::sort(names.begin(), names.end());
      CHECK(std::unique(names.begin(), names.end()) == names.end());
      const std::string query = language == "zh" ? "查询 query" : "query";
      if (step == 1) CHECK(std::find(names.begin(), names.end(), query) != names.end());
    }
  }
}

TEST_CASE("the verdict tells the largest difference with the distance at that same cell") {
  Attached attached;
  REQUIRE(command(R"({"set":"step","value":1})") == Code::ok);  // the training pass without its mask
  REQUIRE(command(R"({"set":"parameter","name":"prefix","value":2})") == Code::ok);
  const json verdict = state()["verdict"];
  CHECK(verdict["equal"] == 1);
  CHECK(verdict["total"] == 3);
  CHECK(verdict["first_different"] == kWeights);
  // Row 0 sees one key in one pass and four in the other: 1 against 0.25.
  CHECK(verdict["largest_difference"] == 0.75);
  CHECK(verdict["ulp"] == attn::core::ulp_distance(1.0f, 0.25f));
  CHECK(state()["announcement"] ==
        "Step 2 of 3: Nothing hidden; 1 of 3 tensors are equal, the largest difference is 7.5e−1, 16,777,216 "
        "ULP. Not yet.");
}

TEST_CASE("the state says how far the question of a step is answered, in words too") {
  Attached attached;
  const auto answer = [] {
    const json all = state();
    const std::string announced = all["announcement"];
    const std::string text = all["answer_text"];
    CHECK(announced.find(text) != std::string::npos);
    return std::string(all["answer"]) + ": " + text;
  };
  CHECK(answer() == "none: ");
  REQUIRE(command(R"({"set":"step","value":1})") == Code::ok);
  CHECK(answer() == "open: To answer");
  REQUIRE(command(R"({"set":"parameter","name":"prefix","value":2})") == Code::ok);
  CHECK(answer() == "wrong: Not yet");
  REQUIRE(command(R"({"set":"lang","value":"zh"})") == Code::ok);
  CHECK(answer() == "wrong: 再试试");
  REQUIRE(command(R"({"set":"parameter","name":"mask","value":1})") == Code::ok);
  CHECK(answer() == "right: 答对了");
  CHECK(state()["announcement"] == "第 2 步，共 3 步：不遮；3 个张量中 3 个相等，0 ULP。答对了。");
}

TEST_CASE("an announced title that asks ends in one mark") {
  Attached attached;
  REQUIRE(attn_open("self-attention") == static_cast<int>(Code::ok));
  REQUIRE(command(R"({"set":"step","value":9})") == Code::ok);
  CHECK(state()["announcement"] == "Step 10 of 10: Question: what decides the output's width? To answer.");
  REQUIRE(command(R"({"set":"lang","value":"zh"})") == Code::ok);
  CHECK(state()["announcement"] == "第 10 步，共 10 步：问题：谁决定输出的宽度？待回答。");
}

TEST_CASE("the table has tokens at its edges, words for masked cells and numbers for the rest") {
  Attached attached;
  json table = state()["table"];
  CHECK(table["caption"] ==
        "decoder layer 1 · self-attention · weights, Training, head 2 of 2; rows: target positions, "
        "columns: target positions");
  CHECK(table["columns"] == json::parse(R"j(["0: 5","1: 4","2: 3","3: 2"])j"));
  CHECK(table["rows"][2] == json::parse(R"j({"head":"2: 3","cells":["0.333333","0.333333","0.333333","masked"]
})j"));
  REQUIRE(command(R"({"set":"lang","value":"zh"})") == Code::ok);
  table = state()["table"];
  CHECK(table["caption"] ==
        "解码器第 1 层 · 自注意力 · weights，训练，第 2 头，共 2 头；行：目标位置，列：目标位置");
  CHECK(table["rows"][0]["cells"] == json::parse(R"(["1","已掩码","已掩码","已掩码"])"));
  REQUIRE(command(R"({"set":"focus","value":{"tensor":"decoder.embedding"}})") == Code::ok);
  table = state()["table"];
  CHECK(table["columns"] == json::parse(R"(["0","1","2"])"));
  CHECK(table["rows"][0] == json::parse(R"({"head":"0: 5","cells":["−1.5","−1.25","−1"]})"));
  REQUIRE(command(R"({"set":"focus","value":{"tensor":"decoder.tokens"}})") == Code::ok);
  CHECK(state()["table"]["rows"][3] == json::parse(R"({"head":"3: 2","cells":["2"]})"));
}

TEST_CASE("revisions grow with the session and the preferences and with nothing else") {
  Attached attached;
  unsigned last = attn_revision();
  const auto grew = [&] {
    const unsigned now = attn_revision();
    const bool result = now > last;
    last = now;
    return result;
  };
  state();
  CHECK_FALSE(grew());
  command(R"({"set":"lang","value":"en"})");
  CHECK_FALSE(grew());
  command(R"({"set":"lang","value":"zh"})");
  CHECK(grew());
  attached.host.preferences.theme = attn::lessons::Theme::light;  // as the UI does
  CHECK(grew());
  attached.host.session.step_by(1);
  CHECK(grew());
  command(R"({"set":"step","value":9})");
  CHECK_FALSE(grew());
}

TEST_CASE("errors are told once and forgotten when the next call works") {
  Attached attached;
  CHECK(std::string(attn_last_error()) == "");
  CHECK(command("{") == Code::malformed);
  CHECK(std::string(attn_last_error()) == "command: byte 1: expected a string");
  CHECK(command(R"({"set":"step","value":9})") == Code::refused);
  CHECK(std::string(attn_last_error()) == "this lesson has steps 1 to 3, not 10");
  CHECK(command(R"({"set":"step","value":1})") == Code::ok);
  CHECK(std::string(attn_last_error()) == "");
  CHECK(attn_command(nullptr) == static_cast<int>(Code::malformed));
  CHECK(command(std::string(5000, ' ')) == Code::malformed);
}

TEST_CASE("a lesson that isn't there leaves the open one alone") {
  Attached attached;
  const unsigned revision = attn_revision();
  CHECK(attn_open("no-such-lesson") == static_cast<int>(Code::refused));
  CHECK(std::string(attn_last_error()) == "no lesson 'no-such-lesson'");
  CHECK(attn_open(nullptr) == static_cast<int>(Code::malformed));
  CHECK(attn_open(std::string(300, 'a').c_str()) == static_cast<int>(Code::malformed));
  CHECK(attn_open("\xFF") == static_cast<int>(Code::refused));
  CHECK(std::string(attn_last_error()) == "no lesson '\uFFFD'");
  CHECK(attn_revision() == revision);
  CHECK(state()["lesson"] == "sample");
}

TEST_CASE("every lesson of the registry opens, says its state in both languages and can be opened again") {
  Attached attached;
  for (const attn::lessons::Lesson* lesson : attn::lessons::all_lessons()) {
    const unsigned before = attn_revision();
    REQUIRE(attn_open(lesson->slug) == static_cast<int>(Code::ok));
    if (attached.host.session.awaits_translator())
      REQUIRE(attn::test::provide(attn::test::translator_file()) == Code::ok);
    CHECK(attn_revision() > before);
    const unsigned opened = attn_revision();
    CHECK(attn_open(lesson->slug) == static_cast<int>(Code::ok));
    CHECK(attn_revision() == opened);  // already at its start
    for (int step = 0; step < attached.host.session.step_count(); ++step) {
      for (const char* language : {"zh", "en"}) {
        REQUIRE(command(R"({"set":"step","value":)" + std::to_string(step) + "}") == Code::ok);
        REQUIRE(command(R"({"set":"lang","value":")" + std::string(language) + "\"}") == Code::ok);
        const json all = state();
        CHECK(all["lesson"] == lesson->slug);
        CHECK(all["step"] == step);
        CHECK(all["title"] == attached.host.session.step().title.in(attached.host.preferences.language));
        CHECK_FALSE(all["table"]["rows"].empty());
        const attn::lessons::Run& run = attached.host.session.run();
        if (run.twin)
          CHECK(all["verdict"]["total"] == run.twin->differences.size());
        else
          CHECK(all["verdict"].is_null());
      }
    }
    REQUIRE(attn_open(lesson->slug) == static_cast<int>(Code::ok));
    CHECK(state()["step"] == 0);
  }
}

TEST_CASE("a tensor is handed out with its shape") {
  Attached attached;
  int shape[4] = {9, 9, 9, 9};
  int rank = 9;
  const float* values = attn_tensor(kWeights, 0, shape, &rank);
  REQUIRE(values != nullptr);
  CHECK(rank == 3);
  CHECK(std::vector<int>(shape, shape + 4) == std::vector<int>{2, 4, 4, 0});
  CHECK(values[5] == 0.5f);
  values = attn_tensor("decoder.tokens", 1, shape, &rank);
  REQUIRE(values != nullptr);
  CHECK(std::vector<int>(shape, shape + 4) == std::vector<int>{2, 0, 0, 0});
  CHECK(values[0] == 5.0f);
}

TEST_CASE("a tensor that isn't there is NULL and writes nothing") {
  Attached attached;
  int shape[4] = {9, 9, 9, 9};
  int rank = 9;
  CHECK(attn_tensor("decoder.7.self_attention.weights", 0, shape, &rank) == nullptr);
  CHECK(std::string(attn_last_error()) == "tensor: this pass has no 'decoder.7.self_attention.weights'");
  CHECK(attn_tensor("nonsense", 0, shape, &rank) == nullptr);
  CHECK(attn_tensor("decoder.unnamed", 0, shape, &rank) == nullptr);
  CHECK(attn_tensor(kWeights, 2, shape, &rank) == nullptr);
  CHECK(attn_tensor(kWeights, -1, shape, &rank) == nullptr);
  CHECK(attn_tensor(nullptr, 0, shape, &rank) == nullptr);
  CHECK(attn_tensor(kWeights, 0, nullptr, &rank) == nullptr);
  CHECK(attn_tensor(kWeights, 0, shape, nullptr) == nullptr);
  CHECK(attn_tensor(kWeights, 0, reinterpret_cast<int*>(reinterpret_cast<char*>(shape) + 1), &rank) ==
        nullptr);
  CHECK(std::vector<int>(shape, shape + 4) == std::vector<int>{9, 9, 9, 9});
  CHECK(rank == 9);
}

#ifdef __wasm__  // elsewhere only the system knows where memory ends
TEST_CASE("pointers at and beyond the end of memory are refused") {
  Attached attached;
  const std::size_t end = std::size_t{__builtin_wasm_memory_size(0)} * 65536;
  int shape[4], rank;
  for (const std::size_t address : {end, end - 1, end - 8, std::size_t{0xFFFFFFFC}}) {
    CAPTURE(address);
    const auto* text = reinterpret_cast<const char*>(address);
    const std::string before = address < end ? std::string(text, end - address) : std::string();
    std::fill_n(const_cast<char*>(text), before.size(), 'x');  // no NUL up to the end
    CHECK(attn_open(text) == static_cast<int>(Code::malformed));
    CHECK(attn_command(text) == static_cast<int>(Code::malformed));
    CHECK(attn_tensor(text, 0, shape, &rank) == nullptr);
    CHECK(attn_tensor(kWeights, 0, reinterpret_cast<int*>(address), &rank) == nullptr);
    std::copy(before.begin(), before.end(), const_cast<char*>(text));
  }
  CHECK(attn_tensor(kWeights, 0, shape, reinterpret_cast<int*>(end)) == nullptr);
}
#endif

TEST_CASE("mutated commands never crash, and what is refused changes nothing") {
  Attached attached;
  const std::vector<std::string> seeds{
      R"({"set":"parameter","name":"length","value":3})",
      R"({"set":"focus","value":{"tensor":"decoder.0.self_attention.weights","head":1,"row":2,"column":0}})",
      R"({"set":"step","value":1})",
      R"({"set":"lang","value":"zh"})",
      R"({"do":"step_forward"})",
      R"({"do":"undo"})"};
  std::uint32_t random = 12345;
  const auto below = [&](std::size_t limit) {
    random = random * 1664525u + 1013904223u;
    return static_cast<std::size_t>(random >> 8) % limit;
  };
  const std::string_view marks = "{}[]\",:\\0123456789-tfun.e \n\x7F\xC3\xFF";
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t edits = below(3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = marks[below(marks.size())];
          break;
        case 1:
          text.erase(at, 1 + below(3));
          break;
        case 2:
          text.insert(at, 1, marks[below(marks.size())]);
          break;
        default:
          text.insert(at, seeds[below(seeds.size())].substr(below(10)));
      }
    }
    const unsigned revision = attn_revision();
    const Code code = command(text);
    (code == Code::ok ? accepted : refused) += 1;
    if (code != Code::ok && (attn_revision() != revision || *attn_last_error() == '\0')) FAIL(text);
    if (round % 50 == 0) REQUIRE(state()["lesson"] == "sample");
  }
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}
