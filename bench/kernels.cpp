// Times the kernels one by one: kernels_bench [filter]
//
// Prints for each the median and the fastest time, the rate of the fastest, and its share of the peak, which
// is measured in the same run: the best rate of separate f32x4 multiplications and additions into independent
// accumulators. Kernels without products show nanoseconds an element instead. On a busy machine only the
// fastest means anything.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/f32x4.h"
#include "kernels/layer_norm.h"
#include "kernels/matmul.h"
#include "kernels/softmax.h"

namespace {

using namespace attn;

/// Keeps the compiler from dropping a result.
volatile float kept = 0.0f;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Timing {
  double fastest;
  double median;
};

/// Seconds of one call. Calls are grouped so that a group lasts about half a millisecond, longer than the
/// step of any timer and shorter than a time slice; the first groups warm up (caches, and the browser's
/// second compiler).
template <class Work>
Timing time_of(Work work) {
  constexpr double kGroupSeconds = 5e-4;
  constexpr int kWarmUp = 50;
  constexpr int kGroups = 301;
  int calls = 1;
  for (double spent = 0.0; spent < kGroupSeconds;) {
    const double start = seconds_now();
    for (int i = 0; i < calls; ++i) work();
    spent = seconds_now() - start;
    if (spent < kGroupSeconds) calls *= 2;
  }
  std::vector<double> times;
  for (int group = -kWarmUp; group < kGroups; ++group) {
    const double start = seconds_now();
    for (int i = 0; i < calls; ++i) work();
    if (group >= 0) times.push_back((seconds_now() - start) / calls);
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[kGroups / 2]};
}

constexpr int kPeakSteps = 4096;

/// kPeakSteps multiplications and additions into each of kAccumulators independent sums. Not inlined, because
/// a browser replaces slow code by fast code only where a function is entered.
template <int kAccumulators>
[[gnu::noinline]] void multiply_and_add() {
  kernels::F32x4 sums[kAccumulators];
  for (int i = 0; i < kAccumulators; ++i) sums[i] = kernels::splat(static_cast<float>(i));
  const float factor = kept + 0.5f;
  const kernels::F32x4 a = kernels::load_splat(&factor);
  for (int step = 0; step < kPeakSteps; ++step) {
    // The sum itself is a factor, so that no product can be taken out of the loop.
    for (int i = 0; i < kAccumulators; ++i) sums[i] = sums[i] * a + a;
  }
  kernels::F32x4 total = sums[0];
  for (int i = 1; i < kAccumulators; ++i) total = total + sums[i];
  kept = kernels::sum_of_lanes(total) * 0.0f;
}

template <int kAccumulators>
double multiply_add_rate() {
  return 2.0 * 4.0 * kAccumulators * kPeakSteps / time_of(multiply_and_add<kAccumulators>).fastest;
}

class Bench {
 public:
  explicit Bench(const char* filter) : filter_(filter) {
    peak_ = std::max({multiply_add_rate<10>(), multiply_add_rate<12>(), multiply_add_rate<13>()});
    std::printf("path %s, peak %.1f GFLOP/s (multiply and add)\n", kernels::kSimdName, peak_ * 1e-9);
  }

  /// `flops` is 0 for kernels that are not products.
  template <class Work>
  void run(const char* name, double flops, int elements, Work work) {
    if (std::strstr(name, filter_) == nullptr) return;
    const Timing timing = time_of(work);
    std::printf("%-28s %10.2f %10.2f us", name, timing.median * 1e6, timing.fastest * 1e6);
    if (flops > 0.0) {
      const double rate = flops / timing.fastest;
      std::printf("  %6.1f GFLOP/s  %3.0f %% of the peak\n", rate * 1e-9, rate / peak_ * 100.0);
    } else {
      std::printf("  %6.3f ns an element\n", timing.fastest * 1e9 / elements);
    }
  }

