// The runner itself: it must be able to fail, say what failed, and leave nothing out.
#include "conformance/runner.h"

#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "conformance/files.h"
#include "support/catch.h"
#include "support/fixtures.h"

namespace {

namespace fs = std::filesystem;
using attn::conformance::run_command;

/// A folder that is gone after the test.
class ScratchFolder {
 public:
  ScratchFolder() : path_(fs::temp_directory_path() / "attn_conformance_test") {
    fs::remove_all(path_);
    fs::create_directories(path_ / "onnx");
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::FILE* file = std::fopen((path_ / name).string().c_str(), "wb");
    REQUIRE(file != nullptr);
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

struct Run {
  int exit_code;
  std::string text;

  bool says(std::string_view words) const { return text.find(words) != std::string::npos; }
};

Run run(std::initializer_list<const char*> arguments) {
  std::vector<const char*> all = {"conformance"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::FILE* out = std::tmpfile();
  REQUIRE(out != nullptr);
  const int code = run_command(static_cast<int>(all.size()), all.data(), out);
  std::rewind(out);
  std::string text;
  for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) text += static_cast<char>(c);
  std::fclose(out);
  return {code, text};
}

Run run_on(const ScratchFolder& folder) { return run({"--dir", folder.path().c_str()}); }

/// A case in ONNX's format, every part of which a test can replace.
struct OnnxText {
  std::string op = "Softmax";
  std::string attributes = "{}";
  std::string shape = "[1,2]";
  std::string input = "[0.0,0.0]";
  std::string expected = "[0.5,0.5]";
  std::string outputs = R"(["y"])";

  std::string text() const {
    return R"({"name":"half_and_half","op":")" + op + R"(","opset":23,"attrs":)" + attributes +
           R"(,"node_inputs":["x"],"node_outputs":)" + outputs +
           R"(,"tolerance":{"rtol":0.001,"atol":1e-7},"suggested_tolerance":{"rtol":1e-5,"atol":1e-6},)" +
           R"("inputs":[{"name":"x","dtype":"float32","shape":)" + shape + R"(,"data":)" + input +
           R"(}],"outputs":[{"name":"y","dtype":"float32","shape":)" + shape + R"(,"data":)" + expected +
           "}]}";
  }
};

}  // namespace

TEST_CASE("A folder whose cases hold passes, and the table names folder and operator") {
  const ScratchFolder folder;
  folder.write("onnx/half_and_half.json", OnnxText{}.text());
  folder.write("onnx/README.md", "prose is left alone");
  const Run good = run_on(folder);
  INFO(good.text);
  CHECK(good.exit_code == 0);
  CHECK(good.says("result: 1 passed, 0 failed, 0 skipped"));
  CHECK(good.says("onnx"));
  CHECK(good.says("Softmax"));
}

TEST_CASE("A corrupted case fails, by name and with the reason") {
  const auto [text, reason] = GENERATE(table<std::string, std::string>({
      {OnnxText{.expected = "[0.5,0.50002]"}.text(), "y: 2e-05 at (0, 1): 0.5 for 0.50002"},
      {OnnxText{.expected = "[0.5,\"nan\"]"}.text(), "for nan"},
      {OnnxText{.expected = "[0.5,\"inf\"]"}.text(), "for inf"},
      {OnnxText{.expected = "[0.5]"}.text(), "1 values for shape (1, 2)"},
      {OnnxText{.expected = "[0.5,true,0.5]"}.text(), "3 values for shape (1, 2)"},
      {OnnxText{.input = "[0.0,\"zero\"]"}.text(), "is not a number"},
      {OnnxText{.shape = "[1,-2]"}.text(), "is not an extent"},
      {OnnxText{.shape = "[2]", .expected = "[0.5,0.5,0.5]"}.text(), "3 values for shape (2)"},
      {OnnxText{.op = "Softmin"}.text(), "no adapter for the operator Softmin"},
      {OnnxText{.attributes = R"({"axes":1})"}.text(), "attribute 'axes' of Softmax is not known"},
      {OnnxText{.attributes = R"({"axis":2})"}.text(), "axis 2 of a tensor with 2 axes"},
      {OnnxText{.attributes = R"({"axis":"last"})"}.text(), "is not an int"},
      {OnnxText{.outputs = R"(["y","z"])"}.text(), "output 1 ('z') of Softmax is not computed"},
      {OnnxText{.outputs = R"([""])"}.text(), "nothing was compared"},
  }));
  const ScratchFolder folder;
  folder.write("onnx/half_and_half.json", text);
  const Run bad = run_on(folder);
  INFO(text);
  INFO(bad.text);
  CHECK(bad.exit_code == 1);
  CHECK(bad.says("failed: onnx/half_and_half"));
  CHECK(bad.says(reason));
  CHECK(bad.says("result: 0 passed, 1 failed, 0 skipped"));
}

TEST_CASE("A file that can't be read as one of the formats fails under its own name") {
  const auto [name, text] = GENERATE(table<std::string, std::string>({
      {"broken.json", OnnxText{}.text().substr(0, 60)},
      {"empty.json", ""},
      {"number.json", "17"},
      {"other.json", R"({"op":"Softmax"})"},
      {"list.json", R"([{"op":"Softmax"}])"},
      {"facts.json", R"([{"fact":"water is wet"}])"},
      {"weights.safetensors", "not a header"},
  }));
  const ScratchFolder folder;
  folder.write("onnx/half_and_half.json", OnnxText{}.text());
  folder.write(name, text);
  const Run bad = run_on(folder);
  INFO(bad.text);
  CHECK(bad.exit_code == 1);
  CHECK(bad.says(name));
  CHECK(bad.says("result: 1 passed, 1 failed, 0 skipped"));
}

TEST_CASE("Literals of other projects fail by name when a number, kind, parameter or expectation is wrong") {
  const auto [text, reason] = GENERATE(table<std::string, std::string>({
      {R"({"id":"a","kind":"relu","params":{},"inputs":{"x":[1,-1]},"expected":{"y":[1,0.5]}})", "0 for 0.5"},
      {R"({"id":"a","kind":"rule","params":{},"inputs":{"x":[1]},"expected":{"y":[1]}})",
       "no adapter for the kind"},
      {R"({"id":"a","kind":"relu","params":{"p":1},"inputs":{"x":[1]},"expected":{"y":[1]}})",
       "parameter 'p'"},
      {R"({"id":"a","kind":"relu","params":{},"inputs":{"x":[1],"w":[1]},"expected":{"y":[1]}})",
       "input 'w'"},
      {R"({"id":"a","kind":"relu","params":{},"inputs":{"x":[1]},"expected":{"z":[1]}})", "expectation 'z'"},
      {R"({"id":"a","kind":"relu","params":{},"inputs":{"x":[[1],[1,2]]},"expected":{"y":[1]}})",
       "different length"},
  }));
  const ScratchFolder folder;
  folder.write("literals.json", "[" + text + "]");
  const Run bad = run_on(folder);
  INFO(bad.text);
  CHECK(bad.exit_code == 1);
  CHECK(bad.says("/a ("));
  CHECK(bad.says(reason));
}

TEST_CASE("A folder that is missing or empty is never a pass") {
  const ScratchFolder folder;
  const Run empty = run_on(folder);
  CHECK(empty.exit_code == 1);
  CHECK(empty.says("no case was found"));
  const Run missing = run({"--dir", (folder.path() + "/nowhere").c_str()});
  CHECK(missing.exit_code == 1);
  CHECK(missing.says("there is no folder"));
  CHECK(missing.says("result: 0 passed, 1 failed, 0 skipped"));
}

TEST_CASE("The command lists cases without running them and refuses other arguments") {
  const ScratchFolder folder;
  folder.write("onnx/half_and_half.json", OnnxText{.expected = "[1,0]"}.text());
  const Run list = run({"--list", "--dir", folder.path().c_str()});
  CHECK(list.exit_code == 0);
  CHECK(list.text == "onnx/half_and_half (Softmax)\n");
  CHECK(run({"--everything"}).exit_code == 2);
  CHECK(run({"--dir"}).exit_code == 2);
}
