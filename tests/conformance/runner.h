// The conformance runner: walks a folder, finds every case in it and runs it. What a file is, is decided by
// its content, so new files of the same formats need no change of code:
//
//   JSON object with "node_inputs"               one ONNX operator case
//   JSON object with "weights" and "cases"       PyTorch modules with literal expectations
//   JSON list of objects with "fact"             facts PyTorch's tests assert without numbers
//   JSON list of objects with "kind"             operator cases (oracle) and literals of other projects
//   JSON list of objects with "file" and "op"    an index of ONNX cases: names what is not there
//   JSON object with "A_training"                summary of the oracle: settings of family A's training
//   .safetensors                                 oracle models: see oracle_models.h
//
// A .json or .safetensors file that is none of these, or can't be parsed, is a failed case under its name.
// Other files (README, generators) are left alone.
#pragma once

#include <cstdio>
#include <filesystem>
#include <vector>

#include "conformance/case.h"

namespace attn::conformance {

/// Every case below `folder`, in the order of the paths.
std::vector<Case> find_cases(const std::filesystem::path& folder);

/// The command: `conformance [--dir DIR] [--list]`. Without DIR it is $ATTN_CONFORMANCE_DIR, or else the
/// folder
/// ../shared/conformance beside the sources. Returns the exit code: 0 all passed (or listed, or the
/// default folder is missing, which is said and counted as skipped), 1 something failed, no case was found or
/// DIR is missing, 2 wrong arguments.
int run_command(int argument_count, const char* const* arguments, std::FILE* out = stdout);

}  // namespace attn::conformance