 private:
  const char* filter_;
  double peak_;
};

std::vector<float> values(int count) {
  std::vector<float> result(static_cast<std::size_t>(count));
  unsigned state = 1;
  for (float& value : result) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
  }
  return result;
}

void bench_product(Bench& bench, int rows, int depth, int columns) {
  const std::vector<float> a = values(rows * depth);
  const std::vector<float> b = values(depth * columns);
  const std::vector<float> bias = values(columns);
  std::vector<float> out(static_cast<std::size_t>(rows * columns));
  kernels::PackedMatrix packed;
  kernels::pack({b.data(), depth, columns, columns}, packed);
  const double flops = 2.0 * rows * depth * columns;
  const core::Matrix to{out.data(), rows, columns, columns};
  char name[64];
  std::snprintf(name, sizeof name, "linear %dx%dx%d", rows, depth, columns);
  bench.run(name, flops, 0, [&] { kernels::linear({a.data(), rows, depth, depth}, packed, bias, to); });
  std::snprintf(name, sizeof name, "matmul %dx%dx%d unpacked", rows, depth, columns);
  bench.run(name, flops, 0, [&] {
    kernels::matmul({a.data(), rows, depth, depth}, core::ConstMatrix{b.data(), depth, columns, columns}, to);
  });
  kept = out.empty() ? 0.0f : out[0] * 0.0f;
}

void bench_rows(Bench& bench) {
  constexpr int kRows = 8 * 128;
  constexpr int kColumns = 128;
  constexpr int kElements = kRows * kColumns;
  const std::vector<float> scores = values(kElements);
  std::vector<float> causal(static_cast<std::size_t>(kElements));
  for (int i = 0; i < kElements; ++i)
    causal[static_cast<std::size_t>(i)] = i % kColumns <= i / kColumns % 128 ? 1.0f : 0.0f;
  std::vector<float> out(scores.size());
  const core::ConstMatrix from{scores.data(), kRows, kColumns, kColumns};
  const core::Matrix to{out.data(), kRows, kColumns, kColumns};
  bench.run("softmax 8x128x128", 0.0, kElements, [&] { kernels::masked_softmax(from, {}, to); });
  bench.run("softmax 8x128x128 causal", 0.0, kElements, [&] {
    kernels::masked_softmax(from, {causal.data(), kRows, kColumns, kColumns}, to);
  });

  for (const int width : {8, 512}) {
    const int rows = width == 8 ? 5 : 128;
    const std::vector<float> scale = values(width);
    char name[64];
    std::snprintf(name, sizeof name, "layer_norm %dx%d", rows, width);
    bench.run(name, 0.0, rows * width, [&] {
      kernels::layer_norm({scores.data(), rows, width, width}, scale, scale, 1e-5f,
                          {out.data(), rows, width, width});
    });
  }
  constexpr std::size_t kHidden = 5 * 2048;
  const std::span<const float> x = std::span(scores).first(kHidden);
  const std::span<float> y = std::span(out).first(kHidden);
  bench.run("add 5x2048", 0.0, kHidden, [&] { kernels::add(x, x, y); });
  bench.run("relu 5x2048", 0.0, kHidden, [&] { kernels::relu(x, y); });
  bench.run("gelu 5x2048", 0.0, kHidden, [&] { kernels::gelu(x, y); });
  kept = out[0] * 0.0f;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Bench bench(argument_count > 1 ? arguments[1] : "");
  constexpr int kProducts[][3] = {{512, 512, 512}, {128, 512, 2048}, {128, 64, 128}, {1, 512, 512},
                                  {2, 512, 512},   {5, 8, 2048},     {5, 2048, 8},   {5, 8, 8},
                                  {5, 1, 5},       {5, 5, 1},        {5, 8, 5},      {16, 64, 256},
                                  {1, 2048, 8}};
  for (const auto& [rows, depth, columns] : kProducts) bench_product(bench, rows, depth, columns);
  bench_rows(bench);
  return 0;
}
