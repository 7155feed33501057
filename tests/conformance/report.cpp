#include "conformance/report.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <utility>

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

/// One line of the table.
struct Row {
  Counts counts;
  double worst_ratio = 0.0;
  std::string worst;
};

void add(Counts& counts, Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      ++counts.passed;
      break;
    case Verdict::failed:
      ++counts.failed;
      break;
    case Verdict::unsupported:
      ++counts.unsupported;
      break;
  }
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "remark";
    case Verdict::failed:
      return "failed";
    case Verdict::unsupported:
      return "unsupported";
  }
  return "";
}

void print_case(std::FILE* out, const Case& each, const CaseResult& result) {
  std::fprintf(out, "%s: %s/%s (%s): %s\n", name_of(result.verdict), each.folder.c_str(), each.name.c_str(),
               each.op.c_str(), result.message.c_str());
}

}  // namespace

Case failing_case(const SourceFile& file, std::string op, std::string message) {
  return {file.folder, std::move(op), file.path.filename().string(),
          [message = std::move(message)](Judge&) { throw Malformed(message); }};
}

CaseResult run_case(const Case& each) {
  Judge judge;
  try {
    each.run(judge);
  } catch (const Unsupported& reason) {
    return {Verdict::unsupported, reason.what(), 0.0, ""};
  } catch (const std::exception& error) {
    return {Verdict::failed, error.what(), 0.0, ""};
  }
  if (judge.compared() == 0) return {Verdict::failed, "nothing was compared", 0.0, ""};
  if (judge.worst_ratio() > 1.0) return {Verdict::failed, judge.worst(), 0.0, ""};
  return {Verdict::passed, judge.remark(), judge.worst_ratio(), judge.worst()};
}

Counts run_and_report(std::span<const Case> cases, std::FILE* out) {
  Counts total;
  std::map<std::pair<std::string, std::string>, Row> rows;
  for (const Case& each : cases) {
    const CaseResult result = run_case(each);
    Row& row = rows[{each.folder, each.op}];
    add(row.counts, result.verdict);
    add(total, result.verdict);
    if (result.verdict == Verdict::passed && (row.worst.empty() || result.worst_ratio > row.worst_ratio)) {
      row.worst_ratio = result.worst_ratio;
      row.worst = each.name + ": " + result.worst;
    }
    if (!result.message.empty()) print_case(out, each, result);
  }
  std::fprintf(out, "\n%-26s %-26s %6s %6s %11s  worst error / tolerance\n", "folder", "operator", "passed",
               "failed", "unsupported");
  for (const auto& [key, row] : rows)
    std::fprintf(out, "%-26s %-26s %6d %6d %11d  %5.3f  %s\n", key.first.c_str(), key.second.c_str(),
                 row.counts.passed, row.counts.failed, row.counts.unsupported, row.worst_ratio,
                 row.worst.c_str());
  std::fprintf(out, "%-26s %-26s %6d %6d %11d\n", "all", "", total.passed, total.failed, total.unsupported);
  return total;
}

}  // namespace attn::conformance
