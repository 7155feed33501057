// The list of cases for run.mjs. An index lies in [0, attn_bench_count()); the peaks come first.
#include <cstddef>

#include "suite.h"

namespace {

using attn::bench::Case;

const Case& case_at(int index) {
  static const std::vector<Case> cases = attn::bench::all_cases();
  return cases[static_cast<std::size_t>(index)];
}

attn::bench::Work work;

}  // namespace

extern "C" {

int attn_bench_count() { return static_cast<int>(attn::bench::all_cases().size()); }
int attn_bench_peak_count() { return static_cast<int>(attn::bench::peak_cases().size()); }
const char* attn_bench_name(int index) { return case_at(index).name.c_str(); }
double attn_bench_flops(int index) { return case_at(index).flops; }
int attn_bench_is_headline(int index) { return case_at(index).headline ? 1 : 0; }

/// Makes the inputs of a case and forgets those of the case before.
void attn_bench_prepare(int index) {
  work = nullptr;
  work = case_at(index).prepare();
}

/// Runs the prepared case that many times.
void attn_bench_run(int times) {
  for (int i = 0; i < times; ++i) work();
}

void attn_bench_run_peak(int index, int times) {
  const attn::bench::Work peak = case_at(index).prepare();
  for (int i = 0; i < times; ++i) peak();
}

}  // extern "C"
