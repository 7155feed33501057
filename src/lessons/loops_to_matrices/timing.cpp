#include "lessons/loops_to_matrices/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lessons/loops_to_matrices/loops.h"
#include "lessons/loops_to_matrices/model.h"

namespace attn::lessons::loops_to_matrices {
namespace {

constexpr int kRepetitions = 3;       // of which the median counts
constexpr int kBatchPairs = 64 * 64;  // short runs are repeated until about this many pairs of words are done

/// The median time of one call.
template <class Run>
float median_us(int calls, Run&& run) {
  using Clock = std::chrono::steady_clock;
  std::array<float, kRepetitions> times{};
  for (float& time : times) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < calls; ++i) run();
    time = std::chrono::duration<float, std::micro>(Clock::now() - start).count() / static_cast<float>(calls);
  }
  std::sort(times.begin(), times.end());
  return times[kRepetitions / 2];
}

}  // namespace

Times measure() {
  constexpr int d = kTimedWidth;
  constexpr int most = kTimedWords.back();
  const Head head = draw_head(0, most, d);
  std::vector<float> room(4 * most * d + most * most);
  float* at = room.data();
  const Attention<float> to{at, at + most * d, at + 2 * most * d, at + 4 * most * d, at + 3 * most * d};
  const float root = std::sqrt(static_cast<float>(d));
  tape::Tape tape;
  Times times;
  for (std::size_t i = 0; i < kTimedWords.size(); ++i) {
    const int n = kTimedWords[i];
    const int calls = std::max(1, kBatchPairs / (n * (n + 3 * d / 2)));
    const auto by_loops = [&] {
      attend(head.words.values(), head.query.weight.values(), head.key.weight.values(),
             head.value.weight.values(), n, d, root, Order::forward, to);
    };
    const auto by_matrices = [&] {
      tape.clear();
      record_attention(tape, head, n);
    };
    by_matrices();  // what it allocates, it allocates here
    times.loops[i] = median_us(calls, by_loops);
    times.matrices[i] = median_us(calls, by_matrices);
  }
  return times;
}

}  // namespace attn::lessons::loops_to_matrices
