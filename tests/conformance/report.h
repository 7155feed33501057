// Runs cases and prints the table: per folder and operator passed, failed, unsupported, and the worst error
// as a share of what was allowed there; then every case that failed or is unsupported, by name.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "conformance/case.h"

namespace attn::conformance {

enum class Verdict { passed, failed, unsupported };

struct CaseResult {
  Verdict verdict = Verdict::failed;
  std::string message;       // why it failed or isn't supported; a remark when it passed
  double worst_ratio = 0.0;  // meaningful when passed
  std::string worst;         // where that is
};

/// Runs one case; nothing it throws escapes. A case that compares nothing fails.
CaseResult run_case(const Case& each);

struct Counts {
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
};

/// Runs all cases in order and prints the report.
Counts run_and_report(std::span<const Case> cases, std::FILE* out);

}  // namespace attn::conformance
