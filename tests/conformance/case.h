// One case of the conformance data: where it comes from and how to run it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "conformance/judge.h"

namespace attn::conformance {

struct Case {
  std::string folder;  // of the report: "onnx/attention"
  std::string op;      // "Attention", "TransformerDecoder", "cross_entropy", …
  std::string name;    // "attention_3d_causal"
  /// Computes and compares. Throws Malformed or Unsupported.
  std::function<void(Judge&)> run;
};

/// A file of the folder, and what became of it.
struct SourceFile {
  std::filesystem::path path;
  std::string folder;  // of the report: the path of its folder from the one that was asked for
};

/// A case that fails with this message: what a file that can't be read becomes.
Case failing_case(const SourceFile& file, std::string op, std::string message);

}  // namespace attn::conformance
