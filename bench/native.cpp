// Times the cases natively: attn_bench [--csv] [name...]
//
// A name selects the cases that contain it ("all" selects all); without one the headlines are timed. Times
// are processor time of the thread, so that a neighbour who interrupts is not counted. Each case is timed in
// groups of runs; before each group the peak is measured again, because the clock of a shared machine
// changes from one second to the next. Printed are the median and the fastest group, the rate of the median,
// and the median of the groups' shares of their own peak. run.mjs does the same in WebAssembly.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "suite.h"

namespace {

using namespace attn::bench;

constexpr int kGroups = 41;
constexpr double kGroupSeconds = 0.004;  // a run that takes longer is a group by itself
constexpr double kWarmUpSeconds = 0.2;

double thread_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_of(const Work& work, int times) {
  const double start = thread_seconds();
  for (int i = 0; i < times; ++i) work();
  return thread_seconds() - start;
}

/// Warms up and finds how many runs make a group.
int runs_in_group(const Work& work) {
  int times = 1;
  double group = seconds_of(work, times);
  for (double spent = group; spent < kWarmUpSeconds || group < kGroupSeconds / 2; spent += group) {
    if (group < kGroupSeconds / 2) times *= 2;
    group = seconds_of(work, times);
  }
  return times;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Peak {
  Work work;
  double flops = 0.0;
  int times = 1;
  double rate = 0.0;
};

Peak best_peak() {
  Peak best;
  for (const Case& one : peak_cases()) {
    const Work work = one.prepare();
    const int times = runs_in_group(work);
    std::vector<double> seconds;
    for (int i = 0; i < kGroups; ++i) seconds.push_back(seconds_of(work, times) / times);
    const double rate = one.flops / median_of(seconds);
    if (rate > best.rate) best = {work, one.flops, times, rate};
  }
  return best;
}

void time_case(const Case& one, const Peak& peak, bool csv) {
  const Work work = one.prepare();
  const int times = runs_in_group(work);
  std::vector<double> seconds;
  std::vector<double> shares;
  for (int i = 0; i < kGroups; ++i) {
    const double peak_rate = peak.flops * peak.times / seconds_of(peak.work, peak.times);
    seconds.push_back(seconds_of(work, times) / times);
    shares.push_back(one.flops / seconds.back() / peak_rate);
  }
  const double median = median_of(seconds);
  const double fastest = *std::min_element(seconds.begin(), seconds.end());
  const double rate = one.flops / median * 1e-9;
  const double share = median_of(shares) * 100.0;
  if (csv) {
    std::printf("native,\"%s\",%.6f,%.6f,%.3f,%.2f\n", one.name.c_str(), median * 1e3, fastest * 1e3, rate,
                share);
  } else {
    std::printf("%-44s %10.4f %10.4f", one.name.c_str(), median * 1e3, fastest * 1e3);
    if (one.flops > 0.0) std::printf(" %8.1f %6.0f %%", rate, share);
    std::printf("\n");
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argument_count, char** arguments) {
  bool csv = false;
  std::vector<const char*> names;
  for (int i = 1; i < argument_count; ++i) {
    if (std::strcmp(arguments[i], "--csv") == 0) {
      csv = true;
    } else {
      names.push_back(arguments[i]);
    }
  }
  const auto selected = [&](const Case& one) {
    if (names.empty()) return one.headline;
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
      return std::strcmp(name, "all") == 0 || one.name.find(name) != std::string::npos;
    });
  };

  const Peak peak = best_peak();
  if (csv) {
    std::printf("where,case,median_ms,fastest_ms,gflops,percent_of_peak\n");
  } else {
    std::printf("multiply-add peak %.1f GFLOP/s\n%-44s %10s %10s %8s %8s\n", peak.rate * 1e-9, "",
                "median ms", "fastest", "GFLOP/s", "of peak");
  }
  for (const std::vector<Case>& cases : {model_cases(), training_cases(), kernel_cases()})
    for (const Case& one : cases)
      if (selected(one)) time_case(one, peak, csv);
  return 0;
}
