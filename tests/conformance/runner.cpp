#include "conformance/runner.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "conformance/errors.h"
#include "conformance/files.h"
#include "conformance/formats.h"
#include "conformance/json_tensor.h"
#include "conformance/report.h"

namespace attn::conformance {
namespace {

namespace fs = std::filesystem;

void append(std::vector<Case>& cases, std::vector<Case> more) {
  cases.insert(cases.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What a list of objects holds is told by the keys of its first element.
std::vector<Case> cases_of_list(const SourceFile& file, const Json& list) {
  const Json& first = list.front();
  if (first.contains("fact")) return torch_invariant_cases(file, list);
  if (first.contains("kind")) return literal_cases(file, list);
  if (first.contains("file") && first.contains("op")) return onnx_index_cases(file, list);
  malformed("a list of objects that are none of the known formats");
}

std::vector<Case> cases_of_json(const SourceFile& file) {
  const Json document = Json::parse(read_text(file.path));  // throws with line and column
  if (document.is_array() && !document.empty() && document.front().is_object())
    return cases_of_list(file, document);
  if (document.is_object() && document.contains("node_inputs")) return {onnx_case(file, document)};
  if (document.is_object() && document.contains("cases") && document.contains("weights"))
    return torch_module_cases(file, document);
  if (document.is_object() && document.contains("A_training")) return {};  // read beside the models
  malformed("none of the known formats");
}

std::vector<Case> cases_of_file(const SourceFile& file) {
  try {
    const std::string extension = file.path.extension().string();
    if (extension == ".json") return cases_of_json(file);
    if (extension == ".safetensors") return oracle_model_cases(file);
    return {};
  } catch (const std::exception& error) {
    return {failing_case(file, "unreadable", error.what())};
  }
}

std::vector<SourceFile> files_below(const fs::path& folder) {
  std::vector<SourceFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string below = entry.path().parent_path().lexically_relative(folder).generic_string();
    files.push_back({entry.path(), below == "." ? folder.filename().string() : below});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string default_folder() {
  const char* given = std::getenv("ATTN_CONFORMANCE_DIR");
  return given != nullptr ? given : ATTN_SOURCE_DIR "/../shared/conformance";
}

struct Options {
  std::string folder = default_folder();
  bool folder_given = false;
  bool list = false;
};

std::optional<Options> options_of(int argument_count, const char* const* arguments) {
  Options options;
  for (int i = 1; i < argument_count; ++i) {
    if (std::strcmp(arguments[i], "--list") == 0) {
      options.list = true;
    } else if (std::strcmp(arguments[i], "--dir") == 0 && i + 1 < argument_count) {
      options.folder = arguments[++i];
      options.folder_given = true;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int result_line(std::FILE* out, int passed, int failed, int skipped) {
  std::fprintf(out, "result: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed == 0 ? 0 : 1;
}

}  // namespace

std::vector<Case> find_cases(const fs::path& folder) {
  std::vector<Case> cases;
  for (const SourceFile& file : files_below(folder)) append(cases, cases_of_file(file));
  return cases;
}

int run_command(int argument_count, const char* const* arguments, std::FILE* out) {
  const std::optional<Options> options = options_of(argument_count, arguments);
  if (!options.has_value()) {
    std::fprintf(out, "usage: conformance [--dir DIR] [--list]\n");
    return 2;
  }
  std::error_code ignored;
  if (!fs::is_directory(options->folder, ignored)) {
    std::fprintf(out, "%s: there is no folder %s\n", options->folder_given ? "failed" : "skipped",
                 options->folder.c_str());
    return options->folder_given ? result_line(out, 0, 1, 0) : result_line(out, 0, 0, 1);
  }
  const std::vector<Case> cases = find_cases(fs::path(options->folder));
  if (options->list) {
    for (const Case& each : cases)
      std::fprintf(out, "%s/%s (%s)\n", each.folder.c_str(), each.name.c_str(), each.op.c_str());
    return 0;
  }
  std::fprintf(out, "conformance: %zu cases in %s\n", cases.size(), options->folder.c_str());
  if (cases.empty()) {
    std::fprintf(out, "failed: no case was found\n");
    return result_line(out, 0, 1, 0);
  }
  const Counts counts = run_and_report(cases, out);
  return result_line(out, counts.passed, counts.failed, counts.unsupported);
}

}  // namespace attn::conformance
